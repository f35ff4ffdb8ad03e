import { expect, test } from 'vitest';
import type { Policy } from '../../../domain/policy.js';
import type { Actor } from '../../../domain/roles.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import type { Ledger } from '../../../ledger/ledger.js';
import { showBudget } from '../../../ledger/money/budgets.js';
import { listEntries } from '../../../ledger/money/entries.js';
import { approveBatch, expireBatch, gateState, rejectBatch } from '../../../ledger/plan/decisions.js';
import { sealBatch } from '../../../ledger/plan/seal.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { beforeCommit, beginsMeanwhile } from '../meanwhile.js';
import { ada, fay, oli, type Scene, sam } from '../scene.js';
import { suite } from '../suite.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const samInFinance: Actor = { name: 'sam', roles: ['submitter', 'finance', 'admin'], channel: 'terminal' };

function approve(scene: Scene, batchId: string, over: Partial<Parameters<typeof approveBatch>[1]> = {}) {
  return approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs, ...over });
}

function approval({ nowMs }: Scene, batchId: string) {
  return (other: Ledger) => approveBatch(other, { batchId, actor: fay, nowMs });
}

export function decisionsCases(databases: Databases): void {
  suite('decisions', databases, (stage) => {
    test('an approval commits the total at every level and starts the making', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a', 'b']);
      expect(await gateState(scene.ledger, { batchId })).toMatchObject({ state: 'waiting' });
      expect(await approve(scene, batchId)).toEqual({
        ...{ kind: 'approved', by: 'fay', channel: 'terminal', atMs: scene.nowMs, reason: null, selfApproved: false },
      });
      expect(await gateState(scene.ledger, { batchId })).toEqual({ state: 'approved' });
      for (const path of ['acme', 'acme/spring']) {
        expect(await showBudget(scene.ledger, { path: path, rehearsal: true })).toMatchObject({
          committedMinor: 200,
          spentMinor: 0,
        });
      }
      expect((await scene.batch(batchId)).money).toMatchObject({ estimated: 200, approved: 200, held: 0, posted: 0 });
    });

    test('fifty approvals at once are one approval', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a', 'b']);
      const decisions = await Promise.all(Array.from({ length: 50 }, () => approve(scene, batchId)));
      expect(new Set(decisions.map((decision) => JSON.stringify(decision))).size).toBe(1);
      const commits = await listEntries(scene.ledger, { batchId, limit: 10 });
      expect(commits.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([['commit', 200]]);
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({ committedMinor: 200 });
    });

    test('is bound to its plan: another digest, another amount, or one letter too few is refused', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a', 'b']);
      const { planDigest } = await scene.batch(batchId);
      const digest = planDigest ?? '';
      for (const other of ['ab'.repeat(32), digest.slice(0, 7)]) {
        await expect(approve(scene, batchId, { digest: other })).rejects.toMatchObject({
          code: 'other_plan',
          message:
            `Cannot approve ${batchId}: the plan is now ${digest.slice(0, 12)} for 2.00 USD, ` +
            `not ${other}; review it again`,
        });
      }
      await expect(approve(scene, batchId, { typedAmountMinor: 20 })).rejects.toMatchObject({
        ...{ code: 'other_plan', message: `Cannot approve ${batchId}: the plan costs 2.00 USD, not 0.20 USD` },
      });
      expect(await approve(scene, batchId, { digest: digest.slice(0, 8), typedAmountMinor: 200 })).toMatchObject({
        kind: 'approved',
      });
    });

    test('the submitter does not approve, whatever other roles they have, and the try is audited', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a'], { actor: samInFinance });
      const message = expect.stringMatching(`^Cannot approve ${batchId}: you submitted it yourself; `);
      const approval = approve(scene, batchId, { actor: samInFinance });
      await expect(approval).rejects.toMatchObject({ code: 'not_allowed', message });
      expect((await scene.batch(batchId)).state).toBe('waiting');
      const [refusal] = await listAudit(scene.ledger, { object: batchId, limit: 1 });
      expect(refusal).toMatchObject({
        ...{ act: 'approve_refused', actor: { name: 'sam', channel: 'terminal' } },
        detail: { code: 'not_allowed' },
      });
    });

    test.each([[sam], [oli], [ada]])('%o has not the role', async (actor) => {
      const { scene } = stage;
      const batchId = await scene.seal(['a'], { actor: { ...sam, name: 'someone' } });
      await expect(approve(scene, batchId, { actor })).rejects.toMatchObject({ code: 'not_allowed' });
      const reject = { batchId, actor, reason: 'no', nowMs: scene.nowMs };
      await expect(rejectBatch(scene.ledger, reject)).rejects.toMatchObject({ code: 'not_allowed' });
    });

    test('a rejection is final', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a']);
      const rejection = { batchId, actor: fay, reason: 'too dear', nowMs: scene.nowMs };
      expect(await rejectBatch(scene.ledger, rejection)).toMatchObject({ kind: 'rejected', reason: 'too dear' });
      expect(await rejectBatch(scene.ledger, { ...rejection, reason: 'again' })).toMatchObject({ reason: 'too dear' });
      expect(await gateState(scene.ledger, { batchId })).toEqual({ state: 'rejected' });
      await expect(approve(scene, batchId)).rejects.toMatchObject({
        ...{ code: 'wrong_state', message: `Cannot approve ${batchId}: it is refused (rejected by fay: too dear)` },
      });
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({ committedMinor: 0 });
    });

    test('what is in the making cannot be rejected', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const rejection = { batchId, actor: fay, reason: 'late', nowMs: scene.nowMs };
      await expect(rejectBatch(scene.ledger, rejection)).rejects.toMatchObject({
        ...{ code: 'wrong_state', message: `Cannot reject ${batchId}: it is making` },
      });
    });

    test('the time to decide ends after a week', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a']);
      scene.nowMs += 7 * dayMs - 1;
      await expireBatch(scene.ledger, { batchId });
      expect(await gateState(scene.ledger, { batchId })).toMatchObject({ state: 'waiting' });
      scene.nowMs += 1;
      const said = `Cannot approve ${batchId}: the approval deadline has passed; submit again`;
      await expect(approve(scene, batchId)).rejects.toMatchObject({ code: 'wrong_state', message: said });
      expect(await gateState(scene.ledger, { batchId })).toEqual({ state: 'expired' });
      const acts = await listAudit(scene.ledger, { object: batchId, limit: 10 });
      expect(acts.filter(({ act }) => act === 'expire')).toMatchObject([
        { actor: { name: 'greenlight', channel: 'system' }, atMs: scene.nowMs },
      ]);
    });

    test('what was decided in time does not expire afterwards', async () => {
      const { scene } = stage;
      const approved = await scene.make(['a']);
      const rejected = await scene.seal(['b'], { campaign: 'winter' });
      await rejectBatch(scene.ledger, { batchId: rejected, actor: fay, reason: 'no', nowMs: scene.nowMs });
      scene.nowMs += 8 * dayMs;
      for (const batchId of [approved, rejected]) await expireBatch(scene.ledger, { batchId });
      expect(await gateState(scene.ledger, { batchId: approved })).toEqual({ state: 'approved' });
      expect(await gateState(scene.ledger, { batchId: rejected })).toEqual({ state: 'rejected' });
      expect(await scene.admit(approved, 'a')).toMatchObject({ kind: 'send' });
    });

    test('an approved plan stays approved while a row of it is unknown', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'broken' });
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'unsettled' });
      expect(await gateState(scene.ledger, { batchId })).toEqual({ state: 'approved' });
    });

    test('the gate itself expires a plan that nobody decided on', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a']);
      scene.nowMs += 7 * dayMs;
      expect(await gateState(scene.ledger, { batchId })).toEqual({ state: 'expired' });
      await expect(approve(scene, batchId)).rejects.toMatchObject({
        ...{ code: 'wrong_state', message: `Cannot approve ${batchId}: it is expired (no one decided in time)` },
      });
    });

    test('no room at one level refuses, names it and its figures, and commits nowhere', async () => {
      const { scene } = stage;
      await scene.fund('acme/spring', 150);
      const batchId = await scene.seal(['a', 'b']);
      await expect(approve(scene, batchId)).rejects.toMatchObject({
        code: 'no_room',
        message: expect.stringMatching(/acme\/spring.*1\.50 USD.*2\.00 USD/),
      });
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({ committedMinor: 0 });
      expect((await scene.batch(batchId)).state).toBe('waiting');
      await scene.fund('acme/spring', 200);
      expect(await approve(scene, batchId)).toMatchObject({ kind: 'approved' });
    });

    test('two plans are not approved against the same money', async () => {
      const { scene } = stage;
      await scene.fund('acme', 350);
      const one = await scene.seal(['a', 'b']);
      const other = await scene.seal(['c', 'd'], { campaign: 'winter' });
      const outcomes = await Promise.allSettled([approve(scene, one), approve(scene, other)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({ committedMinor: 200 });
    });

    test.each(['acme', 'acme/spring'])(
      'an approval waits for whoever changes %s, and goes by what they leave',
      async (path) => {
        stage.leavesFaults('budget_changed'); // by nobody who kept a record of it
        const { scene } = stage;
        const batchId = await scene.seal(['a']);
        const outcome = await beginsMeanwhile(stage, approval(scene, batchId), (begin) =>
          scene.ledger.write(async (tx) => {
            await tx.updateTable('budgets').set({ limit_minor: 99 }).where('path', '=', path).execute();
            await begin();
          }),
        );
        expect(outcome).toMatchObject({ code: 'no_room' });
        expect(await scene.batch(batchId)).toMatchObject({ state: 'waiting', money: { approved: 0 } });
      },
    );

    test('an approval that meets a change of the policy does not go by the rules of before', async () => {
      const { scene } = stage;
      const { ledger } = scene;
      const batchId = await scene.seal(['a']);
      const outcome = await beginsMeanwhile(stage, approval(scene, batchId), (begin) => {
        const change = { billing: { failed: 'refunded', canceled: 'charged' } } as const;
        return setPolicy(beforeCommit(ledger, begin), { change, actor: ada, nowMs: scene.nowMs });
      });
      expect(outcome).toMatchObject({ code: 'stale_plan' });
      expect(await scene.batch(batchId)).toMatchObject({ decision: null, money: { approved: 0 } });
    });

    test('a change of the policy makes a sealed plan stale, and says what changed and by whom', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a']);
      const first = await scene.batch(batchId);
      const change = (over: Partial<Policy>) =>
        setPolicy(scene.ledger, { change: over, actor: ada, nowMs: scene.nowMs });
      await change({ approvalDays: 3 });
      await change({ billing: { failed: 'refunded', canceled: 'charged' } });
      await change({ approvalDays: 7 });
      await expect(approve(scene, batchId, { digest: first.planDigest ?? '' })).rejects.toMatchObject({
        code: 'stale_plan',
        message:
          `Cannot approve ${batchId}: its plan is stale: the policy has changed: billing-failed charged is now ` +
          'refunded (by ada); it is being planned again, review it afterwards',
      });
      expect(await scene.batch(batchId)).toMatchObject({ state: 'preparing', money: { approved: 0 } });
      await expect(approve(scene, batchId)).rejects.toMatchObject({
        ...{ code: 'wrong_state', message: `Cannot approve ${batchId}: it is preparing; wait until it is priced` },
      });
      await sealBatch(scene.ledger, { batchId });
      const second = await scene.batch(batchId);
      expect(second).toMatchObject({ state: 'waiting', policyVersion: 4 });
      expect(second.planDigest).not.toBe(first.planDigest);
      await expect(approve(scene, batchId, { digest: first.planDigest ?? '' })).rejects.toMatchObject({
        code: 'other_plan',
      });
      expect(await approve(scene, batchId, { digest: second.planDigest ?? '' })).toMatchObject({ kind: 'approved' });
    });

    test('a change of the policy and an approval at once: no plan is approved under rules that it was not sealed under', async () => {
      const { scene } = stage;
      const keys = Array.from({ length: 8 }, (_, index) => `row-${index}`);
      const sealed: string[] = [];
      for (const key of keys) sealed.push(await scene.seal([key], { campaign: key }));
      await Promise.allSettled([
        ...sealed.slice(0, 4).map((batchId) => approve(scene, batchId)),
        setPolicy(scene.ledger, { change: { approvalDays: 3 }, actor: ada, nowMs: scene.nowMs }),
        ...sealed.slice(4).map((batchId) => approve(scene, batchId)),
      ]);
      const records = await listAudit(scene.ledger, { limit: 1_000 });
      const changed = records.find(({ act }) => act === 'policy')?.seq ?? 0;
      expect(changed).toBeGreaterThan(0);
      expect(records.filter(({ act, seq }) => act === 'approve' && seq > changed)).toEqual([]);
    });

    test('history that overtakes a plan makes it stale: it is planned again and asks for another decision', async () => {
      const { scene } = stage;
      const first = await scene.seal(['a', 'b']);
      const second = await scene.seal(['a', 'c']);
      const { planDigest } = await scene.batch(second);
      await approve(scene, first);
      await expect(approve(scene, second)).rejects.toMatchObject({
        ...{ code: 'stale_plan', message: expect.stringContaining('a was new, is open') },
      });
      expect(await gateState(scene.ledger, { batchId: second })).toEqual({ state: 'stale' });
      await scene.price(second);
      await sealBatch(scene.ledger, { batchId: second });
      const again = await scene.batch(second);
      expect(again).toMatchObject({ state: 'waiting', totalMinor: 100, rowsToOrder: 1 });
      expect(again.planDigest).not.toBe(planDigest);
      expect(await approve(scene, second)).toMatchObject({ kind: 'approved' });
      expect(await scene.row(second, 'a')).toMatchObject({
        state: 'open_elsewhere',
        ordered: false,
        amountMinor: null,
      });
    });

    test('a plan whose row has been canceled elsewhere since is stale in the other direction', async () => {
      const { scene } = stage;
      const first = await scene.make(['a']);
      const second = await scene.seal(['a', 'b']);
      expect(await scene.row(second, 'a')).toMatchObject({ class: 'open' });
      await requestCancel(scene.ledger, {
        batchId: first,
        rowKeys: 'all',
        actor: oli,
        reason: 'no',
        nowMs: scene.nowMs,
      });
      await expect(approve(scene, second)).rejects.toMatchObject({ code: 'stale_plan' });
      expect(await scene.row(second, 'a')).toMatchObject({ class: 'new', state: 'planned', ordered: true });
    });

    test('a changed policy changes what an approval is bound to, at the next plan', async () => {
      const { scene } = stage;
      const one = await scene.batch(await scene.seal(['a']));
      const change = { billing: { failed: 'refunded', canceled: 'charged' } } as const;
      await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
      const other = await scene.batch(await scene.seal(['a']));
      expect(other.planDigest).not.toBe(one.planDigest);
      expect(other.policyVersion).toBe((one.policyVersion ?? 0) + 1);
    });

    test('a canceled plan cannot be approved', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a']);
      await requestCancel(scene.ledger, { batchId, rowKeys: 'all', actor: oli, reason: 'no', nowMs: scene.nowMs });
      await expect(approve(scene, batchId)).rejects.toMatchObject({ code: 'wrong_state' });
      expect(await gateState(scene.ledger, { batchId })).toEqual({ state: 'canceled' });
    });

    test('a batch that does not exist is named', async () => {
      await expect(approve(stage.scene, 'spring-9')).rejects.toMatchObject({
        ...{ code: 'unknown_batch', message: expect.stringContaining('spring-9') },
      });
    });
  });
}
