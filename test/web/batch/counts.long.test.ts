import { afterEach, expect, test } from 'vitest';
import { type RowState, rowStates } from '../../../domain/row-state.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { countsOf, rowStateWords, totalOf } from '../../../reports/wording/state-words.js';
import { rowsTabs, statesOf } from '../../../web/batch/rows-filter.js';
import { oli, type Scene } from '../../ledger/scene.js';
import { type Browser, openDesk, type TestDesk } from '../desk/desk.js';

const moments = 200;
let desk: TestDesk;
afterEach(async () => {
  expect(desk.faults).toEqual([]);
  await desk.close();
});

/** The same numbers each time: a failure can be looked at. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** One thing that happens to a row, as its state allows. */
async function happen(scene: Scene, batchId: string, { rowKey, state, draw }: Turn): Promise<void> {
  if (state === 'running') {
    const status = ['generating', 'completed', 'completed', 'completed', 'failed'][draw(5)] ?? 'generating';
    return scene.look(batchId, rowKey, status);
  }
  if (state === 'archiving') return scene.archive(batchId, rowKey);
  const what = draw(10);
  if (what === 0) {
    await requestCancel(scene.ledger, { batchId, rowKeys: [rowKey], actor: oli, reason: 'enough', nowMs: scene.nowMs });
    return;
  }
  const admission = await scene.admit(batchId, rowKey);
  if (admission.kind !== 'send' || what === 1) return; // what is on its way is there, too
  if (what === 2) await scene.answer(batchId, rowKey, refused);
  else if (what === 3) await scene.answer(batchId, rowKey, { kind: 'broken' });
  else await scene.answer(batchId, rowKey, { kind: 'movie', movieId: `movie_${rowKey}`, echo: 'matches' });
}

const refused = { kind: 'refused', status: 400, code: 'bad', message: 'no', retryAfterMs: null } as const;

interface Turn {
  readonly rowKey: string;
  readonly state: RowState;
  readonly draw: (below: number) => number;
}

async function statesIn({ ledger }: Scene, batchId: string): Promise<readonly { row_key: string; state: RowState }[]> {
  return ledger.db.selectFrom('rows').select(['row_key', 'state']).where('batch_id', '=', batchId).execute();
}

const number = (text = '') => Number(text.replaceAll(',', ''));

/** What the page of a batch says, by its words. */
async function pageOf(browser: Browser, batchId: string) {
  const html = await browser.text(`/batches/${batchId}`);
  const part = (name: string, end: string) => html.split(`data-part="${name}"`)[1]?.split(end)[0] ?? '';
  const tabs = [...part('tabs', '</nav>').matchAll(/<b>([^<]+)<\/b> ([\d,]+)/g)];
  const counts = [...part('movies', '</section>').matchAll(/([a-z ]+) <b>([\d,]+)<\/b>/g)];
  const marks = [...part('rows', '</table>').matchAll(/<span class="st [a-z]+"><svg.*?<\/svg>([^<]+)<\/span>/g)];
  const money = [...part('money', '</section>').matchAll(/([a-z ]+) <b>([\d,.]+)<\/b>/g)];
  const [, delivered, total] = /class="figure">\s*([\d,]+) <small>of ([\d,]+) delivered/.exec(html) ?? [];
  return {
    tabs: new Map(tabs.map(([, word = '', count]) => [word.toLowerCase().replace(' ', '-'), number(count)])),
    counts: new Map(counts.map(([, word = '', count]) => [word.trim(), number(count)])),
    marks: marks.map(([, word = '']) => word.toLowerCase()),
    money: money.map(([, , amount = '']) => Math.round(number(amount) * 100)),
    ...{ delivered: number(delivered), total: number(total) },
  };
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, one) => all + one, 0);

test(`counts on a page sum to the rows at each of ${moments} moments of a running batch`, async () => {
  desk = await openDesk();
  const { scene } = desk;
  await scene.fund('acme', 1_000_000);
  const old = ['old-1', 'old-2', 'old-3'];
  const first = await scene.make(old);
  for (const key of old) await scene.deliver(first, key);
  const keys = Array.from({ length: 75 }, (_, index) => `hero-${index}`);
  const batchId = await scene.make([...old, ...keys]);
  await desk.person('oli', 'operator');
  const browser = await desk.browser('oli');
  const draw = draws(18);
  const seen = new Set<RowState>();
  for (let moment = 0; moment < moments; moment += 1) {
    const open = (await statesIn(scene, batchId)).filter(({ state }) =>
      ['planned', 'blocked', 'running', 'archiving'].includes(state),
    );
    const turn = open[draw(open.length)];
    if (turn) await happen(scene, batchId, { rowKey: turn.row_key, state: turn.state, draw });
    scene.nowMs += 1_000;

    const rows = await statesIn(scene, batchId);
    for (const { state } of rows) seen.add(state);
    const inState = (states: readonly RowState[]) => rows.filter(({ state }) => states.includes(state)).length;
    const page = await pageOf(browser, batchId);
    const expectedMarks = rows.map(({ state }) => rowStateWords[state]);
    expect([...page.marks].sort(), `moment ${moment}`).toEqual([...expectedMarks].sort());
    for (const tab of rowsTabs) {
      const count = page.tabs.get(tab) ?? 0;
      expect([moment, tab, count]).toEqual([moment, tab, inState(statesOf(tab) ?? rowStates)]);
    }
    const sums = countsOf(Object.fromEntries(rowStates.map((state) => [state, inState([state])])));
    expect([moment, page.total, sum(page.counts.values())]).toEqual([moment, totalOf(sums), keys.length]);
    expect(page.delivered).toBe(page.counts.get('delivered') ?? 0);
    for (const [word, count] of page.counts) expect([word, count]).toEqual([word, sums[word as keyof typeof sums]]);
    expect([moment, sum(page.money)]).toEqual([moment, keys.length * 100]); // all of what was approved is somewhere
  }
  for (const state of ['running', 'archiving', 'delivered', 'failed', 'rejected', 'unknown', 'canceled'] as const) {
    expect(seen).toContain(state);
  }
});
