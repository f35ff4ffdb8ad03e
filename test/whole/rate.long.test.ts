import { expect, test } from 'vitest';
import { makeHome } from './home.js';
import { serveMovies, serviceAt } from './service.js';

const minutes = 60_000;

test('orders keep to the rate that is set, and all are made', { timeout: 4 * minutes }, async () => {
  const home = await makeHome();
  const service = await serveMovies({});
  const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => `${id},"A lighthouse at dusk, take ${id}",5,16:9`);
  const sheet = await home.sheet(`id,prompt,duration_seconds,aspect_ratio\n${rows.join('\n')}\n`);
  const env = { ...serviceAt(service.port), GREENLIGHT_ORDERS_PER_SECOND: '1' };
  const ended = await home.run(['run', sheet, '--budget', '20USD', '--yes'], env);
  expect(ended.code, ended.stderr).toBe(0);
  expect(service.studio.books().creates).toHaveLength(6);
  const { db } = await home.ledger();
  const sent = await db.selectFrom('sends').select('at_ms').orderBy('at_ms').execute();
  const [first, last] = [sent.at(0)?.at_ms ?? 0, sent.at(-1)?.at_ms ?? 0];
  // A second's worth may go at once; the five or four others wait their second each. Slowness only adds to that.
  expect(last - first).toBeGreaterThanOrEqual(3_500);
});
