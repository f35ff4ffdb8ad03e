import { afterEach, beforeEach, expect, test } from 'vitest';
import { stopBudget } from '../../../ledger/money/budgets.js';
import { pauseBatch } from '../../../ledger/stops/stops.js';
import { fay, oli } from '../../ledger/scene.js';
import { type Browser, openDesk, type TestDesk } from '../desk/desk.js';

let desk: TestDesk;
let dana: Browser;
beforeEach(async () => {
  desk = await openDesk();
  await desk.scene.fund('acme', 10_000);
  await desk.person('dana', 'operator');
  await desk.person('lee', 'finance');
  dana = await desk.browser('dana');
});
afterEach(async () => {
  expect(desk.faults).toEqual([]);
  await desk.close();
});

const making = () => desk.scene.make(['a', 'b', 'c']);

async function stateOfA(state: 'unknown' | 'overdue'): Promise<string> {
  const batchId = await making();
  await desk.scene.order(batchId, 'a');
  await desk.deps.ledger.db
    .updateTable('rows')
    .set({ state, alarm: 'not seen for 5 h' })
    .where('row_key', '=', 'a')
    .execute();
  return batchId;
}

interface Situation {
  readonly kind: string;
  /** Since, until or by what, and who can act. */
  readonly words: RegExp;
  /** Where it is ended, beside the acts of the batch; null where it ends by itself. */
  readonly way: string | null;
  readonly arrange: () => Promise<string>;
}

const situations: readonly Situation[] = [
  {
    ...{ kind: 'approval', words: /Since .*, until .* left\), lee \(finance\) may act/, way: '/plan' },
    arrange: () => desk.scene.seal(['a', 'b']),
  },
  {
    ...{ kind: 'paused', words: /Since \d\d:\d\d.*you may act/, way: null },
    async arrange() {
      const batchId = await making();
      await pauseBatch(desk.deps.ledger, { batchId, actor: oli, reason: 'lunch', nowMs: desk.scene.nowMs });
      return batchId;
    },
  },
  {
    ...{ kind: 'budget', words: /Since \d\d:\d\d.*lee \(finance\) may act/, way: '/budgets' },
    async arrange() {
      const batchId = await making();
      await stopBudget(desk.deps.ledger, { path: 'acme', actor: fay, nowMs: desk.scene.nowMs });
      return batchId;
    },
  },
  {
    ...{ kind: 'in_flight', words: /Since \d\d:\d\d, continues as one finishes, you may act/, way: null },
    async arrange() {
      const batchId = await desk.scene.make(['a', 'b'], { settings: { maxInFlight: 1 } });
      await desk.scene.order(batchId, 'a');
      await desk.scene.admit(batchId, 'b');
      return batchId;
    },
  },
  { kind: 'unknown', words: /Lee \(finance\) may act/, way: '?state=unknown', arrange: () => stateOfA('unknown') },
  {
    ...{ kind: 'overdue', words: /[Ss]till asked about, lee \(finance\) may act/, way: '?state=overdue' },
    arrange: () => stateOfA('overdue'),
  },
  { kind: 'turn', words: /Ordered in turn/, way: null, arrange: making },
];

test.each(situations)('$kind: a batch says why its rows wait and leads to where that ends', async (situation) => {
  const { kind, words, way, arrange } = situation;
  const batchId = await arrange();
  const page = await dana.text(`/batches/${batchId}`);
  const [reason = ''] = page.match(new RegExp(`<li data-reason="${kind}">.*?</li>`, 's')) ?? [];
  expect(reason.replace(/<[^>]*>/g, '')).toMatch(words);
  const [, path] = /<a href="([^"]+)" class="b/.exec(reason) ?? [];
  expect(path).toBe(way === null ? undefined : way.startsWith('/budgets') ? way : `/batches/${batchId}${way}`);
  if (path !== undefined) expect((await dana.get(path)).status).toBe(200);
});

test('a row that waits within a limit says since when, in the words of a page', async () => {
  const batchId = await desk.scene.make(['a', 'b'], { settings: { maxInFlight: 1 } });
  await desk.scene.order(batchId, 'a');
  await desk.scene.admit(batchId, 'b');
  const since = /in-flight limit since \d\d:\d\d</i;
  expect(await dana.text(`/batches/${batchId}`)).toMatch(since);
  expect(await dana.text(`/batches/${batchId}/rows/b`)).toMatch(/In-flight limit since \d\d:\d\d\./);
});
