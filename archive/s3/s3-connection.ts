import type { Agent } from 'node:https';
import type { S3, S3ClientConfig } from '@aws-sdk/client-s3';
import { proxyFor, proxyName, readProxies } from '../../api/proxies.js';
import { readS3Address, type S3Address, s3Url } from './s3-address.js';
import { storageError } from './s3-errors.js';

/** A bucket, and how to call it. Region, endpoint and credentials are those that AWS's own tools would use. */
export interface S3Connection extends S3Address {
  /** Makes a call; all go through this, so that every failure says what and where. @throws StorageError */
  call<T>(action: string, work: (s3: S3) => Promise<T>): Promise<T>;
  /** The same without translating errors, for callers that have to tell them apart. */
  ask<T>(work: (s3: S3) => Promise<T>): Promise<T>;
  /** The key for a path of the archive. */
  keyOf(path: string): string;
  close(): void;
}

const silent = { debug() {}, info() {}, warn() {}, error() {}, trace() {} };

/** How long a connection may be silent before it is given up. */
const defaultSilenceMs = 60_000;

/**
 * The library is loaded with the first call: it takes longer than most commands, which never ask the archive.
 *
 * @param silenceMs how long a connection may be silent before it is given up
 */
export function connectS3(url: string, silenceMs = defaultSilenceMs): S3Connection {
  const address = readS3Address(url);
  const { bucket, prefix } = address;
  const shown = s3Url(address);
  let connecting: Promise<S3> | undefined;

  async function connect(): Promise<S3> {
    // It warns on stderr when it will drop this version of Node; its own version is pinned.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
    const { S3 } = await import('@aws-sdk/client-s3');
    const requestHandler = {
      connectionTimeout: 5_000,
      socketTimeout: silenceMs,
      ...(await byProxy(bucket, process.env)),
    };
    return new S3({ ...clientConfig(process.env), requestHandler });
  }
  function client(): Promise<S3> {
    connecting ??= connect();
    return connecting;
  }

  return {
    bucket,
    prefix,
    ask: async (work) => work(await client()),
    async call(action, work) {
      try {
        return await work(await client());
      } catch (error) {
        throw storageError(`${action} in ${shown}`, error);
      }
    },
    keyOf: (path) => (prefix === '' ? path : `${prefix}/${path}`),
    close: () => void connecting?.then((s3) => s3.destroy()),
  };
}

/** The library ignores `HTTPS_PROXY`. Credentials that it gets from servers come without a proxy. */
async function byProxy(
  bucket: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly httpAgent?: Agent; readonly httpsAgent?: Agent }> {
  const endpoint = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || `https://${bucket}.s3.amazonaws.com`;
  const proxy = proxyFor(endpoint, readProxies(env));
  if (proxy === null) return {};
  if (!/^https?:/.test(proxy)) {
    throw new TypeError(`Cannot reach the bucket by ${proxyName(proxy)}: its proxy must be an http or https address`);
  }
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  const agent = new HttpsProxyAgent(proxy, { keepAlive: true, maxSockets: 50 });
  return { httpAgent: agent, httpsAgent: agent };
}

/** What the library does not read from the environment itself. */
function clientConfig(env: NodeJS.ProcessEnv): S3ClientConfig {
  // Servers other than AWS seldom have a name for each bucket.
  const isOwnServer = (env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL ?? '') !== '';
  return {
    logger: silent,
    forcePathStyle: isOwnServer,
    // Every write has its SHA-256 from us, and what is read is compared with the record's.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
}
