import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Service } from '../../../domain/service.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import { readBatchRecord } from '../../../ledger/batches/batch-record.js';
import { LedgerError } from '../../../ledger/ledger.js';
import type { BudgetRecord } from '../../../ledger/money/budget-levels.js';
import { listBudgets, setBudget, showBudget, startBudget, stopBudget } from '../../../ledger/money/budgets.js';
import { commitRefusal, noBudget } from '../../../ledger/money/commit.js';
import { reconcileInvoice } from '../../../ledger/money/invoices.js';
import { admitRow } from '../../../ledger/orders/admission.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { auditCounters } from '../../../ledger/verification/counter-check.js';
import type { Databases } from '../databases.js';
import { ada, fay, type Scene, studio } from '../scene.js';
import { suite } from '../suite.js';

const real: Service = { name: 'movies', baseUrl: 'https://movies.example/v1', rehearsal: false };
const rehearsed = (path: string) => ({ path, rehearsal: true });

export function budgetsCases(databases: Databases): void {
  suite('the levels of a plan’s path', databases, (stage) => {
    const level = (over: Partial<BudgetRecord>): BudgetRecord => ({
      ...{ path: 'acme', rehearsal: true, currency: 'USD', limitMinor: 1_000, committedMinor: 0, spentMinor: 0 },
      ...{ overrunMinor: 0, notifyPercent: null, notifiedMs: null, stoppedMs: null },
      ...over,
    });
    const inner = level({ path: 'acme/spring' });

    test.each<readonly [string, readonly BudgetRecord[], { readonly code: string; readonly message: string } | null]>([
      ['with room at each', [level({ limitMinor: 100 }), inner], null],
      [
        'none of which is defined any more',
        [],
        {
          code: 'no_budget',
          message:
            'Cannot plan spring-1: no rehearsal budget is defined on the path acme/spring; add --budget 500USD, or ' +
            'have finance define one with "greenlight budget set acme/spring <limit> --rehearsal"',
        },
      ],
      [
        'one of which is in another currency',
        [level({}), level({ path: 'acme/spring', currency: 'EUR' })],
        {
          code: 'no_budget',
          message: 'Cannot plan spring-1 in USD: budget acme/spring is in EUR; use EUR',
        },
      ],
      [
        'one of which is full',
        [level({ committedMinor: 200, spentMinor: 500, overrunMinor: 201 }), inner],
        {
          code: 'no_room',
          message:
            'Cannot approve spring-1: budget acme has 0.99 USD, the plan needs 1.00 USD (limit 10.00 USD, ' +
            'committed 2.00 USD, spent 7.01 USD); raise the limit or order less',
        },
      ],
    ])('%s', async (_, levels, refusal) => {
      const { scene } = stage;
      const batch = await readBatchRecord(scene.ledger.db, await scene.seal(['a']));
      const said = commitRefusal(batch, { levels, amountMinor: 100 });
      expect(said && { code: said.code, message: said.message }).toEqual(refusal);
    });

    test('of real money are named as such where there are none', () => {
      expect(noBudget('spring', { path: 'acme', rehearsal: false }).message).toBe(
        'Cannot plan spring: no budget is defined on the path acme; add --budget 500USD, or have finance define one with ' +
          '"greenlight budget set acme <limit>"',
      );
    });

    test('are named in the audit of the approval that took from them', async () => {
      const { scene } = stage;
      await scene.make(['a'], { settings: { budgetPath: 'acme/spring/first/cut' } });
      const approval = (await listAudit(scene.ledger, { limit: 20 })).find(({ act }) => act === 'approve');
      expect(approval?.detail).toMatchObject({ levels: ['acme', 'acme/spring'], total_minor: 100 });
    });
  });

  suite('a level that is defined later', databases, (stage) => {
    const within = (path: string) => ({ campaign: path.replaceAll('/', '-'), settings: { budgetPath: path } });

    test('counts what was spent and committed under it before, and lets no more through than its limit', async () => {
      const { scene } = stage;
      const first = await scene.make(['a', 'b', 'c', 'd', 'e'], within('acme/spring/first'));
      for (const key of ['a', 'b', 'c']) await scene.order(first, key);
      const line = { movieId: (await scene.row(first, 'a')).movieId, idempotencyKey: null, amountMinor: 150 };
      const lines = [{ ...line, currency: 'USD', description: null, invoice: null, row: 2 }];
      await reconcileInvoice(scene.ledger, { service: studio, name: 'n', lines, actor: fay, nowMs: scene.nowMs });
      await scene.fund('acme/spring/first', 500);
      expect(await showBudget(scene.ledger, rehearsed('acme/spring/first'))).toMatchObject({
        ...{ limitMinor: 500, spentMinor: 300, committedMinor: 200, overrunMinor: 50 },
      });
      const more = { ...within('acme/spring/first'), campaign: 'more' };
      await expect(scene.make(['x'], more)).rejects.toMatchObject({ code: 'no_room' });
    });

    test('counts what is ordered, returned and invoiced under it afterwards', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c'], within('acme/spring/first'));
      const movie = await scene.deliver(batchId, 'a');
      await scene.admit(batchId, 'b');
      await scene.fund('acme/spring/first', 10_000);
      await scene.answer(batchId, 'b', { kind: 'refused', status: 422, code: 'no', message: 'no', retryAfterMs: null });
      await scene.deliver(batchId, 'c');
      await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      const line = { movieId: movie, idempotencyKey: null, amountMinor: 150, currency: 'USD', description: null };
      const lines = [{ ...line, invoice: null, row: 2 }];
      await reconcileInvoice(scene.ledger, { service: studio, name: 'n', lines, actor: fay, nowMs: scene.nowMs });
      for (const path of ['acme', 'acme/spring', 'acme/spring/first']) {
        expect(await showBudget(scene.ledger, rehearsed(path))).toMatchObject({
          ...{ spentMinor: 200, committedMinor: 0, overrunMinor: 50 },
        });
      }
    });

    test('whenever it is defined, among any orders, counts the same as one that was there from the beginning', async () => {
      const { scene } = stage;
      let worlds = 0;
      const steps = fc.array(fc.constantFrom('order', 'deliver', 'refuse', 'define', 'settle'), {
        minLength: 4,
        maxLength: 12,
      });
      const holds = fc.asyncProperty(steps, async (what) => {
        worlds += 1;
        const root = `world-${worlds}`;
        await scene.fund(root, 100_000);
        const keys = what.map((_, index) => `r${index}`);
        const submission = { campaign: root, settings: { budgetPath: `${root}/x/y`, allowDuplicates: true } };
        const batchId = await scene.make(keys, submission);
        for (const [index, step] of what.entries()) {
          const key = `r${index}`;
          if (step === 'define') await scene.fund(`${root}/x`, 100_000);
          if (step === 'settle') await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
          if (step === 'order') await scene.order(batchId, key);
          if (step === 'deliver') await scene.deliver(batchId, key);
          if (step !== 'refuse') continue;
          await scene.admit(batchId, key);
          await scene.answer(batchId, key, {
            kind: 'refused',
            status: 422,
            code: 'no',
            message: 'no',
            retryAfterMs: null,
          });
        }
        await scene.fund(`${root}/x`, 100_000);
        const { path: _, ...whole } = await showBudget(scene.ledger, rehearsed(root));
        expect(await showBudget(scene.ledger, rehearsed(`${root}/x`))).toEqual({ path: `${root}/x`, ...whole });
      });
      await fc.assert(holds, { numRuns: 8 });
    });

    test('while batches under it are approved, admitted and posted misses nothing and counts nothing twice', async () => {
      const { scene } = stage;
      const { ledger, nowMs } = scene;
      const keysOf = (name: string) => Array.from({ length: 8 }, (_, index) => `${name}-${index}`);
      const making: { readonly batchId: string; readonly keys: readonly string[] }[] = [];
      const waiting: string[] = [];
      for (const index of [0, 1, 2, 3]) {
        const settings = { budgetPath: `acme/spring/p/q${index}` };
        const keys = keysOf(`made-${index}`);
        making.push({ keys, batchId: await scene.make(keys, { campaign: `made-${index}`, settings }) });
        waiting.push(await scene.seal(keysOf(`plan-${index}`), { campaign: `plan-${index}`, settings }));
      }
      const approve = (batchId: string) => approveBatch(ledger, { batchId, actor: fay, nowMs });
      await Promise.all([
        ...making.flatMap(({ batchId, keys }) => keys.map((key) => scene.order(batchId, key))),
        ...waiting.map(approve),
        ...['acme/spring/p', 'acme/spring/p/q0', 'acme/spring/p/q1'].map((path) => scene.fund(path, 1_000_000)),
      ]);
      expect(await auditCounters(ledger)).toEqual([]);
      expect(await showBudget(ledger, rehearsed('acme/spring/p'))).toMatchObject({
        spentMinor: 3_200,
        committedMinor: 3_200,
      });
      expect(await showBudget(ledger, rehearsed('acme/spring/p/q0'))).toMatchObject({
        spentMinor: 800,
        committedMinor: 800,
      });
    });

    test('while a batch is being approved is either too late for it or keeps it within its limit', async () => {
      const { scene } = stage;
      const { ledger, nowMs } = scene;
      for (let round = 0; round < 6; round += 1) {
        const path = `acme/spring/r${round}`;
        const batches: string[] = [];
        for (const campaign of [`a${round}`, `b${round}`, `c${round}`]) {
          const keys = [`${campaign}-x`, `${campaign}-y`];
          batches.push(await scene.seal(keys, { campaign, settings: { budgetPath: path } }));
        }
        const approvals = batches.map((batchId) => approveBatch(ledger, { batchId, actor: fay, nowMs }));
        const limit = scene.fund(path, 200);
        const outcomes = await Promise.allSettled(approvals);
        await limit;
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(LedgerError);
        }
        const approved = outcomes.filter(({ status }) => status === 'fulfilled').length;
        const { committedMinor } = await showBudget(ledger, rehearsed(path));
        expect(committedMinor).toBe(approved * 200);
        const late = await scene.seal([`d${round}-z`], { campaign: `d${round}`, settings: { budgetPath: path } });
        if (approved > 0)
          await expect(approveBatch(ledger, { batchId: late, actor: fay, nowMs })).rejects.toMatchObject({
            code: 'no_room',
          });
      }
    });
  });

  suite('money of rehearsals', databases, (stage) => {
    const makeReal = (scene: Scene, rows: readonly string[], campaign = 'launch') =>
      scene.make(rows, { campaign, service: real, settings: { allowDuplicates: true } });
    const admitReal = ({ ledger }: Scene, batchId: string, rowKey: string) =>
      admitRow(ledger, { batchId, rowKey, service: real });

    test('leaves the budget of real money on the same path untouched, and the reverse', async () => {
      const { scene } = stage;
      const { ledger } = scene;
      await scene.fund('acme/spring', 300, real);
      const before = await showBudget(ledger, { path: 'acme/spring', rehearsal: false });
      const rehearsal = await scene.make(['a', 'b', 'c', 'd']);
      for (const key of ['a', 'b', 'c', 'd']) await scene.deliver(rehearsal, key);
      await settleBatch(ledger, { batchId: rehearsal, nowMs: scene.nowMs });
      expect(await showBudget(ledger, { path: 'acme/spring', rehearsal: false })).toEqual(before);
      const spent = await showBudget(ledger, rehearsed('acme/spring'));
      const batchId = await makeReal(scene, ['a', 'b', 'c']);
      expect(await admitReal(scene, batchId, 'a')).toMatchObject({ kind: 'send' });
      expect(await showBudget(ledger, { path: 'acme/spring', rehearsal: false })).toMatchObject({
        committedMinor: 300,
      });
      expect(await showBudget(ledger, rehearsed('acme/spring'))).toEqual(spent);
      await expect(makeReal(scene, ['d'], 'more')).rejects.toMatchObject({ code: 'no_room' });
      await scene.make(['e']);
    });

    test('needs a budget of its own', async () => {
      const { scene } = stage;
      await expect(makeReal(scene, ['a'])).rejects.toMatchObject({ code: 'no_budget' });
      await scene.fund('other', 1_000, real);
      const rehearsal = scene.make(['a'], { settings: { budgetPath: 'other' } });
      // Whoever submits may not define one.
      const message = expect.stringMatching(/have finance define one with .* --rehearsal/);
      await expect(rehearsal).rejects.toMatchObject({ code: 'no_budget', message });
    });

    test('does not use up what policy approves of real money', async () => {
      const { scene } = stage;
      await scene.fund('acme', 10_000, real);
      const change = { approveBelow: { amountMinor: 300, currency: 'USD' } };
      await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
      const rehearsal = await scene.seal(['a', 'b']);
      expect((await scene.batch(rehearsal)).state).toBe('making');
      const launch = await scene.seal(['a', 'b'], { campaign: 'launch', service: real });
      expect((await scene.batch(launch)).state).toBe('making');
      const second = await scene.seal(['c', 'd'], { campaign: 'second', service: real });
      expect((await scene.batch(second)).state).toBe('waiting');
    });

    test('has levels, currencies and a list of its own; a stop of the path holds for both', async () => {
      const { scene } = stage;
      const { ledger, nowMs } = scene;
      const euro = { path: 'acme/spring', rehearsal: false, limitMinor: 500, currency: 'EUR', actor: fay, nowMs };
      await setBudget(ledger, euro);
      const listed = await listBudgets(ledger);
      expect(listed.map(({ path, rehearsal, currency }) => [path, rehearsal, currency])).toEqual([
        ['acme/spring', false, 'EUR'],
        ['acme', true, 'USD'],
        ['acme/spring', true, 'USD'],
      ]);
      const stopped = await stopBudget(ledger, { path: 'acme/spring', actor: fay, nowMs });
      expect(stopped.map(({ rehearsal, stoppedMs }) => [rehearsal, stoppedMs])).toEqual([
        [false, nowMs],
        [true, nowMs],
      ]);
      await stopBudget(ledger, { path: 'acme', actor: fay, nowMs: nowMs + 1 });
      await setBudget(ledger, { ...euro, path: 'acme' });
      expect(await showBudget(ledger, { path: 'acme', rehearsal: false })).toMatchObject({ stoppedMs: nowMs + 1 });
      const batchId = await scene.make(['a']);
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'blocked', reason: 'budget' });
      expect((await scene.batch(batchId)).stops.map(({ detail }) => detail)).toEqual([
        'budget acme is stopped',
        'budget acme/spring is stopped',
      ]);
      for (const path of ['acme', 'acme/spring']) await startBudget(ledger, { path, actor: fay, nowMs });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
    });
  });

  suite('the share of a limit that finance wants to hear of', databases, (stage) => {
    const notices = async (scene: Scene) =>
      (await listAudit(scene.ledger, { limit: 100 })).filter(({ act }) => act === 'budget_notice');
    const notify = (scene: Scene, limitMinor: number, notifyPercent: number | null) =>
      setBudget(scene.ledger, {
        ...{ path: 'acme/spring', rehearsal: true, limitMinor, currency: 'USD', notifyPercent },
        ...{ actor: fay, nowMs: scene.nowMs },
      });

    test('is recorded once, by the approval that passes it', async () => {
      const { scene } = stage;
      await notify(scene, 1_000, 50);
      await scene.make(['a', 'b', 'c', 'd']);
      expect(await notices(scene)).toEqual([]);
      const batchId = await scene.make(['e']);
      await scene.make(['f']);
      await scene.order(batchId, 'e');
      expect(await notices(scene)).toMatchObject([
        { object: 'acme/spring', detail: { percent: 50, used_minor: 500, limit_minor: 1_000, rehearsal: true } },
      ]);
      expect(await showBudget(scene.ledger, rehearsed('acme/spring'))).toMatchObject({ notifiedMs: scene.nowMs });
    });

    test('is recorded again for another limit or another share, and not for what is set as it was', async () => {
      const { scene } = stage;
      await notify(scene, 1_000, 50);
      await scene.make(['a', 'b', 'c', 'd', 'e']);
      const atMs = scene.nowMs;
      scene.nowMs += 1_000;
      await scene.fund('acme/spring', 1_000);
      await notify(scene, 1_000, 50);
      expect(await showBudget(scene.ledger, rehearsed('acme/spring'))).toMatchObject({
        ...{ notifyPercent: 50, notifiedMs: atMs },
      });
      await notify(scene, 1_000, 40);
      await scene.fund('acme/spring', 1_200);
      expect((await notices(scene)).map(({ detail }) => [detail.percent, detail.limit_minor])).toEqual([
        [40, 1_200],
        [40, 1_000],
        [50, 1_000],
      ]);
    });

    test('is of real money alone, or of rehearsals alone', async () => {
      const { scene } = stage;
      const real = { name: 'movies', baseUrl: 'https://movies.example/v1', rehearsal: false };
      await scene.fund('acme/spring', 1_000, real);
      for (const rehearsal of [false, true]) {
        const level = { path: 'acme/spring', rehearsal, limitMinor: 1_000, currency: 'USD', notifyPercent: 10 };
        await setBudget(scene.ledger, { ...level, actor: fay, nowMs: scene.nowMs });
      }
      await scene.seal(['a']);
      await scene.make(['b'], { service: real });
      expect(await notices(scene)).toMatchObject([{ object: 'acme/spring', detail: { rehearsal: false } }]);
      expect(await showBudget(scene.ledger, rehearsed('acme/spring'))).toMatchObject({ notifiedMs: null });
    });

    test('is recorded by an invoice or by a limit that passes it, and again for another limit', async () => {
      const { scene } = stage;
      await notify(scene, 1_000, 50);
      const batchId = await scene.make(['a', 'b', 'c', 'd']);
      const movie = await scene.order(batchId, 'a');
      const line = { movieId: movie, idempotencyKey: null, amountMinor: 250, currency: 'USD', description: null };
      const lines = [{ ...line, invoice: null, row: 2 }];
      await reconcileInvoice(scene.ledger, { service: studio, name: 'n', lines, actor: fay, nowMs: scene.nowMs });
      expect(await notices(scene)).toMatchObject([{ detail: { used_minor: 550 } }]);
      await notify(scene, 1_200, 50);
      expect(await notices(scene)).toHaveLength(1);
      await notify(scene, 1_100, 50);
      expect(await notices(scene)).toHaveLength(2);
      await notify(scene, 1_000, null);
      expect(await showBudget(scene.ledger, rehearsed('acme/spring'))).toMatchObject({
        notifyPercent: null,
        notifiedMs: null,
      });
    });
  });
}
