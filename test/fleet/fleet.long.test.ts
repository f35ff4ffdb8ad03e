import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { stopInBackground } from '../../home/background-process.js';
import { freePort } from '../../home/free-port.js';
import { startTemporalServer } from '../../home/temporal/temporal-server.js';
import { countRows } from '../../ledger/batches/rows.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { createStudio } from '../../studio/studio.js';
import { brokenPromises } from '../oracle.js';
import { builtProgram } from '../whole/build.js';
import { type Command, type Environment, type Home, makeHome } from '../whole/home.js';
import { nextVersion } from './next-version.js';
import { fleetDatabase } from './postgres-server.js';

const serverUrl = process.env.GREENLIGHT_TEST_POSTGRES_URL ?? '';
const rowCount = Number(process.env.GREENLIGHT_FLEET_ROWS ?? 300);
const minutes = 60_000;
/** So that rows are in the making all the while. */
const ordersPerSecond = Math.max(1, rowCount / 200);
const key = 'sk_the_key_of_the_fleet';
const main = await builtProgram();

/** A process that is started again whenever it is killed, as by systemd. */
interface Kept {
  kill(): Promise<void>;
  /** Stopped in order, and started as another program. */
  replace(program: string): Promise<void>;
}

async function keepWorker(
  home: Home,
  { name, env }: { readonly name: string; readonly env: Environment },
): Promise<Kept> {
  let program = main;
  let worker: Command;
  const start = async () => {
    worker = home.start(['worker', '--home', join(home.folder, name)], env, program);
    await vi.waitFor(() => expect(worker.stderr()).toMatch(/^Working: /m), { timeout: 2 * minutes, interval: 100 });
  };
  await start();
  const ended = async (signal: 'SIGKILL' | 'SIGTERM') => {
    worker.signal(signal);
    return worker.ended;
  };
  return {
    async kill() {
      await ended('SIGKILL');
      await start();
    },
    async replace(next) {
      const { code, stderr } = await ended('SIGTERM');
      expect(code, stderr).toBe(0);
      program = next;
      await start();
    },
  };
}

async function keepTemporal(home: Home): Promise<{ readonly port: number; kill(): Promise<void> }> {
  const port = await freePort();
  const env = { ...process.env, TEMPORAL_CLI_PATH: inject('devServer') };
  const start = () => startTemporalServer({ home: join(home.folder, 'temporal'), port, env, say: () => undefined });
  let pid = await start();
  onTestFinished(async () => void (await stopInBackground(pid)));
  return {
    port,
    async kill() {
      await stopInBackground(pid, 0);
      pid = await start();
    },
  };
}

async function keepStudio(
  home: Home,
): Promise<{ readonly port: number; kill(): Promise<void>; stop(): Promise<void> }> {
  const port = await freePort();
  const start = async () => {
    const flags = ['--port', String(port), '--data', join(home.folder, 'studio'), '--api-key', key];
    const started = home.start(['studio', ...flags, '--render', 'stub', '--job-seconds', '2'], {});
    await vi.waitFor(async () => (await fetch(`http://127.0.0.1:${port}/`)).body?.cancel(), { timeout: minutes });
    return started;
  };
  let studio = await start();
  const end = async () => {
    studio.signal('SIGKILL');
    await studio.ended;
  };
  return {
    port,
    async kill() {
      await end();
      studio = await start();
    },
    stop: end,
  };
}

async function peopleOf(home: Home, env: Environment): Promise<Readonly<Record<'ana' | 'fin', Environment>>> {
  const add = async (name: string, roles: readonly string[], as: Environment = {}) => {
    const flags = roles.flatMap((role) => ['--role', role]);
    const added = await home.run(['people', 'add', name, ...flags], { ...env, ...as });
    expect(added.code, added.stderr).toBe(0);
    return { GREENLIGHT_TOKEN: added.stdout.trim() };
  };
  const fin = await add('fin', ['admin', 'finance']);
  const ana = await add('ana', ['submitter'], fin);
  const budget = await home.run(['budget', 'set', 'sheet', '50000USD'], { ...env, ...fin });
  expect(budget.code, budget.stderr).toBe(0);
  return { ana, fin };
}

async function delivered(ledger: Ledger, batch: string, count: number): Promise<void> {
  await vi.waitFor(async () => expect((await countRows(ledger, batch)).delivered ?? 0).toBeGreaterThanOrEqual(count), {
    ...{ timeout: 10 * minutes, interval: 250 },
  });
}

async function sheetOf(home: Home): Promise<string> {
  const rows = Array.from({ length: rowCount }, (_, n) => `row-${n},A ferry leaves quay ${n} at dawn,5`);
  return home.sheet(`id,prompt,duration_seconds\n${rows.join('\n')}\n`);
}

describe.skipIf(serverUrl === '')('a fleet of three workers, PostgreSQL, Temporal and a movie service', () => {
  test('one batch, every part killed or restarted under it and all workers replaced by another version', {
    timeout: 40 * minutes,
  }, async () => {
    console.log(`${rowCount} rows; Temporal is the dev server, of one process: no cluster`);
    const home = await makeHome();
    const [database, temporal, studio] = [
      await fleetDatabase(serverUrl),
      await keepTemporal(home),
      await keepStudio(home),
    ];
    const env = {
      GREENLIGHT_DATABASE_URL: database.url,
      GREENLIGHT_ARCHIVE_URL: `file:${home.archive}`,
      GREENLIGHT_ORDERS_PER_SECOND: String(ordersPerSecond),
      TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
      MOVIE_API_URL: `http://127.0.0.1:${studio.port}/v1`,
      MOVIE_API_KEY: key,
    };
    const migrated = await home.run(['ledger', 'migrate'], env);
    expect(migrated.code, migrated.stderr).toBe(0);
    const { ana, fin } = await peopleOf(home, env);
    const workers: Kept[] = [];
    for (const name of ['one', 'two', 'three']) workers.push(await keepWorker(home, { name, env }));
    const next = await nextVersion(main);
    const ledger = await openLedger({ url: database.url, onOutage: () => undefined });
    onTestFinished(() => ledger.close());
    const { batch } = await home.json<{ batch: string }>(['submit', await sheetOf(home), '--budget', 'sheet'], {
      env: { ...env, ...ana },
    });
    const approved = await home.run(['approve', batch, '--yes'], { ...env, ...fin });
    expect(approved.code, approved.stderr).toBe(0);

    const faults: readonly (readonly [string, () => Promise<void>])[] = [
      ['a worker is killed', () => workers[0]?.kill() ?? Promise.resolve()],
      ['PostgreSQL is restarted', () => database.restart()],
      ['Temporal is killed and started', () => temporal.kill()],
      ['the movie service is killed and started', () => studio.kill()],
      ['another worker is killed', () => workers[1]?.kill() ?? Promise.resolve()],
      ...workers.map((worker, n) => [`worker ${n + 1} is upgraded`, () => worker.replace(next)] as const),
    ];
    for (const [index, [name, happen]] of faults.entries()) {
      await delivered(ledger, batch, Math.floor((rowCount * (index + 1)) / (faults.length + 2)));
      console.log(`${JSON.stringify(await countRows(ledger, batch))}: ${name}`);
      await happen();
    }
    await delivered(ledger, batch, rowCount);
    await vi.waitFor(
      async () => {
        const { state } = await ledger.db.selectFrom('batches').select('state').executeTakeFirstOrThrow();
        expect(state).toBe('closed');
      },
      { timeout: 3 * minutes, interval: 250 },
    );
    for (const worker of workers) await worker.replace(main); // stops in order, each with exit code 0
    await studio.stop();
    const books = await booksOf(home);
    expect(books.creates).toHaveLength(rowCount);
    const sends = await ledger.db.selectFrom('sends').select('at_ms').execute();
    expect(mostInASecond(sends.map(({ at_ms }) => at_ms))).toBeLessThanOrEqual(Math.floor(ordersPerSecond) + 1);
    expect(await brokenPromises({ ledger, books, archiveFolder: home.archive })).toEqual([]);
  });
});

function mostInASecond(moments: readonly number[]): number {
  return Math.max(...moments.map((from) => moments.filter((one) => one >= from && one < from + 1_000).length));
}

async function booksOf(home: Home) {
  const studio = await createStudio({ dataFolder: join(home.folder, 'studio'), apiKeys: ['reader'], render: 'stub' });
  try {
    return studio.books();
  } finally {
    await studio.close();
  }
}
