import { describe, expect, test } from 'vitest';
import type { FaultScript } from '../../studio/faults/script.js';
import { expectPromisesKept, makeHome } from './home.js';
import { serveMovies, serviceAt } from './service.js';

const minutes = 60_000;
const oneBrief = 'id,prompt,duration_seconds,aspect_ratio\nlighthouse,"A lighthouse at dusk, gulls above it",5,16:9\n';

type Rules = NonNullable<FaultScript['rules']>;
const answerLost: Rules[number] = { effect: 'reset_after', operation: 'createMovie', calls: 1 };
const repeatAnswered = (status: number, code: string): Rules[number] => ({
  ...{ effect: 'status', operation: 'createMovie', status, code },
  calls: { from: 2, to: 2 },
});

describe('the first order arrived and its answer was lost', () => {
  test.each([
    [401, 'unauthorized'],
    [422, 'unprocessable'],
  ])('the repeat is answered %i: unknown, the hold stays, exit 1', { timeout: 4 * minutes }, async (status, code) => {
    const { home, ended, books } = await order([answerLost, repeatAnswered(status, code)]);
    expect(ended.code, ended.stderr).toBe(1);
    const { db } = await home.ledger();
    const row = await db.selectFrom('rows').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ state: 'unknown', attempt: 1 });
    const batch = await db.selectFrom('batches').selectAll().executeTakeFirstOrThrow();
    expect(batch).toMatchObject({ state: 'unsettled', held_minor: row.amount_minor, posted_minor: 0 });
    expect(books.creates).toHaveLength(1);
    expect(books.requests.filter(({ operation }) => operation === 'createMovie')).toHaveLength(2);
    await expectPromisesKept(home, books);

    const again = await home.run(['unknown', 'list']);
    expect(again.stdout + again.stderr).toContain('lighthouse');
  });

  test.each<[string, Rules[number]]>([
    ['is answered 409', { ...repeatAnswered(409, 'conflict'), calls: { from: 2, to: 2 } }],
    ['does not arrive', { effect: 'reset_before', operation: 'createMovie', calls: { from: 2, to: 2 } }],
    ['is lost too', { effect: 'reset_after', operation: 'createMovie', calls: { from: 2, to: 3 } }],
  ])('the repeat %s: it is tried again, and there is one movie', { timeout: 4 * minutes }, async (_, rule) => {
    const { home, ended, books } = await order([answerLost, rule]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(books.creates).toHaveLength(1);
    const keys = books.requests
      .filter(({ operation }) => operation === 'createMovie')
      .map(({ idempotencyKey }) => idempotencyKey);
    expect(keys.length).toBeGreaterThan(2);
    expect(new Set(keys).size).toBe(1);
    await expectPromisesKept(home, books);
  });
});

async function order(rules: Rules) {
  const home = await makeHome();
  const service = await serveMovies({ faults: { rules } });
  const args = ['run', await home.sheet(oneBrief), '--budget', '20USD', '--yes'];
  const ended = await home.run(args, serviceAt(service.port));
  return { home, ended, books: service.studio.books() };
}
