import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CommitUncertainError, LedgerAwayError } from '../../../ledger/database/outage.js';
import { type Ledger, openLedger } from '../../../ledger/ledger.js';
import { wayTo } from './cut-off.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Two statements: what is written twice or not at all would show in the sum. */
async function addOne(ledger: Ledger, between: () => Promise<unknown> = async () => undefined): Promise<void> {
  await ledger.write(async (tx) => {
    await sql`update counted set n = n + 1`.execute(tx);
    await between();
    await sql`update counted set n = n + 1`.execute(tx);
  });
}

async function counted(ledger: Ledger): Promise<number | undefined> {
  return (await sql<{ n: number }>`select n / 2 as n from counted`.execute(ledger.db)).rows[0]?.n;
}

async function prepare(ledger: Ledger): Promise<void> {
  await ledger.write(async (tx) => {
    await sql`create table counted (n integer not null)`.execute(tx);
    await sql`insert into counted values (0)`.execute(tx);
  });
}

const serverUrl = process.env.GREENLIGHT_TEST_POSTGRES_URL ?? '';

describe.skipIf(serverUrl === '')('a PostgreSQL that goes away', () => {
  async function openDatabase(onOutage?: (words: string) => void, silenceMs?: number) {
    const name = `outage_${randomBytes(6).toString('hex')}`;
    const server = new pg.Client({ connectionString: serverUrl });
    await server.connect();
    await server.query(`create database ${name}`);
    cleanups.push(async () => {
      await server.query(`drop database ${name} with (force)`);
      await server.end();
    });
    const target = new URL(serverUrl);
    const way = await wayTo({ host: target.hostname, port: Number(target.port) });
    cleanups.push(() => way.cut());
    const url = Object.assign(new URL(serverUrl), { pathname: `/${name}`, hostname: '127.0.0.1' });
    url.port = String(way.port);
    const made = await openLedger({ url: url.toString(), migrate: true }); // however long a busy machine takes for it
    await prepare(made);
    await made.close();
    const ledger = await openLedger({ url: url.toString(), onOutage, ...(silenceMs !== undefined && { silenceMs }) });
    cleanups.push(() => ledger.close());
    const terminate = () =>
      server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    return { ledger, way, terminate };
  }

  test('a connection that is ended between two statements: its transaction is made again, and the process lives', async () => {
    const { ledger, terminate } = await openDatabase();
    let times = 0;
    await addOne(ledger, async () => {
      times += 1;
      if (times === 1) await terminate();
    });
    expect([await counted(ledger), times]).toEqual([1, 2]);
  });

  test('twenty ends of all connections, at random among writes and reads: every write counts once', async () => {
    const { ledger, terminate } = await openDatabase(() => undefined);
    let [asked, uncertain, over] = [0, 0, false];
    const writing = Array.from({ length: 4 }, async () => {
      while (!over) {
        await addOne(ledger).then(
          () => {
            asked += 1;
          },
          (error: unknown) => {
            if (!(error instanceof CommitUncertainError)) throw error;
            uncertain += 1;
          },
        );
        await ledger.db.selectFrom('ledger').select('ledger_id').executeTakeFirstOrThrow();
      }
    });
    for (let end = 0; end < 20; end += 1) {
      await sleep(Math.random() * 30);
      await terminate();
    }
    over = true;
    await Promise.all(writing);
    const total = await counted(ledger);
    expect(total).toBeGreaterThanOrEqual(asked);
    expect(total).toBeLessThanOrEqual(asked + uncertain);
    expect(asked).toBeGreaterThan(0);
  });

  test('a restart: writes and reads wait, are told once what for, and go on', async () => {
    const told: string[] = [];
    const { ledger, way } = await openDatabase((words) => told.push(words));
    await way.cut();
    const work = Promise.all([addOne(ledger), ledger.db.selectFrom('ledger').select('ledger_id').execute()]);
    await vi.waitFor(() => expect(told).toHaveLength(1));
    expect(told[0]).toMatch(/^Waiting for the ledger: ECONNREFUSED 127\.0\.0\.1:\d+$/);
    await way.open();
    await work;
    expect(await counted(ledger)).toBe(1);
    expect(told.slice(1)).toEqual(['The ledger is back']);
  });

  test('connections that fall silent are given up, and what was asked by them is asked again', async () => {
    const { ledger, way } = await openDatabase(() => undefined, 1_000);
    let times = 0;
    await addOne(ledger, async () => {
      times += 1;
      if (times === 1) way.silence();
    });
    expect([await counted(ledger), times]).toEqual([1, 2]);
  });

  test('the server is told to find out soon that a client is gone', async () => {
    const { ledger } = await openDatabase();
    const { rows } = await sql<Record<string, string>>`select current_setting('tcp_keepalives_idle') as idle,
      current_setting('idle_in_transaction_session_timeout') as in_transaction`.execute(ledger.db);
    expect(rows).toEqual([{ idle: '10', in_transaction: '2min' }]);
  });

  test('a process that was busy while the answer lay there takes it: the connection was never silent', async () => {
    const { ledger } = await openDatabase(() => undefined, 300);
    let times = 0;
    await ledger.write(async (tx) => {
      times += 1;
      const answer = sql`select 1`.execute(tx);
      await setImmediate(); // the question is on its way
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
      await answer;
      await sleep(500); // whoever was sent to look is back
      await sql`select 2`.execute(tx);
    });
    expect(times).toBe(1);
  });

  test('an answer that is on its way when the server is asked is waited for', async () => {
    const { ledger, way } = await openDatabase(() => undefined, 2_000);
    let times = 0;
    await ledger.write(async (tx) => {
      times += 1;
      const answer = sql`select pg_sleep(1.9)`.execute(tx);
      if (times === 1) way.delayAnswers();
      await answer;
    });
    expect(times).toBe(1);
  });

  test('a statement that takes its time is waited for', async () => {
    const { ledger } = await openDatabase(undefined, 1_000);
    let times = 0;
    await ledger.write(async (tx) => {
      times += 1;
      await sql`select pg_sleep(2.5)`.execute(tx);
    });
    expect(times).toBe(1);
  });

  test('nobody waits who did not say so, or not any more', async () => {
    const { ledger, way } = await openDatabase();
    await way.cut();
    await expect(addOne(ledger)).rejects.toThrow(LedgerAwayError);
    const { ledger: patient, way: other } = await openDatabase(() => undefined);
    await other.cut();
    const waiting = addOne(patient);
    patient.stopWaiting();
    await expect(waiting).rejects.toThrow(/^Cannot reach the ledger: /);
    await way.open();
    await other.open();
  });
});

describe('a SQLite whose folder goes away', () => {
  test('writes wait for it, are told once what for, and are in the file that comes back', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'greenlight-outage-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const told: string[] = [];
    const url = `sqlite:${join(folder, 'books', 'ledger.db')}`;
    const ledger = await openLedger({ url, onOutage: (words) => told.push(words) });
    await prepare(ledger);
    await rename(join(folder, 'books'), join(folder, 'elsewhere'));
    const writing = addOne(ledger);
    await vi.waitFor(() => expect(told).toHaveLength(1));
    expect(told[0]).toBe(`Waiting for the ledger: ${join(folder, 'books', 'ledger.db')} is gone`);
    // What takes its place meanwhile is another ledger.
    const other = await openLedger({ url });
    await other.close();
    expect(await Promise.race([writing.then(() => 'written'), sleep(700, 'waits')])).toBe('waits');
    await rm(join(folder, 'books'), { recursive: true });
    await rename(join(folder, 'elsewhere'), join(folder, 'books'));
    await writing;
    const again = await openLedger({ url });
    expect(await counted(again)).toBe(1);
    await again.close();
    expect(told.slice(1)).toEqual(['The ledger is back']);
  });

  test('who does not wait hears at once that it is gone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'greenlight-outage-'));
    const ledger = await openLedger({ url: `sqlite:${join(folder, 'ledger.db')}` });
    await prepare(ledger);
    await rm(folder, { recursive: true, force: true });
    await expect(addOne(ledger)).rejects.toThrow(/^Cannot reach the ledger: .*ledger\.db is gone$/);
  });
});
