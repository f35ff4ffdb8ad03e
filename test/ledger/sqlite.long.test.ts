import { sqliteDatabases } from './databases.js';
import { suites } from './suites.js';

for (const cases of suites.sqliteLong) cases(sqliteDatabases());
