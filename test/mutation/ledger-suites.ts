import { clockCases } from '../ledger/database/clock.case.js';
import { sqliteDatabases } from '../ledger/databases.js';
import { marketsCases } from '../ledger/movie-reviews/markets.case.js';
import { suites } from '../ledger/suites.js';

/** The one needs a worker of Vitest for its false clock, the other asks by which index it was read; no money in either. */
const leftOut = [clockCases, marketsCases];

/** The tests by which the mutants of the ledger are judged: its suites, on SQLite. */
export function collectLedgerSuites(): void {
  for (const cases of suites.sqlite) if (!leftOut.includes(cases)) cases(sqliteDatabases());
}
