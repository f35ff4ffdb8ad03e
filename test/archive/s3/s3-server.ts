import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { S3 } from '@aws-sdk/client-s3';
import { freePort } from '../../../home/free-port.js';

/** A server with the interface of S3, and how a process finds it. */
export interface S3Server {
  readonly bucket: string;
  /** The bucket's objects as files, where the server keeps them so (versitygw). */
  readonly folder: string;
  /** What AWS's own tools would read. */
  readonly env: Readonly<Record<string, string>>;
  /** For looking at what a store did. */
  readonly s3: S3;
  stop(): Promise<void>;
}

export const s3Servers = ['versitygw', 'moto'] as const;
export type S3ServerName = (typeof s3Servers)[number];

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'greenlight-s3');
const programs = { versitygw: join(cache, 'versitygw'), moto: join(cache, 'moto/bin/moto_server') };

/** Why the server cannot be used here; null where it can. */
export function whyNoServer(name: S3ServerName): string | null {
  return existsSync(programs[name]) ? null : `${name} is not here; test/s3-servers.sh gets it`;
}

const keys = { AWS_ACCESS_KEY_ID: 'greenlight', AWS_SECRET_ACCESS_KEY: 'rehearsal-only' };

/** Starts a server on loopback, with an empty bucket. */
export async function startS3Server(name: S3ServerName): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-s3-'));
  const [data, sidecar] = [join(folder, 'data'), join(folder, 'sidecar')];
  await Promise.all([mkdir(data), mkdir(sidecar)]);
  const port = await freePort();
  const args =
    name === 'moto'
      ? ['-H', '127.0.0.1', '-p', `${port}`]
      : ['--port', `127.0.0.1:${port}`, 'posix', '--sidecar', sidecar, data];
  const root = { ROOT_ACCESS_KEY: keys.AWS_ACCESS_KEY_ID, ROOT_SECRET_KEY: keys.AWS_SECRET_ACCESS_KEY };
  const child = spawn(programs[name], args, { env: { ...process.env, ...root }, stdio: ['ignore', 'pipe', 'pipe'] });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk;
      if (said.includes(`127.0.0.1:${port}`)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${said}`)));
  });
  const env = { ...keys, AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` };
  const credentials = { accessKeyId: keys.AWS_ACCESS_KEY_ID, secretAccessKey: keys.AWS_SECRET_ACCESS_KEY };
  const s3 = new S3({ endpoint: env.AWS_ENDPOINT_URL_S3, region: env.AWS_REGION, forcePathStyle: true, credentials });
  await s3.createBucket({ Bucket: 'movies' });
  return {
    ...{ bucket: 'movies', folder: join(data, 'movies'), env, s3 },
    async stop() {
      s3.destroy();
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Has this process find the server, until what is returned is called. */
export function useServer({ env }: Pick<S3Server, 'env'>): () => void {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
