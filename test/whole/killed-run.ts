import { expect } from 'vitest';
import { expectPromisesKept, makeHome, type Seen, threeBriefs } from './home.js';

export const moments = {
  'while the batch is priced': ({ state }: Seen) => state === 'preparing',
  'while rows are ordered': ({ rows }: Seen) => (rows.ordering ?? 0) > 0,
  'while movies are made': ({ rows }: Seen) => (rows.running ?? 0) > 0,
  'while files are saved': ({ rows }: Seen) => (rows.archiving ?? 0) + (rows.delivered ?? 0) > 0,
} as const;

/**
 * Kills `run` and all its children at the moment, then gives the same command again: each row is ordered once.
 *
 * @param options `withParts`: Temporal and the studio are killed too, as by a power cut.
 */
export async function killAndRunAgain(moment: keyof typeof moments, { withParts }: { readonly withParts: boolean }) {
  const home = await makeHome();
  const run = ['run', await home.sheet(threeBriefs), '--budget', '20USD', '--yes'];
  const first = home.start(run);
  await home.until(first, moments[moment]);
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
