import { afterAll, describe, test } from 'vitest';
import { postgresDatabases } from './databases.js';
import { suites } from './suites.js';

const serverUrl = process.env.GREENLIGHT_TEST_POSTGRES_URL;

if (serverUrl) {
  const databases = postgresDatabases(serverUrl);
  afterAll(() => databases.remove());
  for (const cases of suites) cases(databases);
} else {
  describe('the ledger on PostgreSQL', () => {
    test.skip('skipped: there is no PostgreSQL; test/with-postgres.sh starts one');
  });
}
