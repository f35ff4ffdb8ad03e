import { describe, expect, test } from 'vitest';
import { example, expectPromisesKept, makeHome } from './home.js';

const minutes = 60_000;

describe('a plan without money', () => {
  test(
    'larger than its budget: nothing is ordered, and level and figures are named',
    { timeout: 4 * minutes },
    async () => {
      const home = await makeHome();
      const ended = await home.run(['run', example, '--budget', '1USD', '--yes']);
      expect(ended.code, ended.stderr).toBe(3);
      expect(ended.stderr).toMatch(/budget spring-launch has 1\.00 USD, the plan needs 8\.50 USD/);
      const books = await home.books();
      expect(books.creates).toEqual([]);
      await expectPromisesKept(home, books);
      expect(await home.aliveParts()).toEqual([]);
    },
  );

  test('without any budget: nothing is ordered, and the path is named', { timeout: 4 * minutes }, async () => {
    const home = await makeHome();
    const ended = await home.run(['run', example, '--yes']);
    expect(ended.code, ended.stderr).toBe(3);
    expect(ended.stderr).toMatch(/no budget is defined on the path spring-launch/);
    expect((await home.books()).creates).toEqual([]);
    expect(await home.aliveParts()).toEqual([]);
  });
});
