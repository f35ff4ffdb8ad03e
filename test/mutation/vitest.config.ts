import { configDefaults, defineConfig } from 'vitest/config';

/** The tests by which mutants are judged: of the pure rules, and of the ledger on SQLite. */
export default defineConfig({
  test: {
    include: ['test/domain/**/*.test.ts', 'test/ledger/sqlite.test.ts'],
    exclude: [...configDefaults.exclude, 'test/**/*.long.test.ts'],
    testTimeout: 60_000,
  },
});
