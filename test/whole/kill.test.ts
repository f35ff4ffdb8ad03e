import { test } from 'vitest';
import { killAndRunAgain } from './killed-run.js';

/** The one at which most is at stake; `kill.long.test.ts` has the others. */
test(
  'kill -9 of run and all its children while rows are ordered: the same command goes on, with one create a row',
  {
    timeout: 5 * 60_000,
  },
  () => killAndRunAgain('while rows are ordered', { withParts: true }),
);
