/** `npm start` in this folder: the peers, the plain script and Greenlight beside the same studio, in one run. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { freePort } from '../../home/free-port.js';
import { stopped } from '../bench-services.js';
import { cpuMsOf } from '../measured-process.js';
import { greenlightRun, type Job, plainRun, type Run, runOf, show } from '../movies.js';
import { line } from '../report.js';

interface Server {
  readonly url: string;
  readonly cpuMs: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

const runs: Readonly<Record<string, (job: Job) => Promise<Run | null>>> = {
  plain: plainRun,
  bullmq: (job) => withServer('BullMQ', startRedis, 'peers/bullmq-process.ts', job),
  greenlight: greenlightRun,
  dbos: (job) => withServer('DBOS', reachPostgres, 'peers/dbos-process.ts', job),
};

const { values } = parseArgs({ options: { movies: { type: 'string' }, only: { type: 'string' } } });
const job: Job = { movies: Number(values.movies ?? 1_000), jobSeconds: { from: 1, to: 1 }, inFlight: 500 };
const folder = mkdtempSync(join(tmpdir(), 'greenlight-peers-'));
process.env.TMPDIR = folder;
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const done: Run[] = [];
for (const name of values.only?.split(',') ?? Object.keys(runs)) {
  const one = await runs[name]?.(job);
  if (one) done.push(one);
}
show('movies of 1 s, 500 in flight', done);

async function withServer(
  name: string,
  start: () => Promise<Server | null>,
  file: string,
  of: Job,
): Promise<Run | null> {
  const server = await start();
  if (!server) return null;
  try {
    return await runOf({ name, file, serverUrl: server.url, serverCpuMs: server.cpuMs }, of);
  } finally {
    await server.stop();
  }
}

async function startRedis(): Promise<Server | null> {
  if (spawnSync('redis-server', ['--version']).error) {
    line('BullMQ: left out, redis-server is not on the path');
    return null;
  }
  const port = await freePort();
  const files = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec'];
  const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', ...files], { stdio: 'pipe' });
  await isReady(redis);
  const before = cpuMsOf(redis.pid ?? 0);
  return {
    url: `redis://127.0.0.1:${port}`,
    cpuMs: async () => cpuMsOf(redis.pid ?? 0) - before,
    stop: () => stopped(redis),
  };
}

async function isReady(redis: ChildProcess): Promise<void> {
  for await (const chunk of redis.stdout ?? []) if (String(chunk).includes('Ready to accept')) break;
  redis.stdout?.resume();
}

/** A database of its own on the server that `test/with-postgres.sh` started. */
async function reachPostgres(): Promise<Server | null> {
  const address = process.env.GREENLIGHT_TEST_POSTGRES_URL;
  if (!address) {
    line('DBOS: left out, no PostgreSQL was found');
    return null;
  }
  const url = new URL(address);
  url.pathname = '/dbos_bench';
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query('drop database if exists dbos_bench with (force)');
  await client.query('create database dbos_bench');
  const { rows } = await client.query<{ file: string }>(`select pg_read_file('postmaster.pid') as file`);
  const postmaster = Number(rows[0]?.file.split('\n')[0]);
  const before = treeCpuMs(postmaster);
  return {
    url: url.href,
    async cpuMs() {
      await sleep(500); // what a backend used is its parent's once it has ended
      return treeCpuMs(postmaster) - before;
    },
    stop: () => client.end(),
  };
}

/** Of a process, its children, and those of them that have ended. */
function treeCpuMs(pid: number): number {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  const children = stdout.split('\n').filter(Boolean).map(Number);
  return [pid, ...children].reduce((sum, one) => sum + cpuMsOf(one, one === pid), 0);
}
