import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listAudit } from '../../../ledger/access/audit.js';
import type { FreshSignIn } from '../../../web/guard/fresh-sign-in.js';
import { type Browser, openDesk, type TestDesk } from '../desk/desk.js';

const quarterMs = 15 * 60_000;
let desk: TestDesk;
let dana: Browser;
let batchId: string;

async function open(freshSignIn: FreshSignIn): Promise<void> {
  desk = await openDesk({ deps: { freshSignIn } });
  await desk.scene.fund('acme', 1_000_000);
  batchId = await desk.scene.seal(['one', 'two']);
  await desk.person('dana', 'finance');
  dana = await desk.browser('dana');
}
beforeEach(() => open({ withinMs: quarterMs, above: null }));
afterEach(() => desk.close());

const plan = () => `/batches/${batchId}/plan`;
const state = async () => (await desk.scene.batch(batchId)).state;

async function approve(browser: Browser): Promise<Response> {
  const digest = (await desk.scene.batch(batchId)).planDigest ?? '';
  return browser.send(`/batches/${batchId}/approve`, { digest, amount: '2.00' });
}

describe('a sign-in that is too old', () => {
  test('has no button, and its forged form approves nothing and is audited', async () => {
    desk.scene.nowMs += quarterMs;
    expect(await dana.text(plan())).toContain('Approve 2.00 USD'); // to the last millisecond
    desk.scene.nowMs += 1;
    const page = await dana.text(plan());
    expect(page).not.toContain(`${batchId}/approve`);
    expect(page).toContain(`href="/sign-in?again=yes&amp;to=${encodeURIComponent(plan())}"`);
    const answer = await approve(dana);
    expect([answer.status, await state()]).toEqual([403, 'waiting']);
    expect(await answer.text()).toContain('Sign in again to approve');
    const [last] = await listAudit(desk.deps.ledger, { object: batchId, limit: 1 });
    expect(last).toMatchObject({ act: 'approve_refused', actor: { name: 'dana' }, detail: { code: 'stale_sign_in' } });
  });

  test('still rejects, reads and stops a budget: only an approval spends', async () => {
    desk.scene.nowMs += quarterMs + 1;
    expect((await dana.send('/budgets/stop', { path: 'acme', reason: 'a review' })).status).toBe(303);
    expect((await dana.send(`/batches/${batchId}/reject`, { reason: 'too dear' })).status).toBe(303);
  });

  test('is made good by another one, which ends the old one', async () => {
    desk.scene.nowMs += quarterMs + 1;
    expect(await dana.text('/sign-in?again=yes&to=/budgets')).toContain('Sign in again');
    const again = await desk.browser('dana', dana);
    expect((await approve(again)).status).toBe(303);
    expect(await state()).toBe('making');
    expect((await dana.get('/')).status).toBe(303);
  });

  test('of whoever works alone is enough: this machine is theirs', async () => {
    const alone = await openDesk({ deps: { freshSignIn: { withinMs: quarterMs, above: null } } });
    await alone.scene.fund('acme', 1_000_000);
    const own = await alone.scene.seal(['one']);
    const browser = await alone.browser();
    alone.scene.nowMs += quarterMs * 4;
    expect(await browser.text(`/batches/${own}/plan`)).toContain('Approve 1.00 USD');
    await alone.close();
  });
});

describe('an amount up to which any sign-in will do', () => {
  test.each([
    ['200 is the amount itself', { amountMinor: 200, currency: 'USD' }, 303],
    ['199 is below it', { amountMinor: 199, currency: 'USD' }, 403],
    ['another currency is compared with nothing', { amountMinor: 1_000_000, currency: 'JPY' }, 403],
  ])('%s', async (_, above, status) => {
    await desk.close();
    await open({ withinMs: quarterMs, above });
    desk.scene.nowMs += quarterMs + 1;
    expect((await approve(dana)).status).toBe(status);
  });
});
