import { clockCases } from '../ledger/database/clock.case.js';
import { sqliteDatabases } from '../ledger/databases.js';
import { marketsCases } from '../ledger/movie-reviews/markets.case.js';
import { suites } from '../ledger/suites.js';
import { processesCases } from '../ledger/whole/processes.case.js';

/** A false clock needs a worker of Vitest, markets ask by which index they were read, and processes load no mutant. */
const leftOut = [clockCases, marketsCases, processesCases];

/** The tests by which the mutants of the ledger are judged: its suites, on SQLite. */
export function collectLedgerSuites(): void {
  for (const cases of new Set([...suites.sqlite, ...suites.sqliteLong]))
    if (!leftOut.includes(cases)) cases(sqliteDatabases());
}
