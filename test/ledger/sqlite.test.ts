import { batchCases } from './batch.case.js';
import { sqliteDatabases } from './databases.js';

for (const cases of [batchCases]) cases(sqliteDatabases());
