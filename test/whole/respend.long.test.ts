import { expect, test } from 'vitest';
import { expectPromisesKept, makeHome, threeBriefs } from './home.js';

const minutes = 60_000;

interface Ran {
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly money: Readonly<Record<string, number>>;
}

test('a row whose prompt was edited is made again only when that is asked for', { timeout: 5 * minutes }, async () => {
  const home = await makeHome();
  const run = ['run', await home.sheet(threeBriefs), '--yes'];
  expect(await home.json<Ran>([...run, '--budget', '20USD'])).toMatchObject({ counts: { delivered: 3 } });
  const before = await home.books();

  await home.sheet(threeBriefs.replace('A lighthouse at dusk', 'A lighthouse at dawn'));
  const refused = await home.run(run);
  expect(refused.code, refused.stderr).toBe(1);
  expect(refused.stdout + refused.stderr).toMatch(/respend +1 .*prompt 1/);
  expect(refused.stdout + refused.stderr).toContain('--respend');
  expect((await home.books()).creates).toEqual(before.creates);

  const made = await home.json<Ran>([...run, '--respend']);
  expect(made).toMatchObject({ status: 'closed', counts: { delivered: 1, unchanged: 2 } });
  const books = await home.books();
  expect(books.creates).toHaveLength(4);
  expect(made.money).toMatchObject({
    estimated: books.creates[3]?.amountMinor,
    posted: books.creates[3]?.amountMinor,
  });
  await expectPromisesKept(home, books);
});
