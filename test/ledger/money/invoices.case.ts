import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listAudit } from '../../../ledger/access/audit.js';
import { showBudget } from '../../../ledger/money/budgets.js';
import { listEntries } from '../../../ledger/money/entries.js';
import type { InvoiceLine } from '../../../ledger/money/invoice-match.js';
import { invoicedShare } from '../../../ledger/money/invoiced-batches.js';
import { previewInvoice, reconcileInvoice } from '../../../ledger/money/invoices.js';
import { resolveUnknown } from '../../../ledger/orders/resolve-unknown.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { fay, movieId, oli } from '../scene.js';
import { suite } from '../suite.js';
import {
  type Amounts,
  delivered,
  failedAndRefunded,
  invoice,
  invoiceOf,
  lineOf,
  takeFailedAsRefunded,
} from './invoice-scene.js';

export function invoicesCases(databases: Databases): void {
  suite('an invoice', databases, (stage) => {
    test('is held against the books movie by movie', async () => {
      const { scene } = stage;
      const { batchId, a, b, c } = await delivered(scene, ['a', 'b', 'c']);
      const found = await invoice(scene, { [a]: 100, [b]: 130, movie_stranger: 70 });
      const ofBatch = { batchId, currency: 'USD', bookedMinor: 100 };
      expect(found.matched).toEqual([{ movieId: a, rowKey: 'a', ...ofBatch, invoicedMinor: 100, overrunMinor: 0 }]);
      expect(found.different).toEqual([{ movieId: b, rowKey: 'b', ...ofBatch, invoicedMinor: 130, overrunMinor: 30 }]);
      expect(found.missingHere).toMatchObject([{ movieId: 'movie_stranger', invoicedMinor: 70, order: null }]);
      expect(found.missingThere).toEqual([{ movieId: c, rowKey: 'c', ...ofBatch, invoicedMinor: 0, overrunMinor: 0 }]);
    });

    test('dearer than approved is overrun, at every level', async () => {
      const { scene } = stage;
      const { batchId, b } = await delivered(scene, ['a', 'b']);
      await invoice(scene, { [b]: 130 });
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 200, overrun: 30, refunded: 0 });
      for (const path of ['acme', 'acme/spring']) {
        expect(await showBudget(scene.ledger, { path: path, rehearsal: true })).toMatchObject({
          spentMinor: 200,
          overrunMinor: 30,
        });
      }
      const [entry] = await listEntries(scene.ledger, { batchId, rowKey: 'b', after: 3, limit: 10 }).then((all) =>
        all.filter(({ kind }) => kind === 'correction'),
      );
      expect(entry).toMatchObject({ amountMinor: 30, overrunMinor: 30, note: 'invoice 2026-11' });
    });

    test('cheaper gives back to the budgets', async () => {
      const { scene } = stage;
      const { batchId, b } = await delivered(scene, ['a', 'b']);
      await invoice(scene, { [b]: 60 });
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 200, refunded: 40, overrun: 0 });
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({
        spentMinor: 160,
        overrunMinor: 0,
      });
    });

    test('read again changes nothing, also under another file name', async () => {
      const { scene } = stage;
      const { batchId, b } = await delivered(scene, ['a', 'b']);
      await invoice(scene, { [b]: 130 });
      for (const over of [{}, { name: 'november (1).csv' }, { number: '2026-11' }]) {
        const { different, matched, readBefore } = await invoice(scene, { [b]: 130 }, over);
        expect({ different, matched, readBefore }).toMatchObject({
          different: [],
          matched: [{ bookedMinor: 130, invoicedMinor: 130 }],
          readBefore: [{ number: '2026-11', readAtMs: scene.nowMs }],
        });
      }
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 200, refunded: 0, overrun: 30 });
    });

    test('and others read at the same moment, each twice, count once each', async () => {
      const { scene } = stage;
      const { batchId, a, b } = await delivered(scene, ['a', 'b']);
      const all: readonly (readonly [number: string, amounts: Amounts])[] = [
        ['INV-1', { [a]: 100, [b]: 100 }],
        ['INV-2', { [a]: 60 }],
        ['CN-1', { [b]: -30 }],
        ['INV-3', { movie_stranger: 5 }],
      ];
      await Promise.all([...all, ...all].map(([number, amounts]) => invoice(scene, amounts, { number })));
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 200, refunded: 30, overrun: 60 });
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({
        spentMinor: 170,
        overrunMinor: 60,
      });
      expect(await scene.ledger.db.selectFrom('invoices').select('number').execute()).toHaveLength(4);
    });

    test('with a number that was read with other lines is refused', async () => {
      const { scene } = stage;
      const { batchId, b } = await delivered(scene, ['a', 'b']);
      await invoice(scene, { [b]: 130 });
      const refusal = { code: 'bad_argument', message: expect.stringContaining('--number') };
      await expect(invoice(scene, { [b]: 90 })).rejects.toMatchObject(refusal);
      expect((await scene.batch(batchId)).money).toMatchObject({ overrun: 30 });
    });

    test('with the same movie again is added to what earlier ones charge', async () => {
      const { scene } = stage;
      const { batchId, a, b } = await delivered(scene, ['a', 'b']);
      await invoice(scene, { [a]: 100, [b]: 100 });
      const second = await invoice(scene, { [a]: 100 }, { number: 'INV-2' });
      expect(second).toMatchObject({ matched: [], different: [{ movieId: a, bookedMinor: 100, invoicedMinor: 200 }] });
      const surcharge = await invoice(scene, { [b]: 60 }, { number: 'INV-3' });
      expect(surcharge.different).toMatchObject([
        { movieId: b, bookedMinor: 100, invoicedMinor: 160, overrunMinor: 60 },
      ]);
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 200, refunded: 0, overrun: 160 });
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({
        spentMinor: 200,
        overrunMinor: 160,
      });
    });

    test('that only credits lowers what was posted, and waits for its charge without giving more back', async () => {
      const { scene } = stage;
      const { batchId, a } = await delivered(scene, ['a']);
      await invoice(scene, { [a]: -30 }, { number: 'CN-1' });
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 100, refunded: 30, overrun: 0 });
      await invoice(scene, { [a]: 130 }, { number: 'INV-1' });
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 100, refunded: 0, overrun: 0 });
      await invoice(scene, { [a]: -100 }, { number: 'CN-2' });
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({
        spentMinor: 0,
        overrunMinor: 0,
      });
    });

    test('several of them in one file are kept each for itself', async () => {
      const { scene } = stage;
      const { a, b } = await delivered(scene, ['a', 'b']);
      const first = { movieId: a, amountMinor: 110, invoice: 'INV-1' };
      await invoice(scene, {}, { lines: [lineOf(first)] });
      const lines = [lineOf(first), lineOf({ movieId: b, amountMinor: 100, invoice: 'INV-2', row: 3 })];
      const found = await invoice(scene, {}, { name: 'all.csv', lines });
      expect(found).toMatchObject({ readBefore: [{ number: 'INV-1' }], different: [] });
      const kept = await scene.ledger.db.selectFrom('invoices').select('number').orderBy('invoice_no').execute();
      expect(kept.map(({ number }) => number)).toEqual(['INV-1', 'INV-2']);
    });

    test('of the same lines is another one only where both have a number of their own', async () => {
      const { scene } = stage;
      const { batchId, a } = await delivered(scene, ['a']);
      for (const number of ['INV-1', 'INV-2']) await invoice(scene, { [a]: 100 }, { number });
      expect((await scene.batch(batchId)).money).toMatchObject({ overrun: 100 });
      await invoice(scene, { [a]: 100 }, { name: 'copy.csv' });
      expect((await scene.batch(batchId)).money).toMatchObject({ overrun: 100 });
    });

    test.each(['of another movie', 'of no order', 'beside a movie that is not in the books'])(
      'with a key %s is refused as a whole, by row',
      async (kind) => {
        const { scene } = stage;
        const { batchId, a, b } = await delivered(scene, ['a', 'b']);
        const { idempotencyKey } = await scene.row(batchId, 'b');
        const key = kind === 'of no order' ? 'gl_nobodys' : idempotencyKey;
        const movie = kind.startsWith('beside') ? 'movie_stranger' : a;
        const wrong = lineOf({ movieId: movie, idempotencyKey: key, row: 3 });
        const lines = [lineOf({ movieId: b, amountMinor: 130 }), wrong];
        const message = expect.stringContaining(`row 3 names ${movie}`);
        await expect(invoice(scene, {}, { lines })).rejects.toMatchObject({ code: 'bad_argument', message });
        expect((await scene.batch(batchId)).money).toMatchObject({ overrun: 0 });
        expect(await scene.ledger.db.selectFrom('invoices').selectAll().execute()).toEqual([]);
      },
    );

    test('read before a movie is refunded on an assumption leaves nothing to assume', async () => {
      const { scene } = stage;
      await takeFailedAsRefunded(scene);
      const batchId = await scene.make(['a', 'b']);
      const movie = await scene.order(batchId, 'a');
      await scene.order(batchId, 'b');
      const { idempotencyKey } = await scene.row(batchId, 'b');
      await invoice(scene, { [movie]: 100 }, { number: 'INV-1' });
      await invoice(scene, {}, { number: 'INV-2', lines: [lineOf({ idempotencyKey })] });
      for (const key of ['a', 'b']) await scene.look(batchId, key, 'failed');
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 200, refunded: 0 });
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({ spentMinor: 200 });
    });

    test('read before the order that it charges was proved is booked when invoices are read again', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'broken' });
      const { idempotencyKey } = await scene.row(batchId, 'a');
      await invoice(scene, {}, { lines: [lineOf({ idempotencyKey, amountMinor: 130 })] });
      const resolution = { kind: 'created', movieId: movieId() } as const;
      for (const actor of [fay, { ...fay, name: 'flo' }]) {
        await resolveUnknown(scene.ledger, {
          ...{ batchId, rowKey: 'a', resolution, movie: {}, actor, nowMs: scene.nowMs },
        });
      }
      await invoice(scene, { movie_other: 5 }, { number: 'INV-2' });
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 100, overrun: 30 });
    });

    test('marks a batch once no movie of it is missing on an invoice', async () => {
      const { scene } = stage;
      const { batchId, a, b } = await delivered(scene, ['a', 'b']);
      const share = () => invoicedShare(scene.ledger.db, batchId);
      await invoice(scene, { [a]: 100 }, { number: 'INV-1' });
      await invoice(scene, { [b]: -10 }, { number: 'CN-1' });
      expect(await share()).toEqual({ movies: 2, invoiced: 1, complete: false });
      const { idempotencyKey } = await scene.row(batchId, 'b');
      const last = { ...invoiceOf(scene, {}), number: 'INV-2', lines: [lineOf({ idempotencyKey })] };
      expect((await reconcileInvoice(scene.ledger, last)).invoicedBatchIds).toEqual([batchId]);
      expect(await share()).toEqual({ movies: 2, invoiced: 2, complete: true });
      await reconcileInvoice(scene.ledger, last);
      const acts = await listAudit(scene.ledger, { object: batchId, limit: 20 });
      expect(acts.filter(({ act }) => act === 'invoiced')).toMatchObject([{ detail: { movies: 2 } }]);
    });

    test('has nothing to say of a batch that made no movie', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'refused', status: 422, code: 'no', message: 'no', retryAfterMs: null });
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'closed' });
      expect(await invoicedShare(scene.ledger.db, batchId)).toEqual({ movies: 0, invoiced: 0, complete: false });
    });

    test('in any order and however often read gives the same corrections, overrun and budgets', async () => {
      const { scene } = stage;
      let worlds = 0;
      const line = fc.record({
        movie: fc.constantFrom('a', 'b', 'c'),
        byKey: fc.boolean(),
        amountMinor: fc.integer({ min: -150, max: 250 }),
      });
      const sets = fc
        .array(fc.array(line, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
        .chain((invoices) => {
          const every = invoices.map((_, index) => index);
          const order = fc.tuple(fc.shuffledSubarray(every, { minLength: every.length }), fc.subarray(every));
          return fc.tuple(fc.constant(invoices), order, order);
        });
      const outcome = async (
        invoices: readonly (readonly { movie: string; byKey: boolean; amountMinor: number }[])[],
        [first, again]: readonly [readonly number[], readonly number[]],
      ) => {
        worlds += 1;
        const [campaign, path] = [`world-${worlds}`, `world-${worlds}`];
        await scene.fund(path, 10_000);
        const submission = { campaign, settings: { budgetPath: path, allowDuplicates: true } };
        const batchId = await scene.make(['a', 'b', 'c'], submission);
        for (const key of ['a', 'b', 'c']) await scene.order(batchId, key);
        for (const index of [...first, ...again]) {
          const lines: InvoiceLine[] = [];
          for (const { movie, byKey, amountMinor } of invoices[index] ?? []) {
            const row = await scene.row(batchId, movie);
            const { idempotencyKey } = row;
            lines.push(lineOf(byKey ? { idempotencyKey, amountMinor } : { movieId: row.movieId, amountMinor }));
          }
          await invoice(scene, {}, { number: `${campaign}-${index}`, lines });
        }
        const entries = await listEntries(scene.ledger, { batchId, limit: 1_000 });
        const corrected: Record<string, number> = {};
        for (const { kind, rowKey, amountMinor } of entries) {
          if (kind === 'correction') corrected[rowKey ?? ''] = (corrected[rowKey ?? ''] ?? 0) + amountMinor;
        }
        const changed = Object.fromEntries(Object.entries(corrected).filter(([, sum]) => sum !== 0));
        const { spentMinor, overrunMinor } = await showBudget(scene.ledger, { path: path, rehearsal: true });
        const { posted, refunded, overrun } = (await scene.batch(batchId)).money;
        return { changed, spentMinor, overrunMinor, posted, refunded, overrun };
      };
      const holds = fc.asyncProperty(sets, async ([invoices, one, other]) => {
        expect(await outcome(invoices, other)).toEqual(await outcome(invoices, one));
      });
      await fc.assert(holds, { numRuns: 15 });
    });

    test('charging what was taken to be refunded takes the refund back', async () => {
      const { scene } = stage;
      const { batchId, movie } = await failedAndRefunded(scene);
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({ spentMinor: 0 });
      await invoice(scene, { [movie]: 100 });
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 100, refunded: 0, overrun: 0 });
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({
        spentMinor: 100,
        overrunMinor: 0,
      });
    });

    test('crediting less than was taken to be refunded neither gives more back nor takes any of it', async () => {
      const { scene } = stage;
      const { batchId, movie } = await failedAndRefunded(scene);
      expect((await listEntries(scene.ledger, { batchId, limit: 10 })).at(-1)).toMatchObject({
        ...{ kind: 'refund', amountMinor: 100, note: 'assumed: a failed movie is not charged' },
      });
      await invoice(scene, { [movie]: -30 }, { number: 'CN-1' });
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 100, refunded: 100, overrun: 0 });
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({ spentMinor: 0 });
    });

    test('marks a canceled batch as well, once no movie of it is missing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const movie = await scene.deliver(batchId, 'a');
      const cancel = { batchId, rowKeys: 'all', actor: oli, reason: 'enough', nowMs: scene.nowMs } as const;
      await requestCancel(scene.ledger, cancel);
      const whole = { ...invoiceOf(scene, { [movie]: 100 }), number: 'INV-1' };
      expect((await reconcileInvoice(scene.ledger, whole)).invoicedBatchIds).toEqual([]); // it is not over yet
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'canceled' });
      expect((await reconcileInvoice(scene.ledger, whole)).invoicedBatchIds).toEqual([batchId]);
    });

    test('two lines of one movie are its sum', async () => {
      const { scene } = stage;
      const { a } = await delivered(scene, ['a']);
      const line = lineOf({ movieId: a });
      const found = await invoice(scene, {}, { lines: [line, line] });
      expect(found.different).toMatchObject([{ invoicedMinor: 200 }]);
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({
        spentMinor: 100,
        overrunMinor: 100,
      });
    });

    test('misses only what was accepted in its time', async () => {
      const { scene } = stage;
      const { a } = await delivered(scene, ['a']);
      const fromMs = scene.nowMs + 1;
      expect((await invoice(scene, {}, { fromMs })).missingThere).toEqual([]);
      expect((await invoice(scene, {}, { untilMs: fromMs })).missingThere).toMatchObject([{ movieId: a }]);
    });

    test('in another currency is refused as a whole', async () => {
      const { scene } = stage;
      const { batchId, a, b } = await delivered(scene, ['a', 'b']);
      const lines = [
        lineOf({ movieId: a, amountMinor: 150 }),
        lineOf({ movieId: b, amountMinor: 150, currency: 'EUR', row: 3 }),
      ];
      const refusal = { code: 'bad_argument', message: expect.stringContaining('row 3') };
      await expect(invoice(scene, {}, { lines })).rejects.toMatchObject(refusal);
      expect((await scene.batch(batchId)).money).toMatchObject({ overrun: 0 });
    });

    test('names a movie by the key of its order as well as by its id', async () => {
      const { scene } = stage;
      const { batchId, a } = await delivered(scene, ['a']);
      const { idempotencyKey } = await scene.row(batchId, 'a');
      const lines = [lineOf({ idempotencyKey, amountMinor: 60 }), lineOf({ movieId: a, amountMinor: 40, row: 3 })];
      expect(await invoice(scene, {}, { lines })).toMatchObject({ matched: [{ movieId: a, invoicedMinor: 100 }] });
    });

    test('with the key of an order whose outcome is unknown says whose it is, and books nothing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'broken' });
      const { idempotencyKey } = await scene.row(batchId, 'a');
      const { missingHere } = await invoice(scene, {}, { lines: [lineOf({ idempotencyKey })] });
      expect(missingHere).toMatchObject([{ idempotencyKey, order: { batchId, rowKey: 'a', money: 'held' } }]);
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held' });
    });

    test('does not miss what is booked as free', async () => {
      const { scene } = stage;
      const { a } = await delivered(scene, ['a']);
      await invoice(scene, { [a]: 0 });
      expect((await invoice(scene, { movie_other: 5 }, { number: 'INV-2' })).missingThere).toEqual([]);
    });

    test('looked at first changes nothing, and is booked only as it was looked at', async () => {
      const { scene } = stage;
      const { batchId, a, b } = await delivered(scene, ['a', 'b']);
      const { different: accepted } = await previewInvoice(scene.ledger, invoiceOf(scene, { [a]: 130, [b]: 100 }));
      expect(accepted).toMatchObject([{ movieId: a, bookedMinor: 100, invoicedMinor: 130 }]);
      expect((await scene.batch(batchId)).money).toMatchObject({ overrun: 0 });
      await invoice(scene, { [a]: 110 }, { number: 'INV-1' });
      const late = invoice(scene, { [a]: 130, [b]: 100 }, { accepted });
      await expect(late).rejects.toMatchObject({ code: 'wrong_state' });
      expect((await scene.batch(batchId)).money).toMatchObject({ overrun: 10 });
    });

    test('read twice writes one record and its corrections once', async () => {
      const { scene } = stage;
      const { a, b } = await delivered(scene, ['a', 'b']);
      const written = async () => {
        const entries = await listEntries(scene.ledger, { limit: 100 });
        const records = await listAudit(scene.ledger, { object: '2026-11', limit: 100 });
        return [entries.filter(({ kind }) => kind === 'correction').length, records.length];
      };
      for (let time = 0; time < 3; time += 1) {
        await invoice(scene, { [a]: 130, [b]: 100 });
        expect(await written()).toEqual([1, 1]);
      }
      await invoice(scene, { movie_other: 5 }, { number: 'INV-2' });
      expect(await written()).toEqual([1, 2]);
      expect(await listAudit(scene.ledger, { object: '2026-11', limit: 2 })).toMatchObject([
        { act: 'reconcile', detail: { different: 0, invoices: [{ number: 'INV-2', lines: 1 }] } },
        { act: 'reconcile', detail: { invoices: [{ number: '2026-11', lines: 2 }] } },
      ]);
    });
  });
}
