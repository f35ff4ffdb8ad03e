import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changedMiddle } from '../../../reports/wording/changed-middle.js';
import { brief, sam } from '../../ledger/scene.js';
import { type Browser, openDesk, type TestDesk } from '../desk/desk.js';

let desk: TestDesk;
let dana: Browser;
beforeEach(async () => {
  desk = await openDesk();
  await desk.scene.fund('acme', 1_000_000);
  await desk.person('dana', 'finance');
  dana = await desk.browser('dana');
});
afterEach(async () => {
  expect(desk.faults).toEqual([]);
  await desk.close();
});

const figures = (html: string) =>
  [...html.matchAll(/<dt>([^<]+)<\/dt><dd>([^<]*)<small>|<dt>([^<]+)<\/dt><dd>([^<]*)<\/dd>/g)].map((found) =>
    `${found[1] ?? found[3]} ${found[2] ?? found[4]}`.trim(),
  );

async function plans() {
  const { scene } = desk;
  const before = await scene.seal(['same', 'dearer', 'gone', 'other'], { actor: sam });
  await dana.send(`/batches/${before}/reject`, { reason: 'not yet' });
  const changed = { ...brief('other'), prompt: `${brief('other').prompt} in the rain` };
  const after = await scene.seal(['same', 'dearer', changed, 'fresh'], { actor: sam });
  const { db } = desk.deps.ledger;
  await db
    .updateTable('rows')
    .set({ amount_minor: 140 })
    .where('batch_id', '=', after)
    .where('row_key', '=', 'dearer')
    .execute();
  await db.deleteFrom('plan_figures').execute(); // kept at the price that it was sealed with
  return { before, after };
}

describe('a plan', () => {
  test('says what is another than in the plan before: contents and prices apart', async () => {
    const { before, after } = await plans();
    const html = await dana.text(`/batches/${after}/plan`);
    expect(html).toContain(`href="/batches/${before}/plan">${before}</a>`);
    expect(html).toContain('last plan, which was refused');
    expect(figures(html)).toEqual(
      expect.arrayContaining(['New rows + 1', 'Content changed ~ 1', 'Only the price changed 1', 'Removed − 1']),
    );
    expect(html).toContain('+ 0.40 USD in all');
    expect(html).toContain('dearer 1.00 → 1.40');
    expect(html).toMatch(/<b>other<\/b>[\s\S]*?<ins>in the rain<\/ins>/);
    expect(html).toMatch(/No more in the sheet<\/b>: <span class="soft">gone 1\.00/);
    expect(await dana.text(`/batches/${before}/plan`)).not.toContain('last plan'); // the first of its campaign
  });

  test('of more rows than a page compares at once is compared when somebody asks', async () => {
    const { after } = await plans();
    await desk.deps.ledger.db.updateTable('batches').set({ rows_in_sheet: 10_001 }).execute();
    const html = await dana.text(`/batches/${after}/plan`);
    expect(html).toContain('Compare all rows');
    expect(html).not.toContain('New rows');
    expect(await dana.text(`/batches/${after}/plan?difference=yes`)).toContain('New rows');
  });

  test('names its dearest rows and what it leaves out, with prices', async () => {
    const { after } = await plans();
    const html = await dana.text(`/batches/${after}/plan`);
    const dearest = html.slice(html.indexOf('id="dearest"'));
    const keys = [...dearest.matchAll(/rows\/(\w+)">/g)].map(([, key]) => key);
    expect(keys).toEqual(['dearer', 'same', 'other', 'fresh']);
    expect(html).toContain('4 of 4, together 4.40 USD');
    expect(html).not.toContain('Not ordered</h2>');
    const made = await desk.scene.make(['film'], { campaign: 'paid' });
    await desk.scene.deliver(made, 'film');
    const second = await desk.scene.seal(['film', 'new'], { campaign: 'paid' });
    const page = await dana.text(`/batches/${second}/plan`);
    expect(page).toMatch(/Not ordered<\/h2>[\s\S]*rows\/film">film<\/a>/);
    expect(page).toContain('1.00 USD</td>');
  });
});

test('two texts differ in their middle, by whole words', () => {
  expect(changedMiddle('a red shoe turns', 'a blue shoe turns')).toEqual({
    ...{ head: 'a', removed: 'red', added: 'blue', tail: 'shoe turns' },
  });
  expect(changedMiddle('a a', 'a a a')).toEqual({ head: 'a a', removed: '', added: 'a', tail: '' });
  expect(changedMiddle('', 'new')).toEqual({ head: '', removed: '', added: 'new', tail: '' });
});
