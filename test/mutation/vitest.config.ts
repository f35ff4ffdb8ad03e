import { configDefaults, defineConfig } from 'vitest/config';

/** The tests by which mutants of the rules are judged: those of the rules, which take seconds. */
export default defineConfig({
  test: {
    include: ['test/domain/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/**/*.long.test.ts'],
    testTimeout: 60_000,
  },
});
