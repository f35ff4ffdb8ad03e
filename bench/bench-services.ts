import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopInBackground } from '../home/background-process.js';
import { freePort } from '../home/free-port.js';
import { startTemporalServer } from '../home/temporal/temporal-server.js';
import type { JobSeconds } from './job-lengths.js';

export const benchKey = 'bench-key-of-the-studio';
export const benchWebhookSecret = `whsec_${Buffer.from('a secret that the bench signs with').toString('base64')}`;

export interface BenchStudio {
  readonly url: string;
  /** Requests of each operation since the start. */
  requests(): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

export async function startBenchStudio({ from, to }: JobSeconds): Promise<BenchStudio> {
  const path = fileURLToPath(new URL('studio-process.ts', import.meta.url));
  const child = fork(path, [String(from), String(to)], { execArgv: ['--import', import.meta.resolve('tsx')] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)));
    child.once('exit', (code) => reject(new Error(`Cannot start the studio: it ended with ${code}`)));
  });
  return {
    url,
    async requests() {
      const headers = { authorization: 'Bearer bench-key-of-the-books' };
      const answer = await fetch(new URL('/_studio/books', url), { headers });
      const books = (await answer.json()) as { requests: { operation: string | null }[] };
      const counts: Record<string, number> = {};
      for (const { operation } of books.requests)
        counts[operation ?? 'other'] = (counts[operation ?? 'other'] ?? 0) + 1;
      return counts;
    },
    stop: () => stopped(child),
  };
}

export interface BenchTemporal {
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A server of the product's own settings over a fresh file. */
export async function startBenchTemporal(): Promise<BenchTemporal> {
  const home = await mkdtemp(join(tmpdir(), 'temporal-'));
  const port = await freePort();
  const pid = await startTemporalServer({ home, port, env: process.env, say: () => undefined });
  return {
    address: `127.0.0.1:${port}`,
    pid,
    async stop() {
      await stopInBackground(pid);
    },
  };
}

export function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
