import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatMoney } from '../../../domain/money.js';
import { setBudget } from '../../../ledger/money/budgets.js';
import { reconcileInvoice } from '../../../ledger/money/invoices.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { fay, sam, studio } from '../../ledger/scene.js';
import { openDesk, type TestDesk } from '../desk/desk.js';

let desk: TestDesk;
beforeEach(async () => {
  desk = await openDesk();
  await desk.scene.fund('acme', 100_000);
  await desk.scene.fund('acme/spring', 500);
});
afterEach(async () => {
  expect(desk.faults).toEqual([]);
  await desk.close();
});

const at = (path: string) => `/budgets/level?path=${encodeURIComponent(path)}&rehearsal=yes`;

async function people(): Promise<void> {
  await desk.person('fay', 'finance');
  await desk.person('oli', 'operator');
  await desk.person('ole', 'submitter');
}

const limits = async () =>
  Object.fromEntries(
    (await desk.deps.ledger.db.selectFrom('budgets').selectAll().execute()).map((one) => [one.path, one.limit_minor]),
  );

describe('a budget', () => {
  test('shows what is spent, committed, held, unknown and free, to the cent', async () => {
    const { scene } = desk;
    const batchId = await scene.make(['a', 'b', 'c']);
    await scene.deliver(batchId, 'a');
    await scene.admit(batchId, 'b');
    await scene.answer(batchId, 'b', { kind: 'broken' });
    const { ledger } = desk.deps;
    await ledger.db.updateTable('rows').set({ state: 'unknown' }).where('row_key', '=', 'b').execute();
    const html = await (await desk.browser()).text(at('acme/spring'));
    const figures = [...html.matchAll(/<\/svg>([^<]+)<\/dt><dd>([\d.,-]+) ?(?:<small>([^<]*)<\/small>)?/g)];
    expect(figures.map(([, name, amount, note]) => [name, amount, note ?? '']).slice(0, 6)).toEqual([
      ['Spent', '1.00', ''],
      ['Committed, not spent', '2.00', ''],
      ['Held for orders now', '1.00', ''],
      ['Of it unknown', '1.00', '1 order'],
      ['Overrun', '0.00', ''],
      ['Room', '2.00', ''],
    ]);
    expect(html).toContain('2.00 USD are free');
    expect(html).toContain('3.00 approved, 1.00 USD spent'); // the words of the chart
    expect(html).toMatch(/Delivered<\/th><td class="n">1<\/td><td class="n">1.00 USD/);
  });

  test.each([
    ['JPY', 1_234_567],
    ['BHD', 1_234_567],
  ])('in %s has the amounts of the command line', async (currency, limitMinor) => {
    const { ledger, clock } = desk.deps;
    await setBudget(ledger, { path: 'zeta', rehearsal: true, limitMinor, currency, actor: fay, nowMs: clock() });
    const html = await (await desk.browser()).text(at('zeta'));
    expect(html).toContain(`${formatMoney({ amountMinor: limitMinor, currency })} are free`);
  });

  test('shows its holds by age with what ends them, and who set which limit', async () => {
    const { scene } = desk;
    const batchId = await scene.make(['a', 'b', 'c']);
    await scene.admit(batchId, 'a');
    await scene.answer(batchId, 'a', { kind: 'broken' });
    await desk.deps.ledger.db.updateTable('rows').set({ state: 'unknown' }).where('row_key', '=', 'a').execute();
    scene.nowMs += 11 * 60_000;
    await scene.admit(batchId, 'b');
    await scene.fund('acme/spring', 900);
    const html = await (await desk.browser()).text(at('acme/spring'));
    const holds = html.slice(html.indexOf('id="holds"'), html.indexOf('id="limits"'));
    const rows = [
      ...holds.matchAll(
        /<th scope="row">(?:<\/?[^>]+>)*([^<]*)<[\s\S]*?<td class="n">(\d+)<\/td><td class="n">([\d.]+)<\/td><td class="lo soft">([^<]*)/g,
      ),
    ];
    expect(rows.map((found) => found.slice(1))).toEqual([
      ['over 10 min', '1', '1.00', 'proof, or two people who say the same'],
      ['under a minute', '1', '1.00', 'the service’s answer'],
    ]);
    const limits = html.slice(html.indexOf('id="limits"'));
    expect([...limits.matchAll(/<td class="n">([^<]*)<\/td>/g)].map(([, cell]) => cell)).toEqual([
      ...['5.00', '9.00 USD'],
      ...['new', '5.00 USD'],
    ]);
    await people();
    const una = { ...sam, name: 'ole' };
    await scene.seal(['x'], { actor: una, campaign: 'oles' });
    expect(await (await desk.browser('ole')).text(at('acme/spring'))).not.toContain('id="limits"');
  });

  test('shows what batches were to cost, and what they were posted and invoiced at', async () => {
    const { scene, deps } = desk;
    const [done, open] = [await scene.make(['a', 'b']), await scene.make(['c'], { campaign: 'autumn' })];
    const movies: string[] = [];
    for (const key of ['a', 'b']) movies.push(await scene.deliver(done, key));
    await scene.order(open, 'c');
    await settleBatch(deps.ledger, { batchId: done, nowMs: scene.nowMs });
    const line = { idempotencyKey: null, currency: 'USD', description: null, invoice: null, row: 2 };
    const lines = movies.map((movieId, index) => ({ ...line, movieId, amountMinor: index === 0 ? 125 : 100 }));
    await reconcileInvoice(deps.ledger, { service: studio, name: 'november', lines, actor: fay, nowMs: scene.nowMs });
    const html = await (await desk.browser()).text(at('acme/spring'));
    const card = html.slice(html.indexOf('id="costs"'), html.indexOf('</section>', html.indexOf('id="costs"')));
    const figures = [...card.matchAll(/<a href="[^"]*">([^<]+)<\/a>.*?((?:<td class="n[^>]*>[^<]*<\/td>)+)/gs)];
    expect(
      figures.map(([, name, cells = '']) => [name, ...cells.split(/<[^>]+>/).filter((text) => text !== '')]),
    ).toEqual([
      ['autumn-1', '1.00', '1.00', 'not yet'],
      [done, '2.00', '2.00', '2.25'],
    ]);
  });

  test('names no batch and no row of campaigns that a submitter does not see', async () => {
    const { scene, deps } = desk;
    const others = await scene.make(['a', 'secret-row'], { campaign: 'others' });
    await scene.deliver(others, 'a');
    await scene.admit(others, 'secret-row');
    await scene.answer(others, 'secret-row', { kind: 'broken' });
    await deps.ledger.db.updateTable('rows').set({ state: 'unknown' }).where('row_key', '=', 'secret-row').execute();
    await people();
    const own = await scene.make(['mine'], { actor: { ...sam, name: 'ole' }, campaign: 'oles' });
    await scene.deliver(own, 'mine');
    const seen = async (name: string) => (await desk.browser(name)).text(at('acme/spring'));
    expect(await seen('oli')).toMatch(/secret-row<\/a> of[\s\S]*others-1|others-1[\s\S]*secret-row<\/a> of/);
    const html = await seen('ole');
    expect(html).toContain('id="holds"');
    expect(html).toContain(own);
    expect(html).not.toMatch(/secret-row|others-1/);
  });

  test('as CSV has a line for each day, which sum to what the level counts', async () => {
    const { scene } = desk;
    await scene.deliver(await scene.make(['a', 'b']), 'a');
    const answer = await (await desk.browser()).get(at('acme/spring').replace('/level', '/days.csv'));
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="budget-acme-spring.csv"');
    const day = new Date(scene.nowMs).toISOString().slice(0, 10);
    expect((await answer.text()).split('\r\n')).toEqual([
      'day_utc,approved,spent,currency',
      `${day},2.00,1.00,USD`,
      '',
    ]);
  });

  test('of others is not shown to a submitter', async () => {
    await people();
    const ole = await desk.browser('ole');
    expect((await ole.get(at('acme'))).status).toBe(403);
    expect(await ole.text('/budgets')).not.toContain('path=acme');
    expect((await (await desk.browser('oli')).get(at('nobody'))).status).toBe(404);
  });
});

describe('a limit', () => {
  const path = { path: 'acme/spring', rehearsal: 'yes' };
  const form = { ...path, limit: '2.50', before: '500' };

  test('is shown with what it changes before it is set', async () => {
    await people();
    await desk.scene.seal(['a', 'b', 'c'], { actor: sam });
    const browser = await desk.browser('fay');
    const html = await browser.text(`/budgets/limit?${new URLSearchParams({ ...path, limit: '2.50' })}`);
    expect(html).toContain('Room 5.00 USD → <b>2.50 USD</b>');
    expect(html).toMatch(/spring-1<\/a> for 3.00 USD could no longer be approved/);
    expect(await limits()).toMatchObject({ 'acme/spring': 500 });
    expect((await browser.send('/budgets/limit', form)).headers.get('location')).toBe(at('acme/spring'));
    expect(await limits()).toMatchObject({ 'acme/spring': 250, acme: 100_000 });
  });

  test('that somebody else changed meanwhile is not set', async () => {
    await people();
    const browser = await desk.browser('fay');
    await desk.scene.fund('acme/spring', 900);
    expect((await browser.send('/budgets/limit', form)).status).toBe(409);
    expect(await limits()).toMatchObject({ 'acme/spring': 900 });
  });

  test.each(['2.505', '-1', 'lots', ''])('of %s is explained, and not set', async (limit) => {
    const browser = await desk.browser();
    const html = await browser.text(`/budgets/limit?${new URLSearchParams({ ...path, limit })}`);
    expect(html).toContain('class="say bad"');
    expect((await browser.send('/budgets/limit', { ...form, limit })).status).toBe(409);
    expect(await limits()).toMatchObject({ 'acme/spring': 500 });
  });

  test('is for finance alone', async () => {
    await people();
    const browser = await desk.browser('oli');
    expect(await browser.text(at('acme/spring'))).not.toContain('Change limit');
    expect((await browser.get(`/budgets/limit?${new URLSearchParams({ ...path, limit: '2' })}`)).status).toBe(403);
    expect((await browser.send('/budgets/limit', form)).status).toBe(403);
    expect((await browser.send('/budgets/stop', path)).status).toBe(403);
    expect(await limits()).toMatchObject({ 'acme/spring': 500 });
  });
});

test('a stop says what it does, keeps orders back, and ends', async () => {
  const { scene } = desk;
  await people();
  const batchId = await scene.make(['a', 'b']);
  const browser = await desk.browser('fay');
  const html = await browser.text(at('acme').replace('/level', '/stop'));
  expect(html).toContain('From then on nothing more of 1 batch in progress is ordered');
  await browser.send('/budgets/stop', { path: 'acme', reason: 'quarter is over' });
  expect((await scene.admit(batchId, 'a')).kind).not.toBe('send');
  expect(await browser.text(at('acme'))).toContain('stopped since');
  await browser.send('/budgets/start', { path: 'acme' });
  expect((await scene.admit(batchId, 'a')).kind).toBe('send');
});

test('spending is summed by what is asked for, on the page and as CSV', async () => {
  const { scene } = desk;
  await people();
  await scene.deliver(await scene.make(['a'], { campaign: 'spring' }), 'a');
  await scene.deliver(await scene.make(['b'], { campaign: 'winter', actor: { ...sam, name: 'una' } }), 'b');
  const browser = await desk.browser('fay');
  expect(await browser.text('/spend?by=campaign')).toMatch(/spring[\s\S]*1\.00[\s\S]*winter[\s\S]*1\.00/);
  expect(await (await browser.get('/spend.csv?by=budget')).text()).toContain('acme/spring,2,2.00,0.00,0.00,2.00,USD');
  expect(await (await desk.browser('ole')).text('/spend')).toContain('No spending yet');
});
