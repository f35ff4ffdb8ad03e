import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findHolders } from '../../home/holders.js';
import { countRows } from '../../ledger/batches/rows.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { type Way, wayTo } from '../ledger/database/cut-off.js';
import { brokenPromises } from '../oracle.js';
import { makeHome } from './home.js';
import { peopleOf } from './people.js';
import { serveMovies, serviceAt } from './service.js';

const minutes = 60_000;
const serverUrl = process.env.GREENLIGHT_TEST_POSTGRES_URL ?? '';
const rowCount = Number(process.env.GREENLIGHT_RESTART_ROWS ?? 60);

describe.skipIf(serverUrl === '')('a PostgreSQL that is restarted under a worker', () => {
  test(
    '20 ends of all its connections and a restart: the worker lives, and each row is made once',
    { timeout: 8 * minutes },
    async () => {
      const home = await makeHome();
      const { url, direct, way, terminate } = await database();
      const service = await serveMovies();
      const env = { GREENLIGHT_DATABASE_URL: url, ...serviceAt(service.port) };
      const tokenOf = await peopleOf(home, env);
      const worker = home.start(['worker'], env);
      await vi.waitFor(() => expect(worker.stderr()).toMatch(/^Working: /m), { timeout: 60_000 });
      const rows = Array.from({ length: rowCount }, (_, n) => `row-${n},A ferry leaves the quay at ${n} o'clock,5`);
      const sheet = await home.sheet(`id,prompt,duration_seconds\n${rows.join('\n')}\n`);
      const { batch } = await home.json<{ batch: string }>(['submit', sheet, '--budget', 'sheet'], {
        env: { ...env, ...tokenOf.ana },
      });
      const approved = await home.run(['approve', batch, '--yes'], { ...env, ...tokenOf.fin });
      expect(approved.code, approved.stderr).toBe(0);

      await untilRunning(direct, batch);
      for (let end = 0; end < 20; end += 1) {
        await terminate();
        await sleep(Math.random() * 200);
      }
      await way.cut();
      await vi.waitFor(() => expect(isWaiting(worker.stderr())).toBe(true), 30_000);
      await sleep(1_000);
      await way.open();
      await vi.waitFor(async () => expect(await countRows(direct, batch)).toEqual({ delivered: rowCount }), {
        timeout: 4 * minutes,
        interval: 250,
      });
      expect(worker.stderr()).toMatch(/^The ledger is back$/m);
      worker.signal('SIGTERM');
      const { code, stderr } = await worker.ended;
      expect(code, stderr).toBe(0);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(findHolders(home.home)).toEqual([]);
      const books = service.studio.books();
      expect(books.creates).toHaveLength(rowCount);
      expect(await brokenPromises({ ledger: direct, books, archiveFolder: join(home.folder, 'out') })).toEqual([]);
    },
  );
});

/** Whether the last that was said of the ledger is that it is waited for; why depends on which connection was cut first. */
function isWaiting(stderr: string): boolean {
  return (
    [...stderr.matchAll(/^(Waiting for the ledger: \S|The ledger is back)/gm)].at(-1)?.[1]?.startsWith('Waiting') ??
    false
  );
}

async function untilRunning(ledger: Ledger, batch: string): Promise<void> {
  await vi.waitFor(async () => expect((await countRows(ledger, batch)).running ?? 0).toBeGreaterThan(0), {
    timeout: minutes,
  });
}

interface Database {
  /** By the way that can be cut. */
  readonly url: string;
  readonly way: Way;
  /** Opened past it; its connections are left alone. */
  readonly direct: Ledger;
  terminate(): Promise<unknown>;
}

async function database(): Promise<Database> {
  const name = `restart_${randomBytes(6).toString('hex')}`;
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  await server.query(`create database ${name}`);
  const target = new URL(serverUrl);
  const way = await wayTo({ host: target.hostname, port: Number(target.port) });
  const of = (port: string, user: string) =>
    Object.assign(new URL(serverUrl), {
      pathname: `/${name}`,
      hostname: '127.0.0.1',
      port,
      search: `?application_name=${user}`,
    });
  const direct = await openLedger({ url: of(target.port, 'test').toString(), migrate: true });
  onTestFinished(async () => {
    await direct.close();
    await way.cut();
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  });
  const others = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name <> 'test'`;
  return {
    url: of(String(way.port), 'program').toString(),
    way,
    direct,
    terminate: () => server.query(others, [name]),
  };
}
