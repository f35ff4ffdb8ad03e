import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findHolders } from '../../../home/holders.js';
import { builtProgram } from '../build.js';
import { makeHome, threeBriefs } from '../home.js';

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
