import { createHash, randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Agent, type Dispatcher, request } from 'undici';
import { noProxies, type Proxies, proxyFor } from '../api/proxies.js';
import { isPublicAddress, NotPublic, publicLookup } from '../api/public-address.js';
import { createRoutes } from '../api/routes.js';
import { ReferenceProblem } from './pricing-trouble.js';
import type { RemoteFiles } from './reference-uploader.js';

export interface RemoteFilesOptions {
  /** Files are kept here by the SHA-256 of their bytes. */
  readonly folder: string;
  /** Also plain `http` and addresses of private networks. */
  readonly allowPrivate: boolean;
  readonly maxBytes?: number;
  readonly proxies?: Proxies;
}

/** As much as a reference may weigh where the service does not say: a master of a minute, not a disk image. */
const defaultMaxBytes = 512 * 1024 * 1024;
const mostRedirects = 5;

/** Fetches references by address, each address once, into a folder where later runs find them by content. */
export function createRemoteFiles(options: RemoteFilesOptions): RemoteFiles & { close(): Promise<void> } {
  const { folder, proxies = noProxies } = options;
  const agent = createRoutes(proxies, {
    connect: options.allowPrivate ? { timeout: 10_000 } : { timeout: 10_000, lookup: publicLookup },
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
  });
  const underWay = new Map<string, Promise<FetchedFile>>();

  async function fetchFile(source: RemoteSource, signal: AbortSignal | undefined): Promise<FetchedFile> {
    const { url, sha256 } = source;
    if (sha256 !== null) {
      const path = join(folder, sha256);
      const kept = await stat(path).catch(() => null);
      if (kept) return { path, sha256, sizeBytes: kept.size };
    }
    const fetched = await download(url, { ...options, agent, signal });
    if (sha256 !== null && fetched.sha256 !== sha256) {
      throw new ReferenceProblem(`its reference ${withoutQuery(url)} changed since it was checked`);
    }
    return fetched;
  }

  return {
    fetch(source, signal) {
      const key = `${source.sha256} ${source.url}`;
      const known = underWay.get(key) ?? fetchFile(source, signal);
      underWay.set(key, known);
      // An address that gave nothing may give the file when it is asked again.
      known.catch(() => underWay.delete(key));
      return known;
    },
    close: () => agent.close(),
  };
}

interface RemoteSource {
  readonly url: string;
  readonly sha256: string | null;
}

interface FetchedFile {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

interface DownloadOptions extends RemoteFilesOptions {
  readonly agent: Agent;
  readonly signal: AbortSignal | undefined;
}

async function download(url: string, options: DownloadOptions): Promise<FetchedFile> {
  try {
    const { body, statusCode } = await follow(url, options);
    if (statusCode !== 200) {
      await body.dump();
      throw new ReferenceProblem(`its reference ${withoutQuery(url)} cannot be fetched: the answer is ${statusCode}`);
    }
    return await save(body, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof ReferenceProblem) throw error;
    throw new ReferenceProblem(`its reference ${withoutQuery(url)} cannot be fetched: ${reason(error)}`, {
      cause: error,
    });
  }
}

async function follow(url: string, options: DownloadOptions): Promise<Dispatcher.ResponseData> {
  let target = new URL(url);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    refuseForbidden(target, options);
    await refusePrivateName(target, options);
    const answer = await request(target, { dispatcher: options.agent, signal: options.signal ?? null });
    const location = answer.headers.location;
    if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string') return answer;
    await answer.body.dump();
    target = new URL(location, target);
  }
  throw new Error(`it redirects more than ${mostRedirects} times`);
}

/** Names are checked when they are dialled; an address written as such is never looked up, so it is checked here. */
function refuseForbidden({ protocol, hostname }: URL, { allowPrivate }: RemoteFilesOptions): void {
  if (allowPrivate) return;
  if (protocol !== 'https:') throw new Error('it is not an https address');
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) && !isPublicAddress(address)) throw new NotPublic('it is an address of a private network');
}

/**
 * A proxy looks names up itself, in a network that may have private ones. What we can look up is checked here; what
 * only the proxy knows is its to refuse.
 */
async function refusePrivateName(url: URL, { allowPrivate, proxies = noProxies }: RemoteFilesOptions): Promise<void> {
  if (allowPrivate || proxyFor(url, proxies) === null) return;
  const found = await lookup(url.hostname, { all: true }).catch(() => []);
  if (found.length > 0 && !found.some(({ address }) => isPublicAddress(address))) {
    throw new NotPublic(`${url.hostname} is an address of a private network`);
  }
}

/** The name appears only once the file is whole. */
async function save(body: Dispatcher.ResponseData['body'], options: RemoteFilesOptions): Promise<FetchedFile> {
  await mkdir(options.folder, { recursive: true });
  const part = join(options.folder, `${randomUUID()}.part`);
  const hash = createHash('sha256');
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  let sizeBytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      hash.update(chunk);
      done(sizeBytes > maxBytes ? new Error(`it has more than ${maxBytes} bytes`) : null, chunk);
    },
  });
  try {
    await pipeline(body, measure, createWriteStream(part));
    if (sizeBytes === 0) throw new Error('it is empty');
    const sha256 = hash.digest('hex');
    const path = join(options.folder, sha256);
    await rename(part, path);
    return { path, sha256, sizeBytes };
  } finally {
    await rm(part, { force: true });
  }
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return error instanceof NotPublic || !code ? message : code;
}

/** A query can carry a signature. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, '');
}
