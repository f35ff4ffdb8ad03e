import process from 'node:process';
import { configDefaults, defineConfig } from 'vitest/config';

const rules = ['test/domain/**/*.test.ts'];

/**
 * The tests by which mutants are judged: of the pure rules, and of the ledger on SQLite; GREENLIGHT_MUTATION=rules has
 * the first alone, which take seconds.
 */
export default defineConfig({
  test: {
    include: process.env.GREENLIGHT_MUTATION === 'rules' ? rules : [...rules, 'test/ledger/sqlite.test.ts'],
    exclude: [...configDefaults.exclude, 'test/**/*.long.test.ts'],
    testTimeout: 60_000,
  },
});
