import { clockCases } from '../ledger/database/clock.case.js';
import { sqliteDatabases } from '../ledger/databases.js';
import { marketsCases } from '../ledger/movie-reviews/markets.case.js';
import { suites } from '../ledger/suites.js';
import { processesCases } from '../ledger/whole/processes.case.js';

/** A false clock needs a worker of Vitest, markets ask by which index they were read, and processes load no mutant. */
const leftOut = [clockCases, marketsCases, processesCases];

/** With words (`invoices,spend`) only the suites whose function's name contains one of them. */
const chosenWords = (process.env.GREENLIGHT_MUTATION_SUITES ?? '').toLowerCase().split(',');

/** The tests by which the mutants of the ledger are judged: its suites, on SQLite. */
export function collectLedgerSuites(): void {
  const all = [...new Set([...suites.sqlite, ...suites.sqliteLong])].filter((cases) => !leftOut.includes(cases));
  const chosen = all.filter(({ name }) => chosenWords.some((word) => name.toLowerCase().includes(word)));
  if (chosen.length === 0) throw new Error(`no suite is named so: one of ${all.map(({ name }) => name).join(', ')}`);
  for (const cases of chosen) cases(sqliteDatabases());
}
