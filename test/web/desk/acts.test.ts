import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listAudit } from '../../../ledger/access/audit.js';
import { type Browser, openDesk, type TestDesk } from './desk.js';

let desk: TestDesk;
let oli: Browser;
let batchId: string;
let renewed: number;

beforeEach(async () => {
  renewed = 0;
  const renewReports = async () => {
    renewed += 1;
  };
  desk = await openDesk({ deps: { renewReports } });
  await desk.scene.fund('acme', 1_000_000);
  batchId = await desk.scene.make(['hero-1', 'hero-2', 'card-1', 'card-2', 'loop-1']);
  await desk.person('oli', 'operator');
  await desk.person('fay', 'finance');
  await desk.person('dana', 'finance');
  oli = await desk.browser('oli');
});
afterEach(async () => {
  expect(desk.faults).toEqual([]);
  await desk.close();
});

/** The hidden fields of the page's own form, as a browser would send them. */
async function formOf(browser: Browser, path: string): Promise<Record<string, string>> {
  const main = /<main[\s\S]*<\/main>/.exec(await browser.text(path))?.[0] ?? '';
  const fields = [...main.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const own = fields.filter(([, name]) => name !== 'token'); // which is added by whoever sends it
  return Object.fromEntries(own.map(([, name, value]) => [name, value]));
}

const state = async (rowKey: string) => (await desk.scene.row(batchId, rowKey)).state;

describe('stops', () => {
  test('a pause is looked at, put, shown with who ends it, and ended', async () => {
    const at = `/batches/${batchId}`;
    expect(await oli.text(`${at}/pause`)).toContain('5 rows for 5.00 USD that are not ordered yet would wait');
    expect((await oli.send(`${at}/pause`, { reason: 'the logo was changed' })).status).toBe(303);
    const paused = await oli.text(at);
    expect(paused).toContain('the logo was changed');
    expect(paused).toContain(`greenlight resume ${batchId}`);
    expect(await oli.text(`${at}/pause`)).toContain('is paused already');
    expect((await oli.send(`${at}/resume`)).status).toBe(303);
    expect((await desk.scene.batch(batchId)).stops).toEqual([]);
  });
});

describe('a cancel', () => {
  const path = (query = '') => `/batches/${batchId}/cancel${query}`;

  test('of a batch does what its look said', async () => {
    await desk.scene.deliver(batchId, 'hero-1');
    await desk.scene.order(batchId, 'hero-2');
    const page = await oli.text(path());
    expect(page).toMatch(/not sent<\/th><td class="n">3<\/td><td class="n">3\.00/);
    expect(page).toMatch(/in progress<\/th><td class="n">1<\/td><td class="n">1\.00/);
    const form = await formOf(oli, path());
    expect((await oli.send(path(), { ...form, reason: 'enough' })).status).toBe(303);
    expect([await state('card-1'), await state('hero-1')]).toEqual(['canceled', 'delivered']);
    expect((await desk.scene.row(batchId, 'hero-2')).cancelRequested).toBe(true);
  });

  test('of what a filter shows leaves the others alone, and never means all by an empty one', async () => {
    const form = await formOf(oli, path('?id=hero'));
    expect((await oli.send(path(), { ...form, reason: 'enough' })).status).toBe(303);
    expect([await state('hero-1'), await state('hero-2'), await state('card-1')]).toEqual([
      'canceled',
      'canceled',
      'planned',
    ]);
    expect(await oli.text(path('?id=nothing'))).toContain('There is nothing left to cancel');
    const none = await formOf(oli, path('?id=nothing'));
    await oli.send(path(), { ...none, id: 'nothing', shown: '0-0-0-0-0-0', reason: 'enough' });
    expect(await state('card-1')).toBe('planned');
  });

  test('of one row is found by its row', async () => {
    const form = await formOf(oli, path('?row=loop-1'));
    await oli.send(path(), { ...form, reason: 'wrong text' });
    expect([await state('loop-1'), await state('card-1')]).toEqual(['canceled', 'planned']);
    expect(await oli.text(`/batches/${batchId}/rows/loop-1`)).toContain('wrong text');
  });

  test('of another picture than was looked at is shown first, and does nothing', async () => {
    const form = await formOf(oli, path());
    await desk.scene.order(batchId, 'hero-1');
    const answer = await oli.send(path(), { ...form, reason: 'enough' });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('this is its present state');
    expect(await state('card-1')).toBe('planned');
  });

  test('without a reason does nothing, and without the role is audited', async () => {
    const form = await formOf(oli, path());
    expect((await oli.send(path(), { ...form, reason: '  ' })).status).toBe(409);
    const fay = await desk.browser('fay');
    expect((await fay.send(path(), { ...form, reason: 'enough' })).status).toBe(403);
    expect(await state('card-1')).toBe('planned');
    expect((await listAudit(desk.deps.ledger, { object: batchId, limit: 1 }))[0]).toMatchObject({
      act: 'cancel_refused',
    });
  });
});

test('a retry is a batch of its own, of the rows that were looked at', async () => {
  await desk.scene.order(batchId, 'hero-1');
  await desk.scene.look(batchId, 'hero-1', 'failed', { error: { code: 'moderation', message: 'refused' } } as never);
  const path = `/batches/${batchId}/retry`;
  expect(await oli.text(path)).toContain('1.00 USD last time');
  expect((await oli.send(path, { shown: '2' })).status).toBe(409);
  const answer = await oli.send(path, await formOf(oli, path));
  expect(answer.headers.get('location')).toBe('/batches/spring-2');
  expect(await desk.scene.batch('spring-2')).toMatchObject({ submittedBy: 'oli', rowsInSheet: 1 });
  expect(await oli.text(`/batches/${batchId}/refetch`)).toContain('No row is lost');
});

describe('an order that nobody knows the outcome of', () => {
  const at = () => `/batches/${batchId}/rows/hero-1`;

  beforeEach(async () => {
    await desk.scene.admit(batchId, 'hero-1');
    await desk.deps.ledger.db.updateTable('rows').set({ state: 'unknown' }).where('row_key', '=', 'hero-1').execute();
  });

  test('takes two people who say the same', async () => {
    const [fay, dana] = [await desk.browser('fay'), await desk.browser('dana')];
    expect(await fay.text('/')).toContain(`Resolve unknown orders of ${batchId}`);
    expect((await fay.send(`${at()}/resolve`, { resolution: 'not_created', evidence: 'ticket 20917' })).status).toBe(
      303,
    );
    expect(await state('hero-1')).toBe('unknown');
    expect(await fay.text(at())).not.toContain('Do you agree with');
    const page = await dana.text(at());
    expect(page).toContain('Do you agree with fay?');
    expect(page).toContain('ticket 20917');
    expect((await dana.send(`${at()}/resolve`, { resolution: 'not_created', evidence: 'asked them too' })).status).toBe(
      303,
    );
    expect(await state('hero-1')).not.toBe('unknown');
    expect(renewed).toBe(2);
    expect((await desk.scene.batch(batchId)).money.held).toBe(0);
  });

  test('is not resolved without evidence, nor by who may not', async () => {
    const fay = await desk.browser('fay');
    expect((await fay.send(`${at()}/resolve`, { resolution: 'not_created', evidence: ' ' })).status).toBe(400);
    expect((await fay.send(`${at()}/resolve`, { resolution: 'created', movie: '' })).status).toBe(400);
    expect((await fay.send(`${at()}/resolve`, {})).status).toBe(400);
    expect(await oli.text(at())).toContain('Somebody with the role finance says so');
    expect((await oli.send(`${at()}/resolve`, { resolution: 'resend' })).status).toBe(403);
    expect(await state('hero-1')).toBe('unknown');
  });
});

test('a row shows its whole trail', async () => {
  await desk.scene.deliver(batchId, 'hero-1');
  const page = await oli.text(`/batches/${batchId}/rows/hero-1`);
  for (const words of [
    'A runner at dawn, take hero-1',
    'accepted as movie_',
    'Hold 1.00 USD',
    'Post 1.00 USD',
    '1 file saved',
    'ab'.repeat(32),
  ]) {
    expect(page).toContain(words);
  }
  expect((await oli.get(`/batches/${batchId}/rows/nobody`)).status).toBe(404);
});
