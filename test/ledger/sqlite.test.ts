import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLedger } from '../../ledger/ledger.js';
import { sqliteDatabases } from './databases.js';
import { rememberStatements, unexcusedScans } from './scans.js';
import { suites } from './suites.js';

let forget: () => void;
beforeAll(() => {
  forget = rememberStatements();
});
afterAll(() => forget());

for (const cases of suites.sqlite) cases(sqliteDatabases());

// Last: it looks at what the others ran.
test('whatever is read follows an index, or is listed with its reason (SQLite)', async () => {
  const ledger = await openLedger({ url: 'sqlite::memory:' });
  try {
    expect(await unexcusedScans(ledger)).toEqual([]);
  } finally {
    await ledger.close();
  }
});
