import { describe, test } from 'vitest';
import { killAndRunAgain, moments } from './killed-run.js';

const timeout = 5 * 60_000;
const all = Object.keys(moments) as (keyof typeof moments)[];

describe('kill -9 of run and all its children', () => {
  test.each(all)('%s: the same command goes on, with one create a row', { timeout }, (moment) =>
    killAndRunAgain(moment, { withParts: false }),
  );
  // What a power cut leaves: nothing runs any more, and every database was cut off.
  test.each(all.filter((moment) => moment !== 'while rows are ordered'))(
    '%s, Temporal and the studio with it: the same',
    { timeout },
    (moment) => killAndRunAgain(moment, { withParts: true }),
  );
});
