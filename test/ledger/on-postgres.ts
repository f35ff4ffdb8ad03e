import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresDatabases } from './databases.js';
import { rememberStatements, unexcusedScans } from './scans.js';
import { setTheScene } from './scene.js';
import { suites } from './suites.js';

const serverUrl = process.env.GREENLIGHT_TEST_POSTGRES_URL;

/** These suites on the server that the environment names, and at last the plans of what they asked. */
export function onPostgres(which: 'postgres' | 'postgresLong'): void {
  if (serverUrl) {
    const databases = postgresDatabases(serverUrl);
    let forget: () => void;
    beforeAll(() => {
      forget = rememberStatements();
    });
    afterAll(async () => {
      forget();
      await databases.remove();
    });
    for (const cases of suites[which]) cases(databases);

    // Last: it looks at what the others ran.
    test('whatever is read follows an index, or is listed with its reason (PostgreSQL)', async () => {
      const { ledger } = await databases.open({ solo: false });
      const scene = setTheScene(ledger);
      await scene.fund('acme', 10_000_000);
      await scene.make(Array.from({ length: 1_000 }, (_, index) => `r${index}`));
      await ledger.db.updateTable('rows').set({ state: 'delivered' }).where('position', '<', 900).execute();
      await sql`analyze`.execute(ledger.db);
      expect(await unexcusedScans(ledger)).toEqual([]);
      // As the server knows a batch that was otherwise a moment ago, until it looks again.
      for (const before of [{ open: 0 }, { slice: null }, { state: 'planned' }] as const) {
        await ledger.db.updateTable('rows').set(before).execute();
        await sql`analyze`.execute(ledger.db);
        expect(await unexcusedScans(ledger), JSON.stringify(before)).toEqual([]);
      }
    });
  } else {
    describe('the ledger on PostgreSQL', () => {
      test.skip('skipped: there is no PostgreSQL; test/with-postgres.sh starts one');
    });
  }
}
