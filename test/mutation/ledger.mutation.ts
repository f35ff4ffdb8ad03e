import { sqliteDatabases } from '../ledger/databases.js';
import { suites } from '../ledger/suites.js';
import { processesCases } from '../ledger/whole/processes.case.js';
import { propertiesCases } from '../ledger/whole/properties.case.js';

/** Start processes, or draw hundreds of cases: too slow for hundreds of mutants. */
const slow: readonly unknown[] = [processesCases, propertiesCases];

for (const cases of suites) if (!slow.includes(cases)) cases(sqliteDatabases());
