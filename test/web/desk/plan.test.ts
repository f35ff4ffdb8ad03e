import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatMoney } from '../../../domain/money.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import { setBudget } from '../../../ledger/money/budgets.js';
import { readApprovalChecks } from '../../../operations/batch/approval-checks.js';
import { approve } from '../../../operations/decisions.js';
import { ada, fay } from '../../ledger/scene.js';
import { type Browser, openDesk, type TestDesk } from './desk.js';

let desk: TestDesk;
let dana: Browser;
let batchId: string;

beforeEach(async () => {
  desk = await openDesk();
  await desk.scene.fund('acme', 1_000_000);
  batchId = await desk.scene.seal(['one', 'two']);
  await desk.person('dana', 'finance', 'submitter');
  await desk.person('sam', 'submitter', 'finance');
  dana = await desk.browser('dana');
});
afterEach(() => desk.close());

const digest = async () => (await desk.scene.batch(batchId)).planDigest ?? '';
const send = async (browser: Browser, over: Record<string, string> = {}) =>
  browser.send(`/batches/${batchId}/approve`, { digest: await digest(), amount: '2.00', ...over });

describe('an approval', () => {
  test('by the typed amount commits the plan, once, and both tabs see it', async () => {
    const answers = await Promise.all([send(dana), send(dana, { amount: '2.00 USD' })]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const { decision, money, state } = await desk.scene.batch(batchId);
    expect([decision?.by, decision?.channel, money.approved, state]).toEqual(['dana', 'web', 200, 'making']);
    const approvals = (await listAudit(desk.deps.ledger, { object: batchId, limit: 50 })).filter(
      ({ act }) => act === 'approve',
    );
    expect(approvals).toHaveLength(1);
    expect(await dana.text(`/batches/${batchId}/plan`)).toContain('approved by dana');
  });

  test.each(['2.01', '200', '1,99', '', '2.00 EUR', '-2.00'])('with %s typed approves nothing', async (amount) => {
    const answer = await send(dana, { amount });
    expect([400, 409]).toContain(answer.status);
    const html = await answer.text();
    expect(html).toMatch(/role="alert".*Nothing was (approved|decided)/); // and the field to type it again
    expect(html).toContain('Type the amount');
    expect((await desk.scene.batch(batchId)).state).toBe('waiting');
  });

  test('of a plan that is not the one that was read is refused with what it is now', async () => {
    const answer = await send(dana, { digest: 'a'.repeat(64) });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain((await digest()).slice(0, 12));
    expect((await send(dana, { digest: '' })).status).toBe(409);
    expect((await desk.scene.batch(batchId)).state).toBe('waiting');
  });

  test('of a plan that was sealed again meanwhile is refused, and it is planned anew', async () => {
    await setPolicy(desk.deps.ledger, { change: { deadlineHours: 5 }, actor: ada, nowMs: desk.scene.nowMs });
    const answer = await send(dana);
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('the policy has changed');
    expect((await desk.scene.batch(batchId)).state).toBe('preparing');
  });

  test('of an own plan has no button; a forged one is refused and audited', async () => {
    const sam = await desk.browser('sam');
    const page = await sam.text(`/batches/${batchId}/plan`);
    expect(page).not.toContain(`${batchId}/approve`);
    expect(page).toContain('dana may');
    expect((await send(sam)).status).toBe(403);
    const audit = await listAudit(desk.deps.ledger, { object: batchId, limit: 5 });
    expect(audit[0]).toMatchObject({ act: 'approve_refused', actor: { name: 'sam', channel: 'web' } });
  });

  test('of who works alone is recorded as self-approved', async () => {
    const alone = await openDesk();
    await alone.scene.fund('acme', 1_000_000);
    const own = await alone.scene.seal(['one']);
    const browser = await alone.browser();
    expect(await browser.text(`/batches/${own}/plan`)).toContain('self-approved');
    const plan = (await alone.scene.batch(own)).planDigest ?? '';
    expect((await browser.send(`/batches/${own}/approve`, { digest: plan, amount: '1.00' })).status).toBe(303);
    expect((await alone.scene.batch(own)).decision).toMatchObject({ by: 'sam', channel: 'web', selfApproved: true });
    await alone.close();
  });

  test('says so where no worker could be told', async () => {
    const deps = {
      workflows: { ...desk.deps.workflows, startBatch: async () => false, nudgeBatch: async () => false },
    };
    const lonely = await openDesk({ deps: { ...deps, ledger: desk.deps.ledger } });
    const browser = lonely.stranger();
    const answer = await browser.send(
      `/batches/${batchId}/approve`,
      { digest: await digest(), amount: '2.00', token: await dana.token() },
      { cookie: dana.cookie },
    );
    expect(answer.headers.get('location')).toBe(`/batches/${batchId}?notified=no`);
    expect(await dana.text(`/batches/${batchId}?notified=no`)).toContain('Workers are not notified yet');
  });
});

test('a rejection needs a reason, and ends the plan', async () => {
  expect((await dana.send(`/batches/${batchId}/reject`, { reason: ' ' })).status).toBe(400);
  expect((await dana.send(`/batches/${batchId}/reject`, { reason: 'use the second budget' })).status).toBe(303);
  expect((await desk.scene.batch(batchId)).state).toBe('refused');
  expect(await dana.text(`/batches/${batchId}`)).toContain('use the second budget');
});

/** A batch that fails one check alone shows it, and is refused for it. */
describe('the checks of a plan are those of its approval:', () => {
  const ways = {
    four_eyes: async () => {
      batchId = await desk.scene.seal(['three'], {
        actor: { ...fay, name: 'dana', roles: ['submitter'] },
        campaign: 'own',
      });
    },
    deadline: async () => {
      await desk.deps.ledger.db.updateTable('batches').set({ expires_ms: desk.scene.nowMs }).execute();
    },
    policy: async () => {
      await setPolicy(desk.deps.ledger, { change: { deadlineHours: 5 }, actor: ada, nowMs: desk.scene.nowMs });
    },
    classes: async () => {
      const other = await desk.scene.seal(['one'], { settings: { allowDuplicates: true } });
      await approve(desk.deps, { batchId: other, actor: fay });
    },
    estimates: async () => {
      await desk.deps.ledger.db
        .updateTable('rows')
        .set({ estimated_ms: desk.scene.nowMs - 25 * 3_600_000 })
        .execute();
    },
    budget: async () => {
      const limit = { path: 'acme', rehearsal: true, limitMinor: 199, currency: 'USD' };
      await setBudget(desk.deps.ledger, { ...limit, actor: fay, nowMs: desk.scene.nowMs });
    },
  } as const;

  test('all pass for a plan that is sound', async () => {
    const look = { batchId, actor: { ...fay, name: 'dana' } };
    expect(Object.values((await readApprovalChecks(desk.deps, look)) ?? {})).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
    expect((await send(dana)).status).toBe(303);
  });

  test.each(Object.entries(ways))('%s', async (name, spoil) => {
    await spoil();
    const look = { batchId, actor: { ...fay, name: 'dana' } };
    const checks = await readApprovalChecks(desk.deps, look);
    const failed = Object.entries(checks ?? {}).filter(([, refusal]) => refusal !== null);
    expect(failed.map(([check]) => check)).toEqual([name]);
    const page = await dana.text(`/batches/${batchId}/plan`);
    expect(page).toContain(`<li data-check="${name}"><svg class="i bad"`);
    expect(page).not.toContain(`${batchId}/approve`);
    const { totalMinor } = await desk.scene.batch(batchId);
    const amount = formatMoney({ amountMinor: totalMinor ?? 0, currency: 'USD' });
    const answer = await send(dana, { amount });
    expect([403, 409]).toContain(answer.status);
    expect(['making', 'closed']).not.toContain((await desk.scene.batch(batchId)).state);
  });
});
