import { describe, expect, test } from 'vitest';
import { expectPromisesKept, makeHome, type Seen, threeBriefs } from './home.js';

const minutes = 60_000;
const moments: readonly (readonly [string, (seen: Seen) => boolean])[] = [
  ['while the batch is priced', ({ state }) => state === 'preparing'],
  ['while rows are ordered', ({ rows }) => (rows.ordering ?? 0) > 0],
  ['while movies are made', ({ rows }) => (rows.running ?? 0) > 0],
  ['while files are saved', ({ rows }) => (rows.archiving ?? 0) + (rows.delivered ?? 0) > 0],
];

describe('kill -9 of run and all its children', () => {
  test.each(moments)('%s: the same command goes on, with one create a row', { timeout: 5 * minutes }, (_, isSo) =>
    killAndRunAgain(isSo, { withParts: false }),
  );
  // What a power cut leaves: nothing runs any more, and every database was cut off.
  test.each(moments)('%s, Temporal and the studio with it: the same', { timeout: 5 * minutes }, (_, isSo) =>
    killAndRunAgain(isSo, { withParts: true }),
  );
});

async function killAndRunAgain(isSo: (seen: Seen) => boolean, { withParts }: { readonly withParts: boolean }) {
  const home = await makeHome();
  const run = ['run', await home.sheet(threeBriefs), '--budget', '20USD', '--yes'];
  const first = home.start(run);
  await home.until(first, isSo);
  first.signal('SIGKILL');
  expect(await first.ended).toMatchObject({ signal: 'SIGKILL' });
  if (withParts) await home.killParts();

  const again = await home.json<{ batch: string; counts: Readonly<Record<string, number>> }>(run);
  expect(again).toMatchObject({ batch: 'sheet-1', counts: { delivered: 3 } });
  const books = await home.books();
  expect(books.creates).toHaveLength(3);
  expect(await home.aliveParts()).toEqual([]);
  await expectPromisesKept(home, books);
}
