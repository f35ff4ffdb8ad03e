import { expect, test } from 'vitest';
import type { Actor } from '../../../domain/roles.js';
import { addPerson } from '../../../ledger/access/people.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import { setBudget, showBudget } from '../../../ledger/money/budgets.js';
import { createBatch } from '../../../ledger/plan/create-batch.js';
import { gateState } from '../../../ledger/plan/decisions.js';
import { sealBatch } from '../../../ledger/plan/seal.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { ada, brief, fay, pages, plainSettings, type Scene, sam, studio } from '../scene.js';
import { suite } from '../suite.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export function policyApprovalCases(databases: Databases): void {
  suite('approval by policy', databases, (stage) => {
    const below = async (amountMinor: number | null, actor: Actor = ada) =>
      setPolicy(stage.scene.ledger, {
        change: { approveBelow: amountMinor === null ? null : { amountMinor, currency: 'USD' } },
        actor,
        nowMs: stage.scene.nowMs,
      });
    const adminWhoSubmits = (name: string): Actor => ({ name, roles: ['submitter', 'admin'], channel: 'terminal' });

    test('decides small plans at once, and says that it was policy', async () => {
      const { scene } = stage;
      await below(250);
      const batchId = await scene.seal(['a', 'b']);
      const { state, decision } = await scene.batch(batchId);
      expect(state).toBe('making');
      expect(decision).toMatchObject({ kind: 'approved', by: 'policy', channel: 'policy', selfApproved: false });
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({ committedMinor: 200 });
    });

    test('leaves to a person what reaches its amount, in one plan or in the sum of a day at one level', async () => {
      const { scene } = stage;
      await below(300);
      const state = async (...given: Parameters<Scene['seal']>) =>
        (await scene.batch(await scene.seal(...given))).state;
      await setBudget(scene.ledger, {
        rehearsal: true,
        path: 'acme/winter',
        limitMinor: 10_000,
        currency: 'USD',
        actor: fay,
        nowMs: scene.nowMs,
      });
      const winter = { campaign: 'winter', settings: { budgetPath: 'acme/winter' } };
      expect(await state(['a', 'b', 'c'])).toBe('waiting');
      expect(await state(['a', 'b'])).toBe('making');
      expect(await state(['d'])).toBe('waiting');
      expect(await state(['e'], winter)).toBe('waiting'); // the sum counts at `acme`, which both are under
      scene.nowMs += dayMs;
      expect(await state(['f'], winter)).toBe('making');
    });

    test('leaves to a person what has no room', async () => {
      const { scene } = stage;
      await below(1_000);
      await scene.fund('acme/spring', 150);
      expect((await scene.batch(await scene.seal(['a', 'b']))).state).toBe('waiting');
    });

    test('plans that are sealed at once do not pass on the same sum', async () => {
      const { scene } = stage;
      await below(250);
      const sealed = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => scene.seal([key], { campaign: key })));
      const states = await Promise.all(sealed.map(async (batchId) => (await scene.batch(batchId)).state));
      expect(states.filter((state) => state === 'making')).toHaveLength(2);
    });

    test('does not approve what history has overtaken: it is planned again', async () => {
      const { scene } = stage;
      const { batchId } = await createBatch(scene.ledger, {
        ...{ service: studio, campaign: 'spring', actor: sam, nowMs: scene.nowMs, settings: plainSettings },
        manifest: { name: 'spring.csv', columns: ['id', 'prompt'] },
        rows: () => pages([brief('a'), brief('b')]),
      });
      await scene.price(batchId);
      await scene.make(['a']);
      await below(1_000);
      expect(await sealBatch(scene.ledger, { batchId })).toEqual({
        state: 'waiting',
        reason: null,
      });
      expect(await gateState(scene.ledger, { batchId })).toEqual({ state: 'stale' });
      await scene.price(batchId);
      expect(await sealBatch(scene.ledger, { batchId })).toEqual({ state: 'making', reason: null });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'open_elsewhere' });
      expect(await scene.batch(batchId)).toMatchObject({ totalMinor: 100, decision: { channel: 'policy' } });
    });

    test('releases nothing for who set or changed its amount, until it was none in between', async () => {
      const { scene } = stage;
      const [ana, ben, cat] = ['ana', 'ben', 'cat'].map(adminWhoSubmits) as [Actor, Actor, Actor];
      let rows = 0;
      const approvedFor = async () => {
        const approved: string[] = [];
        for (const actor of [ana, ben, cat]) {
          rows += 1;
          const batchId = await scene.seal([`row-${rows}`], { campaign: `c${rows}`, actor });
          if ((await scene.batch(batchId)).state === 'making') approved.push(actor.name);
        }
        return approved;
      };
      await below(1_000, ana);
      expect(await approvedFor()).toEqual(['ben', 'cat']);
      await below(1_000, ben); // set again as it was: a hand in it, but no change
      await setPolicy(scene.ledger, { change: { approvalDays: 5 }, actor: cat, nowMs: scene.nowMs });
      expect(await approvedFor()).toEqual(['ben', 'cat']);
      await below(900, ben);
      expect(await approvedFor()).toEqual(['cat']);
      await below(null, cat);
      await below(5_000, cat);
      expect(await approvedFor()).toEqual(['ana', 'ben']);
    });

    test('an amount that was set before anybody was registered counts for nobody until an admin sets it', async () => {
      const { scene } = stage;
      await below(1_000, adminWhoSubmits('root'));
      const add = (name: string) => addPerson(scene.ledger, { name, roles: ['admin'], actor: ada, nowMs: scene.nowMs });
      await add('ana');
      const state = async (key: string) => (await scene.batch(await scene.seal([key], { campaign: key }))).state;
      expect(await state('a')).toBe('waiting');
      await below(null, adminWhoSubmits('ana'));
      await below(1_000, adminWhoSubmits('ana'));
      expect(await state('b')).toBe('making');
    });

    test('nothing to order needs no approval', async () => {
      const { scene } = stage;
      const first = await scene.make(['a']);
      await scene.deliver(first, 'a');
      await settleBatch(scene.ledger, { batchId: first, nowMs: scene.nowMs });
      const second = await scene.seal([brief('a')]);
      expect(await scene.batch(second)).toMatchObject({ state: 'closed', decision: null, totalMinor: 0 });
    });
  });
}
