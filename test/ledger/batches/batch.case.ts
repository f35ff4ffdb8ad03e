import { expect, test } from 'vitest';
import { digestBriefs } from '../../../domain/digests/briefs-digest.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { findOpenBatches, listBatches, sameBriefs } from '../../../ledger/batches/batches.js';
import { countRows, eachRow, listRows } from '../../../ledger/batches/rows.js';
import { sliceBatch } from '../../../ledger/batches/slices.js';
import type { Ledger } from '../../../ledger/ledger.js';
import { showBudget } from '../../../ledger/money/budgets.js';
import { resolveUnknown } from '../../../ledger/orders/resolve-unknown.js';
import { createBatch } from '../../../ledger/plan/create-batch.js';
import { approveBatch, expireBatch, gateState, rejectBatch } from '../../../ledger/plan/decisions.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { certificateFacts } from '../../../ledger/progress/certificate-facts.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { brief, fay, newRow, oli, pages, plainSettings, price, sam, studio } from '../scene.js';
import { suite } from '../suite.js';

const refused = { kind: 'refused', status: 400, code: 'invalid_request', message: 'no', retryAfterMs: null } as const;

export function batchCases(databases: Databases): void {
  suite('a batch', databases, (stage) => {
    test('makes every row once and its money adds up', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c']);
      expect(batchId).toBe('spring-1');
      for (const rowKey of ['a', 'b', 'c']) await scene.deliver(batchId, rowKey);
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'closed' });
      const { money, state, decision } = await scene.batch(batchId);
      expect(state).toBe('closed');
      expect(decision).toMatchObject({ kind: 'approved', by: 'fay', selfApproved: false });
      expect(money).toMatchObject({ approved: 300, held: 0, posted: 300, returned: 0, unknown: 0 });
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({
        committedMinor: 0,
        spentMinor: 300,
      });
      expect(await showBudget(scene.ledger, { path: 'acme/spring', rehearsal: true })).toMatchObject({
        committedMinor: 0,
        spentMinor: 300,
      });
      expect(await countRows(scene.ledger, batchId)).toEqual({ delivered: 3 });
      const facts = await certificateFacts(scene.ledger, batchId);
      expect(facts).toMatchObject({ rowsIn: 3, rowsOut: 3, provisional: false, rehearsal: true });
      const row = await scene.row(batchId, 'a');
      expect(row).toMatchObject({ state: 'delivered', money: 'posted', attempt: 1, verdict: 'as ordered' });
      expect(row.files).toHaveLength(1);
    });

    test('gives back what it did not use', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.deliver(batchId, 'a');
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'making' });
      await scene.admit(batchId, 'b');
      expect(await scene.answer(batchId, 'b', refused)).toEqual({ kind: 'settled' });
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'closed' });
      const { money } = await scene.batch(batchId);
      expect(money).toMatchObject({ approved: 2 * price, held: 0, posted: price, returned: price });
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({
        committedMinor: 0,
        spentMinor: price,
      });
    });

    test('settling twice changes nothing the second time', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      for (const rowKey of ['a', 'b']) await scene.deliver(batchId, rowKey);
      await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      const facts = await certificateFacts(scene.ledger, batchId);
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs + 1 })).toEqual({ state: 'closed' });
      expect(await certificateFacts(scene.ledger, batchId)).toEqual(facts);
    });

    test('is not settled before it was approved, and no other end of it is changed', async () => {
      const { scene } = stage;
      const settle = (batchId: string) => settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      const [canceled, refusedOne, expired] = [
        await scene.seal(['a']),
        await scene.seal(['b'], { campaign: 'summer' }),
        await scene.seal(['c'], { campaign: 'winter' }),
      ];
      const byOli = { actor: oli, reason: 'no', nowMs: scene.nowMs };
      expect(await settle(canceled)).toEqual({ state: 'making' });
      expect(await scene.batch(canceled)).toMatchObject({ state: 'waiting' });
      await requestCancel(scene.ledger, { batchId: canceled, rowKeys: 'all', ...byOli });
      await rejectBatch(scene.ledger, { ...byOli, batchId: refusedOne, actor: fay });
      scene.nowMs += 8 * 24 * 3_600_000;
      expect(await gateState(scene.ledger, { batchId: expired })).toEqual({ state: 'expired' });
      expect(await settle(canceled)).toEqual({ state: 'canceled' });
      expect(await settle(refusedOne)).toEqual({ state: 'refused' });
      expect(await settle(expired)).toEqual({ state: 'expired' });
    });

    test('is unsettled while a row is unknown, in the making when a person has it sent again, and closed by its end', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const settle = () => settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'broken' });
      for (const repeat of [1, 2]) expect(await settle(), `${repeat}`).toEqual({ state: 'unsettled' });
      for (const name of ['fay', 'flo']) {
        const request = { batchId, rowKey: 'a', resolution: { kind: 'resend' }, nowMs: scene.nowMs } as const;
        await resolveUnknown(scene.ledger, { ...request, actor: { ...fay, name } });
      }
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'ordering' });
      expect(await settle()).toEqual({ state: 'making' });
      await scene.deliver(batchId, 'a');
      expect(await settle()).toEqual({ state: 'closed' });
      const ends = await listAudit(scene.ledger, { object: batchId, limit: 50 });
      expect(ends.filter(({ act }) => act === 'unsettled' || act === 'close').map(({ act }) => act)).toEqual([
        ...['close', 'unsettled'],
      ]);
    });

    test('what is decided, ordered and settled is on the disk before anybody hears of it', async () => {
      const { scene } = stage;
      const { write } = scene.ledger;
      let last: boolean | undefined;
      const noted: Ledger['write'] = (work, options) => {
        last = options?.durable;
        return write(work, options);
      };
      Object.assign(scene.ledger, { write: noted });
      const wasDurable = () => {
        const was = last;
        last = undefined;
        return was;
      };
      const batchId = await scene.seal(['a']);
      expect(wasDurable()).toBe(true);
      await approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs });
      expect(wasDurable()).toBe(true);
      await sliceBatch(scene.ledger, { batchId, sliceRows: 1 });
      wasDurable();
      await scene.admit(batchId, 'a');
      expect(wasDurable()).toBe(true);
      await scene.answer(batchId, 'a', refused);
      await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      expect(wasDurable()).toBe(true);
      const expired = await scene.seal(['b']);
      scene.nowMs += 8 * 24 * 3_600_000;
      wasDurable();
      await expireBatch(scene.ledger, { batchId: expired });
      expect(wasDurable()).toBe(true);
    });

    test('a second submission of the same sheet, in another order, orders nothing', async () => {
      const { scene } = stage;
      const first = await scene.make(['a', 'b']);
      for (const rowKey of ['a', 'b']) await scene.deliver(first, rowKey);
      await settleBatch(scene.ledger, { batchId: first, nowMs: scene.nowMs });
      const second = await scene.seal(['b', 'a']);
      expect(second).toBe('spring-2');
      expect(await gateState(scene.ledger, { batchId: second })).toEqual({ state: 'closed' });
      expect(await countRows(scene.ledger, second)).toEqual({ unchanged: 2 });
      expect((await scene.batch(second)).money).toMatchObject({ estimated: 0, approved: 0, posted: 0 });
    });

    test('is numbered by its campaign, also over services', async () => {
      const { scene } = stage;
      const real = { name: 'movies', baseUrl: 'https://movies.example/v1', rehearsal: false };
      expect(await scene.seal(['a'])).toBe('spring-1');
      expect(await scene.seal(['a'], { campaign: 'winter' })).toBe('winter-1');
      await scene.fund('acme/spring', 1_000, real);
      expect(await scene.seal(['a'], { service: real })).toBe('spring-2');
      expect(await scene.seal(['b'])).toBe('spring-3');
    });

    test('a sheet without rows, and one without a budget, are refused and leave nothing behind', async () => {
      const { scene } = stage;
      await expect(scene.seal([])).rejects.toMatchObject({ code: 'bad_argument' });
      await expect(scene.seal(['a'], { settings: { budgetPath: 'other/spring' } })).rejects.toMatchObject({
        code: 'no_budget',
        message: expect.stringContaining('other/spring'),
      });
      expect(await listBatches(scene.ledger, { limit: 10 })).toEqual([]);
      expect(await scene.seal(['a'])).toBe('spring-1');
    });

    test('only a submitter submits', async () => {
      const { scene } = stage;
      const finance = { name: 'fay', roles: ['finance'], channel: 'terminal' } as const;
      await expect(scene.seal(['a'], { actor: finance })).rejects.toMatchObject({ code: 'not_allowed' });
    });

    test('finds open batches of its lineage and knows whether they ask for the same', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a', 'b']);
      const digest = (keys: readonly string[]) => {
        const digester = digestBriefs(plainSettings);
        for (const key of keys) digester.add({ rowKey: key, contentDigest: newRow(brief(key)).contentDigest });
        return digester.digest();
      };
      const open = await findOpenBatches(scene.ledger, { service: studio, campaign: 'spring' });
      expect(open.map((batch) => batch.batchId)).toEqual([batchId]);
      expect(await sameBriefs(scene.ledger, batchId, digest(['b', 'a']))).toBe(true);
      expect(await sameBriefs(scene.ledger, batchId, digest(['a']))).toBe(false);
      const other = { service: { ...studio, baseUrl: 'elsewhere' }, campaign: 'spring' };
      expect(await findOpenBatches(scene.ledger, other)).toEqual([]);
    });

    test('rows come back in the order of the sheet, whole and by pages', async () => {
      const { scene } = stage;
      const keys = Array.from({ length: 1_234 }, (_, index) => `row-${index}`);
      const { batchId } = await createBatch(scene.ledger, {
        ...{ service: studio, campaign: 'spring', actor: sam, nowMs: scene.nowMs, settings: plainSettings },
        manifest: { name: 'spring.csv', columns: ['id', 'prompt'] },
        rows: () =>
          pages(
            keys.map((key) => brief(key)),
            700,
          ),
      });
      const read: string[] = [];
      for await (const { rowKey, position, row } of eachRow(scene.ledger, batchId)) {
        expect([position, row]).toEqual([read.length, read.length + 2]);
        read.push(rowKey);
      }
      expect(read).toEqual(keys);
      const page = await listRows(scene.ledger, batchId, { afterPosition: 9, limit: 3, states: ['planned'] });
      expect(page.map(({ rowKey }) => rowKey)).toEqual(['row-10', 'row-11', 'row-12']);
      const found = await listRows(scene.ledger, batchId, { limit: 10, keyPrefix: 'row-123' });
      expect(found.map(({ rowKey }) => rowKey)).toEqual(['row-123', 'row-1230', 'row-1231', 'row-1232', 'row-1233']);
      expect(await countRows(scene.ledger, batchId)).toEqual({ planned: 1_234 });
    });

    test('a sheet is stored whole, also when its transaction has to run again', async () => {
      const { scene } = stage;
      let readings = 0;
      const stored = createBatch(scene.ledger, {
        ...{ service: studio, campaign: 'spring', actor: sam, nowMs: scene.nowMs, settings: plainSettings },
        manifest: { name: 'spring.csv', columns: ['id', 'prompt'] },
        rows: async function* () {
          readings += 1;
          yield* pages([brief('a'), brief('b')], 1);
          // As PostgreSQL ends one of two that wait for each other.
          if (readings === 1 && scene.ledger.dialect === 'postgres')
            throw Object.assign(new Error(), { code: '40P01' });
        },
      });
      // On SQLite whoever is refused beside it has it run again.
      const refused = scene.ledger.write(() => Promise.reject(new Error('refused')));
      await expect(refused).rejects.toThrow('refused');
      expect(await countRows(scene.ledger, (await stored).batchId)).toEqual({ planned: 2 });
      expect(readings).toBe(2);
    });
  });
}
