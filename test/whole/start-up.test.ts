import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findHolders } from '../../home/holders.js';
import { builtProgram } from './build.js';
import { makeHome, threeBriefs } from './home.js';
import { leaveStart, ways } from './leave-start.js';

const minutes = 60_000;

test('plan starts the studio for its prices, and no Temporal; the studio ends with it', async () => {
  const home = await makeHome();
  const planned = await home.run(['plan', await home.sheet(threeBriefs)]);
  expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('total') });
  expect([existsSync(join(home.home, 'studio')), existsSync(join(home.home, 'temporal.db'))]).toEqual([true, false]);
  expect(findHolders(home.home)).toEqual([]);
});

test('packages of many small modules are one file each in the program as it is shipped', async () => {
  const dist = join(await builtProgram(), '..', '..');
  expect(readFileSync(join(dist, 'ledger', 'ledger.js'), 'utf8')).toContain("from '../packages/kysely.js'");
  expect(readFileSync(join(dist, 'home', 'settings.js'), 'utf8')).toContain("from '../packages/zod.js'");
});

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
