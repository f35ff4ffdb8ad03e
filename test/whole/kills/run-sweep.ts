import process from 'node:process';
import { expect } from 'vitest';
import { makeHome } from '../home.js';
import { expectMade, rowCount, sheet, sweep } from './sweep.js';

/** Who dies: the command with all its children, the command alone (its worker), its parts, or one of them. */
const victims = ['group', 'group and parts', 'worker', 'temporal', 'studio', 'parts'] as const;

/**
 * One sheet, killed again and again at points that a seed chooses while `run` makes it: the same command goes on.
 *
 * @param most kills; a sheet that is made before them is done.
 * @returns whom it killed.
 */
export async function killRunUntilMade(seed: number, most: number): Promise<readonly string[]> {
  const home = await makeHome();
  const run = ['run', await home.sheet(sheet), '--budget', '500USD', '--yes'];
  const { killed, command } = await sweep(
    {
      victims,
      start: () => home.start(run),
      until: home.until,
      async kill({ pid, signal }, victim) {
        if (victim === 'worker') process.kill(pid, 'SIGKILL');
        if (victim === 'group' || victim === 'group and parts') signal('SIGKILL');
        if (victim === 'group and parts' || victim === 'parts') await home.killParts();
        if (victim === 'temporal' || victim === 'studio') await home.killPart(victim);
      },
    },
    { seed, most },
  );
  await command.ended;
  // Once all is made, the same sheet is the next batch, in which nothing is to be ordered.
  const { counts } = await home.json<{ counts: Readonly<Record<string, number>> }>(run);
  expect([{ delivered: rowCount }, { unchanged: rowCount }]).toContainEqual(counts);
  await expectMade(home, { ledger: await home.ledger(), books: await home.books() });
  return killed;
}
