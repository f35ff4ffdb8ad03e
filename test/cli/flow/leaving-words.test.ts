import { expect, test } from 'vitest';
import { leavingWords } from '../../../cli/flow/leaving-words.js';

const end = 'The same command continues. Press Ctrl-C again to exit immediately.';
const making = { batchId: 'spring-1', state: 'making' } as const;

test.each([
  [{ ordering: 0 }, true, `Stopping: no new orders. ${end}`],
  [{ ordering: 1 }, false, `Stopping: no new orders. 1 request in flight, at most 10 s. ${end}`],
  [{ running: 1 }, false, `Stopping: no new orders. 1 movie continues at the service, already paid. ${end}`],
  [{ running: 5, archiving: 1 }, true, `Stopping: no new orders. 6 movies are kept by the studio. ${end}`],
  [
    { ordering: 2, running: 3 },
    false,
    `Stopping: no new orders. 2 requests in flight, at most 10 s. 3 movies continue at the service, already paid. ${end}`,
  ],
])('whoever leaves hears only of what there is: %j', (counts, atStudio, words) => {
  expect(leavingWords({ batch: making, counts, atStudio })).toBe(words);
});

test('before an approval nothing is ordered', () => {
  expect(leavingWords({ batch: { ...making, state: 'waiting' }, counts: { planned: 3 }, atStudio: false })).toBe(
    `Stopping: nothing of spring-1 is ordered yet. ${end}`,
  );
});
