import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { findHolders } from '../../home/holders.js';
import { type Command, expectPromisesKept, type Home, makeHome, threeBriefs } from './home.js';

const minutes = 60_000;
/** Moments of the start at which it is left; `GREENLIGHT_SWEEP=40` for the whole sweep. */
const moments = Number(process.env.GREENLIGHT_SWEEP ?? 3);

const ways: readonly (readonly [string, (command: Command) => void])[] = [
  ['kill -9', (command) => command.signal('SIGKILL')],
  [
    'Ctrl-C twice',
    (command) => {
      command.signal('SIGINT');
      setTimeout(() => command.signal('SIGINT'), 50);
    },
  ],
];

describe('whoever leaves during the start', () => {
  test.each(ways)(
    'by %s: the same command goes on with one set of parts, and leaves none behind',
    {
      timeout: (2 + moments) * minutes,
    },
    async (_, leave) => {
      const home = await makeHome();
      const startMs = await startAndStop(home);
      for (let moment = 0; moment < moments; moment += 1) {
        const command = home.start(['worker']);
        await sleep((startMs * (moment + 0.5)) / moments);
        leave(command);
        await command.ended;
        expect(namesOf(home), `after moment ${moment}`).toEqual([...new Set(namesOf(home))]);
        await startAndStop(home);
      }
      const { counts } = await home.json<{ counts: unknown }>([
        'run',
        await home.sheet(threeBriefs),
        ...['--budget', '20USD', '--yes'],
      ]);
      expect(counts).toMatchObject({ delivered: 3 });
      expect(findHolders(home.home)).toEqual([]);
      await expectPromisesKept(home, await home.books());
    },
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
