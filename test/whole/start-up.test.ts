import { describe, expect, test } from 'vitest';
import { findHolders } from '../../home/holders.js';
import { makeHome } from './home.js';
import { leaveStart, ways } from './leave-start.js';

const minutes = 60_000;

describe('whoever leaves during the start', () => {
  test.each(ways)(
    'by %s: the same command goes on with one set of parts, and leaves none behind',
    {
      timeout: 5 * minutes,
    },
    (_, leave) => leaveStart(leave, 1),
  );

  test('by closing the terminal: its parts end with it', { timeout: 2 * minutes }, async () => {
    const home = await makeHome();
    const worker = home.start(['worker']);
    await home.until(worker, () => /^Working: /m.test(worker.stderr()));
    worker.signal('SIGHUP');
    worker.signal('SIGHUP');
    expect((await worker.ended).code).toBe(0);
    expect(findHolders(home.home)).toEqual([]);
  });
});
