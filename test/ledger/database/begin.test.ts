import { Kysely, type PostgresPool } from 'kysely';
import { expect, it } from 'vitest';
import { askPostgresTime, postgresClock } from '../../../ledger/database/database-clock.js';
import { Outage } from '../../../ledger/database/outage.js';
import { createPostgresDialect } from '../../../ledger/database/postgres-dialect.js';
import type { Tables } from '../../../ledger/database/tables.js';

/** A server that knows what time it is, a millisecond later with each journey. */
function openServer() {
  const journeys: string[] = [];
  const client = {
    query: async (text: string) => ({ command: 'SELECT', rowCount: 1, rows: [{ ms: 1_000 + journeys.push(text) }] }),
    release: () => undefined,
  };
  const pool = { connect: async () => client, end: async () => undefined } as unknown as PostgresPool;
  const db = new Kysely<Tables>({ dialect: createPostgresDialect({ pool, outage: new Outage() }) });
  return { db, journeys };
}

it('brings the time with the begin of a transaction that asks for it first', async () => {
  const { db, journeys } = openServer();
  const { now, stop } = await postgresClock(db);
  journeys.length = 0;

  const times = await db.transaction().execute(async (tx) => [await now(tx), await now(tx)]);

  expect(journeys).toEqual([`begin; ${askPostgresTime}`, askPostgresTime, 'commit']);
  expect(times).toEqual([1_001, 1_002]); // the second one is asked for
  stop();
});

it('asks for the time where a transaction has done something before', async () => {
  const { db, journeys } = openServer();
  const { now, stop } = await postgresClock(db);
  journeys.length = 0;

  const ms = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('ledger').select('policy').execute(); // as one that has waited for a lock
    return now(tx);
  });

  expect(ms).toBe(1_003);
  expect(journeys).toEqual([
    `begin; ${askPostgresTime}`,
    expect.stringContaining('from "ledger"'),
    askPostgresTime,
    'commit',
  ]);
  stop();
});

it('does not take the time of a transaction for that of a later one, nor of a read outside', async () => {
  const { db } = openServer();
  const { now, stop } = await postgresClock(db);

  await db.transaction().execute(async () => undefined);
  const outside = await now();
  const later = await db.transaction().execute((tx) => now(tx));

  expect([outside, later]).toEqual([1_004, 1_005]); // measured, begun, ended; asked; begun again
  stop();
});
