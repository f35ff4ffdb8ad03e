import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { findHolders } from '../../../home/holders.js';
import { type Command, expectPromisesKept, type Home, makeHome, threeBriefs } from '../home.js';

/** How a start is left. */
export const ways: readonly (readonly [string, (command: Command) => void])[] = [
  ['kill -9', (command) => command.signal('SIGKILL')],
  [
    'Ctrl-C twice',
    (command) => {
      command.signal('SIGINT');
      setTimeout(() => command.signal('SIGINT'), 50);
    },
  ],
];

/** Leaves a start at so many moments of it; after each, the same command goes on with one set of parts. */
export async function leaveStart(leave: (command: Command) => void, moments: number): Promise<void> {
  const home = await makeHome();
  const startMs = await startAndStop(home);
  for (let moment = 0; moment < moments; moment += 1) {
    const command = home.start(['worker']);
    await sleep((startMs * (moment + 0.5)) / moments);
    leave(command);
    await command.ended;
    const left = namesOf(home); // looked at once: a part that has lost its owner may end at any time
    expect(left, `after moment ${moment}`).toEqual([...new Set(left)]);
    await startAndStop(home);
  }
  const run = ['run', await home.sheet(threeBriefs), '--budget', '20USD', '--yes'];
  const { counts } = await home.json<{ counts: unknown }>(run);
  expect(counts).toMatchObject({ delivered: 3 });
  expect(findHolders(home.home)).toEqual([]);
  await expectPromisesKept(home, await home.books());
}

/** @returns how long the start took. */
async function startAndStop(home: Home): Promise<number> {
  const startedAt = performance.now();
  const worker = home.start(['worker']);
  await home.until(worker, () => /^Working: /m.test(worker.stderr()));
  const tookMs = performance.now() - startedAt;
  expect(namesOf(home)).toEqual(['studio', 'temporal']);
  worker.signal('SIGTERM');
  const { code, stderr } = await worker.ended;
  expect(code, stderr).toBe(0);
  expect(findHolders(home.home)).toEqual([]);
  return tookMs;
}

function namesOf(home: Home): readonly string[] {
  return findHolders(home.home)
    .map(({ name }) => name)
    .sort();
}
