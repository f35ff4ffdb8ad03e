import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../ledger/ledger.js';
import { migrateLedger } from '../../../operations/database.js';

const serverUrl = process.env.GREENLIGHT_TEST_POSTGRES_URL ?? '';

async function emptySqlite(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-schema-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, 'ledger.db')}`;
}

async function emptyPostgres(): Promise<string> {
  const name = `schema_${randomBytes(6).toString('hex')}`;
  await administer(`create database ${name}`);
  onTestFinished(() => administer(`drop database ${name} with (force)`));
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).toString();
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function change(url: string, statement: string): Promise<void> {
  const ledger = await openLedger({ url });
  await sql.raw(statement).execute(ledger.db);
  await ledger.close();
}

const opened = async (url: string) => {
  const ledger = await openLedger({ url });
  await ledger.close();
  return ledger.id;
};

const ofANewerProgram = `insert into kysely_migration (name, timestamp) values ('9000-later', '2030-01-01')`;
const newer =
  /^Cannot use the ledger: its tables are of version 9000-later, which is newer than .*; upgrade Greenlight$/;

test('a SQLite ledger is made where it is opened, and one of a newer program is refused', async () => {
  const url = await emptySqlite();
  const id = await opened(url);
  expect(await migrateLedger(url, {})).toEqual({ ledgerId: id, applied: [] });
  await change(url, ofANewerProgram);
  await expect(opened(url)).rejects.toThrow(newer);
  await expect(migrateLedger(url, {})).rejects.toThrow(newer);
});

describe.skipIf(serverUrl === '')('a PostgreSQL ledger', () => {
  test('is made and upgraded when somebody says so, and not before', async () => {
    const url = await emptyPostgres();
    await expect(opened(url)).rejects.toThrow(
      'Cannot use the ledger: it has no tables yet; run: greenlight ledger migrate',
    );
    const { ledgerId, applied } = await migrateLedger(url, {});
    expect(applied.length).toBeGreaterThan(1);
    expect(await opened(url)).toBe(ledgerId);

    const last = applied.at(-1) ?? '';
    await change(url, `delete from kysely_migration where name = '${last}'`);
    await expect(opened(url)).rejects.toThrow(
      `Cannot use the ledger: its tables are older than this program (without ${last}); run: greenlight ledger migrate`,
    );
  });

  test('of a newer program is refused', async () => {
    const url = await emptyPostgres();
    await migrateLedger(url, {});
    await change(url, ofANewerProgram);
    await expect(opened(url)).rejects.toThrow(newer);
  });

  test('that its user may not change says whose task it is', async () => {
    const url = await emptyPostgres();
    const role = `reader_${randomBytes(4).toString('hex')}`;
    await administer(`create role ${role} login`);
    onTestFinished(() => administer(`drop role ${role}`));
    const theirs = Object.assign(new URL(url), { username: role }).toString();
    await expect(migrateLedger(theirs, {})).rejects.toThrow(
      'Cannot migrate the ledger: permission denied for schema public; use a database user that may create tables',
    );
  });
});
