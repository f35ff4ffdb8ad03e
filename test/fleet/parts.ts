import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, vi } from 'vitest';
import { stopInBackground } from '../../home/background-process.js';
import { freePort } from '../../home/free-port.js';
import { startTemporalServer } from '../../home/temporal/temporal-server.js';
import type { Command, Environment, Home } from '../whole/home.js';
import { temporalDatabases } from './postgres-server.js';
import { startTemporalCluster, whyNoCluster } from './temporal-cluster.js';

const minute = 60_000;
export const serviceKey = 'sk_the_key_of_the_fleet';

/** A process that is started again whenever it is killed, as by systemd, after so many seconds. */
export interface Kept {
  kill(secondsAway: number): Promise<void>;
}

export interface KeptWorker extends Kept {
  /** Stopped in order, and started as another program. */
  replace(program: string): Promise<void>;
  /** Killed, and started as another program. */
  killFor(program: string): Promise<void>;
  stop(): Promise<void>;
  /** Its log so far: a JSON document a line, over all its processes. */
  lines(): readonly Readonly<Record<string, unknown>>[];
}

export async function keepWorker(
  home: Home,
  options: { readonly name: string; readonly env: Environment; readonly program: string },
): Promise<KeptWorker> {
  let { program } = options;
  let worker: Command;
  const logs: string[] = [];
  const env = { ...options.env, GREENLIGHT_LOG: 'json' };
  const start = async () => {
    worker = home.start(['worker', '--home', join(home.folder, options.name)], env, program);
    const started = worker;
    await vi.waitFor(() => expect(started.stdout()).toContain('"msg":"Working: '), {
      ...{ timeout: 3 * minute, interval: 100 },
    });
  };
  await start();
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    worker.signal(signal);
    const ended = await worker.ended;
    logs.push(ended.stdout);
    return ended;
  };
  const stop = async () => {
    const { code, stderr, stdout } = await end('SIGTERM');
    expect(code, `${stderr}\n${stdout.slice(-2_000)}`).toBe(0);
  };
  return {
    stop,
    async kill(secondsAway) {
      await end('SIGKILL');
      await sleep(secondsAway * 1_000);
      await start();
    },
    async killFor(next) {
      await end('SIGKILL');
      program = next;
      await start();
    },
    async replace(next) {
      await stop();
      program = next;
      await start();
    },
    lines: () => [...logs, ...(logs.at(-1) === worker.stdout() ? [] : [worker.stdout()])].flatMap(documents),
  };
}

/** The last line may be cut off by a kill. */
function documents(log: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = log.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

export interface KeptTemporal extends Kept {
  readonly port: number;
  /** What it is, for a person. */
  readonly words: string;
}

/** A server on PostgreSQL where one is cached, else the dev server. */
export async function keepTemporal(home: Home, serverUrl: string): Promise<KeptTemporal> {
  const port = await freePort();
  const folder = join(home.folder, 'temporal');
  const why = whyNoCluster();
  const databases = why === null ? await temporalDatabases(serverUrl) : null;
  const env = { ...process.env, TEMPORAL_CLI_PATH: inject('devServer') };
  const start = () =>
    databases
      ? startTemporalCluster(folder, port, databases)
      : startTemporalServer({ home: folder, port, env, say: () => undefined });
  let pid = await start();
  onTestFinished(async () => void (await stopInBackground(pid)));
  return {
    port,
    words: why === null ? 'Temporal is a server on PostgreSQL' : `Temporal is the dev server, since ${why}`,
    async kill(secondsAway) {
      await stopInBackground(pid, 0);
      await sleep(secondsAway * 1_000);
      pid = await start();
    },
  };
}

export interface KeptStudio extends Kept {
  readonly port: number;
  stop(): Promise<void>;
}

export async function keepStudio(home: Home, jobSeconds: number): Promise<KeptStudio> {
  const port = await freePort();
  const start = async () => {
    const flags = ['--port', String(port), '--data', join(home.folder, 'studio'), '--api-key', serviceKey];
    const started = home.start(['studio', ...flags, '--render', 'stub', '--job-seconds', String(jobSeconds)], {});
    await vi.waitFor(async () => (await fetch(`http://127.0.0.1:${port}/`)).body?.cancel(), { timeout: minute });
    return started;
  };
  let studio = await start();
  const end = async () => {
    studio.signal('SIGKILL');
    await studio.ended;
  };
  return {
    port,
    async kill(secondsAway) {
      await end();
      await sleep(secondsAway * 1_000);
      studio = await start();
    },
    stop: end,
  };
}
