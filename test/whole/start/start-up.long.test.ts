import { expect, test } from 'vitest';
import { findHolders } from '../../../home/holders.js';
import { makeHome } from '../home.js';
import { leaveStart, ways } from './leave-start.js';

const minutes = 60_000;
/** `npm run kills` has 40. */
const moments = process.env.GREENLIGHT_KILLS ? 40 : 16;

test.each(ways)(
  `whoever leaves by %s at any of ${moments} moments of the start goes on with one set of parts`,
  { timeout: moments * minutes },
  (_, leave) => leaveStart(leave, moments),
);

test('whoever closes the terminal ends its parts with it', { timeout: 2 * minutes }, async () => {
  const home = await makeHome();
  const worker = home.start(['worker']);
  await home.until(worker, () => /^Working: /m.test(worker.stderr()));
  worker.signal('SIGHUP');
  worker.signal('SIGHUP');
  expect((await worker.ended).code).toBe(0);
  expect(findHolders(home.home)).toEqual([]);
});
