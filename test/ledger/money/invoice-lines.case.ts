import { expect, test } from 'vitest';
import { listAudit } from '../../../ledger/access/audit.js';
import { lockBatch } from '../../../ledger/batches/batch-record.js';
import type { Ledger } from '../../../ledger/ledger.js';
import { setBudget, showBudget } from '../../../ledger/money/budgets.js';
import { entriesEnd } from '../../../ledger/money/entry-chain.js';
import { listInvoices } from '../../../ledger/money/invoice-documents.js';
import type { InvoiceLine } from '../../../ledger/money/invoice-match.js';
import { type Invoice, previewInvoice, reconcileInvoice } from '../../../ledger/money/invoices.js';
import { recordPolls } from '../../../ledger/progress/polls.js';
import type { Databases } from '../databases.js';
import { beginsMeanwhile } from '../meanwhile.js';
import { fay, movieId, type Scene, studio } from '../scene.js';
import { suite } from '../suite.js';
import {
  delivered,
  failedAndRefunded,
  invoice,
  invoiceOf,
  lineOf,
  real,
  realMovie,
  takeFailedAsRefunded,
} from './invoice-scene.js';

const dayMs = 24 * 3_600_000;

/** What is said of these lines, which are refused. */
async function refusalOf(scene: Scene, lines: readonly InvoiceLine[]): Promise<unknown> {
  const error = await invoice(scene, {}, { lines }).catch((thrown: unknown) => thrown);
  return error instanceof Error && { ...error, message: error.message };
}

/** What is said of such a refusal. */
const cannot = (why: string) =>
  expect.objectContaining({ code: 'bad_argument', message: `Cannot reconcile 2026-11: ${why}` });

export function invoiceLinesCases(databases: Databases): void {
  suite('a line of an invoice', databases, (stage) => {
    test('whose key is not that of its movie says which row, whose key it is, and which would be right', async () => {
      const { scene } = stage;
      const { batchId, a, b } = await delivered(scene, ['a', 'b']);
      const ofA = (await scene.row(batchId, 'a')).idempotencyKey;
      const ofB = (await scene.row(batchId, 'b')).idempotencyKey;
      const refused = (movie: string, key: string | null) =>
        refusalOf(scene, [lineOf({ movieId: movie, idempotencyKey: key, row: 3 })]);
      const right = `the key of ${a} (${batchId} a) is ${ofA}; correct one of them`;
      expect(await refused(a, ofB)).toEqual(
        cannot(`row 3 names ${a}, and ${ofB} is the key of ${b} (${batchId} b); ${right}`),
      );
      expect(await refused(a, 'gl_nobodys')).toEqual(
        cannot(`row 3 names ${a}, and gl_nobodys is not its key; ${right}`),
      );
      expect(await refused('movie_x', ofB)).toEqual(
        cannot(`row 3 names movie_x, and ${ofB} is the key of ${b} (${batchId} b); correct one of them`),
      );
    });

    test('may name its movie by the id and the key', async () => {
      const { scene } = stage;
      const { batchId, a } = await delivered(scene, ['a']);
      const { idempotencyKey } = await scene.row(batchId, 'a');
      const found = await invoice(scene, {}, { lines: [lineOf({ movieId: a, idempotencyKey, amountMinor: 120 })] });
      expect(found).toMatchObject({ different: [{ movieId: a, invoicedMinor: 120 }], missingHere: [] });
    });

    test('in another currency says which row has which movie, and what it was approved in', async () => {
      const { scene } = stage;
      const { batchId, a } = await delivered(scene, ['a']);
      expect(await refusalOf(scene, [lineOf({ movieId: a, currency: 'EUR', row: 7 })])).toEqual(
        cannot(`row 7 has ${a} (${batchId} a) in EUR, it was approved in USD`),
      );
    });

    test.each([
      ['movie movie_x', { movieId: 'movie_x' }],
      ['key gl_x', { idempotencyKey: 'gl_x' }],
    ])('with %s, that the books do not have, is in one currency', async (name, named) => {
      const { scene } = stage;
      await delivered(scene, ['a']);
      const lines = [lineOf({ ...named, row: 2 }), lineOf({ ...named, currency: 'EUR', row: 3 })];
      expect(await refusalOf(scene, lines)).toEqual(cannot(`${name} is in two currencies, in rows 2 and 3`));
    });

    test('of what the books do not have is said as it stands, with the sum of those that name the same', async () => {
      const { scene } = stage;
      const { a } = await delivered(scene, ['a']);
      const lines = [
        lineOf({ movieId: 'movie_x', amountMinor: 70, description: 'a film', row: 2 }),
        lineOf({ movieId: 'movie_y', idempotencyKey: 'gl_y', amountMinor: 80, row: 3 }),
        lineOf({ idempotencyKey: 'gl_x', amountMinor: 90, row: 4 }),
        lineOf({ idempotencyKey: 'gl_z', amountMinor: 10, row: 5 }),
        lineOf({ movieId: a, row: 6 }),
        lineOf({ movieId: 'movie_x', amountMinor: 7, row: 7 }),
      ];
      const same = { movieId: null, idempotencyKey: null, currency: 'USD', description: null, order: null };
      expect((await invoice(scene, {}, { lines })).missingHere).toEqual([
        { ...same, movieId: 'movie_x', description: 'a film', invoicedMinor: 77, row: 2 },
        { ...same, movieId: 'movie_y', idempotencyKey: 'gl_y', invoicedMinor: 80, row: 3 },
        { ...same, idempotencyKey: 'gl_x', invoicedMinor: 90, row: 4 },
        { ...same, idempotencyKey: 'gl_z', invoicedMinor: 10, row: 5 },
      ]);
    });

    test('that charges nothing makes its movie free', async () => {
      const { scene } = stage;
      const { batchId, a } = await delivered(scene, ['a']);
      expect(await invoice(scene, { [a]: 0 })).toMatchObject({ different: [{ bookedMinor: 100, invoicedMinor: 0 }] });
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 100, refunded: 100 });
    });

    test('is missed of a movie that costs, from the beginning of its time until before the end of it', async () => {
      const { scene } = stage;
      const { movie } = await failedAndRefunded(scene);
      const { a } = await delivered(scene, ['b']);
      expect(movie).not.toBe(a);
      const missing = async (time: Pick<Invoice, 'fromMs' | 'untilMs'>) =>
        (await previewInvoice(scene.ledger, { ...invoiceOf(scene, {}), ...time })).missingThere.map(
          ({ movieId: id }) => id,
        );
      expect(await missing({})).toEqual([a]); // and not what was taken to be refunded
      expect(await missing({ fromMs: scene.nowMs, untilMs: scene.nowMs + 1 })).toEqual([a]);
      expect(await missing({ fromMs: scene.nowMs - 1, untilMs: scene.nowMs })).toEqual([]);
    });
  });

  suite('what is kept of an invoice', databases, (stage) => {
    test('are its lines, as the file has them, and who read it', async () => {
      const { scene } = stage;
      const { batchId, a } = await delivered(scene, ['a']);
      const { idempotencyKey } = await scene.row(batchId, 'a');
      const lines = [
        lineOf({ movieId: a, amountMinor: 130, description: 'a film', row: 2 }),
        lineOf({ idempotencyKey, amountMinor: -20, row: 9 }),
      ];
      await invoice(scene, {}, { lines });
      const columns = ['line', 'movie_id', 'idempotency_key', 'amount_minor', 'currency', 'description'] as const;
      const kept = await scene.ledger.db.selectFrom('invoice_lines').select(columns).orderBy('line').execute();
      expect(kept).toEqual([
        { line: 1, movie_id: a, idempotency_key: null, amount_minor: 130, currency: 'USD', description: 'a film' },
        {
          line: 2,
          movie_id: null,
          idempotency_key: idempotencyKey,
          amount_minor: -20,
          currency: 'USD',
          description: null,
        },
      ]);
      scene.nowMs += dayMs;
      await invoice(scene, { [a]: 5 }, { number: 'INV-2' });
      expect(await listInvoices(scene.ledger.db, studio)).toEqual([
        { number: 'INV-2', readAtMs: scene.nowMs, by: 'fay', lines: 1 },
        { number: '2026-11', readAtMs: scene.nowMs - dayMs, by: 'fay', lines: 2 },
      ]);
      expect(await listInvoices(scene.ledger.db, { ...studio, name: 'another' })).toEqual([]);
    });

    test('is of one service: another one, which the books hear of for the first time, has numbers of its own', async () => {
      const { scene } = stage;
      const { a } = await delivered(scene, ['a']);
      await invoice(scene, { [a]: 100 });
      const over = { service: { ...studio, baseUrl: 'https://other.example' } };
      const first = { missingHere: [{ movieId: a }], matched: [], different: [], missingThere: [], readBefore: [] };
      expect(await previewInvoice(scene.ledger, { ...invoiceOf(scene, { [a]: 30 }), ...over })).toMatchObject(first);
      expect(await invoice(scene, { [a]: 30 }, over)).toMatchObject(first);
      expect(await invoice(scene, { [a]: 30 }, over)).toMatchObject({ readBefore: [{ number: '2026-11' }] });
      expect(await listInvoices(scene.ledger.db, over.service)).toMatchObject([{ number: '2026-11', lines: 1 }]);
    });

    test('counts in the next look as well, which books nothing', async () => {
      const { scene } = stage;
      const { a, b } = await delivered(scene, ['a', 'b']);
      await invoice(scene, { [a]: 100, [b]: 100 });
      const look = (amounts: Readonly<Record<string, number>>, over: Partial<Invoice>) =>
        previewInvoice(scene.ledger, { ...invoiceOf(scene, amounts), ...over });
      expect(await look({ [a]: 60 }, { number: 'INV-2' })).toMatchObject({
        ...{ different: [{ movieId: a, invoicedMinor: 160 }], readBefore: [], missingThere: [] },
      });
      const again = await look({ [a]: 100, [b]: 100 }, {});
      expect(again).toMatchObject({ matched: [{}, {}], readBefore: [{ number: '2026-11', readAtMs: scene.nowMs }] });
    });

    test('is the same invoice with its lines in another order, and another one where a line differs', async () => {
      const { scene } = stage;
      const { a, b } = await delivered(scene, ['a', 'b']);
      const lines = [a, b].map((movie, index) => lineOf({ movieId: movie, row: index + 2 }));
      await invoice(scene, {}, { lines });
      const turned = await invoice(scene, {}, { lines: lines.toReversed(), name: 'turned.csv' });
      expect(turned).toMatchObject({ different: [], readBefore: [{ number: '2026-11' }] });
      scene.nowMs += dayMs;
      const other = lines.map((line) => ({ ...line, description: 'a film' }));
      expect(await refusalOf(scene, other)).toEqual(
        cannot(
          'an invoice of that number was read on 2026-11-28 with other lines; ' +
            'if this is another invoice, or what changed of that one, give it its own number with --number',
        ),
      );
    });

    test('is another invoice where its lines say another number, be the rest the same', async () => {
      const { scene } = stage;
      const { batchId, a } = await delivered(scene, ['a']);
      for (const number of ['INV-1', 'INV-2', 'INV-1']) {
        await invoice(scene, {}, { name: `${number}.csv`, lines: [lineOf({ movieId: a, invoice: number })] });
      }
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 100, overrun: 100 });
    });

    test('by the name of a file alone is the same invoice when its number is said later', async () => {
      const { scene } = stage;
      const { batchId, a } = await delivered(scene, ['a']);
      await invoice(scene, { [a]: 130 }, { name: 'november.csv' });
      expect(await invoice(scene, { [a]: 130 }, { number: 'INV-1' })).toMatchObject({
        ...{ different: [], matched: [{ invoicedMinor: 130 }], readBefore: [{ number: 'november.csv' }] },
      });
      expect((await scene.batch(batchId)).money).toMatchObject({ overrun: 30 });
    });
  });

  suite('what an invoice changes', databases, (stage) => {
    test('is in the audit with its counts and where the entries of each batch end', async () => {
      const { scene } = stage;
      const { batchId, a, b } = await delivered(scene, ['a', 'b', 'c']);
      const booked = await reconcileInvoice(
        scene.ledger,
        invoiceOf(scene, { [a]: 100, [b]: 130, movie_x: 5, movie_y: 6 }),
      );
      expect(booked).toMatchObject({ batchIds: [batchId], invoicedBatchIds: [] });
      const end = await scene.ledger.write((tx) => entriesEnd(tx, batchId));
      const counts = { matched: 1, different: 1, missing_here: 2, missing_there: 1 };
      expect(await listAudit(scene.ledger, { object: '2026-11', limit: 5 })).toMatchObject([
        { act: 'reconcile', actor: { name: 'fay' }, detail: { ...counts, batches: [{ batch: batchId, ...end }] } },
      ]);
    });

    test('is recorded as well where its invoices were read before', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      const { idempotencyKey } = await scene.row(batchId, 'a');
      const early = { lines: [lineOf({ idempotencyKey, amountMinor: 130 })] };
      expect(await invoice(scene, {}, early)).toMatchObject({ missingHere: [{ order: { money: 'held' } }] });
      await scene.answer(batchId, 'a', { kind: 'movie', movieId: movieId(), echo: 'matches' });
      const later = await reconcileInvoice(scene.ledger, { ...invoiceOf(scene, {}), ...early });
      expect(later).toMatchObject({ batchIds: [batchId], match: { readBefore: [{ number: '2026-11' }] } });
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 100, overrun: 30 });
      expect(await listAudit(scene.ledger, { object: '2026-11', limit: 5 })).toMatchObject([
        { detail: { different: 1, invoices: [], batches: [{ batch: batchId }] } },
        { detail: { different: 0, invoices: [{ number: '2026-11' }], batches: [] } },
      ]);
    });

    test('is booked as it was looked at, and refused where the books went on meanwhile', async () => {
      const { scene } = stage;
      const { batchId, a, b } = await delivered(scene, ['a', 'b']);
      const asked = invoiceOf(scene, { [a]: 130, [b]: 60 });
      const { different: accepted } = await previewInvoice(scene.ledger, asked);
      expect(await reconcileInvoice(scene.ledger, { ...asked, accepted })).toMatchObject({ batchIds: [batchId] });
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 200, refunded: 40, overrun: 30 });
      await expect(invoice(scene, { [a]: 5 }, { number: 'INV-2', accepted })).rejects.toMatchObject({
        ...{ code: 'wrong_state' },
        message: 'Cannot reconcile 2026-11: the ledger changed since the differences were shown; review them again',
      });
    });

    test('passes the share of a limit of real money, or of rehearsals, alone', async () => {
      const { scene } = stage;
      for (const rehearsal of [false, true]) {
        const level = { path: 'real', rehearsal, limitMinor: 1_000, currency: 'USD', notifyPercent: 50 };
        await setBudget(scene.ledger, { ...level, actor: fay, nowMs: scene.nowMs });
      }
      const movie = await realMovie(scene, 'real');
      await invoice(scene, { [movie]: 600 }, { service: real });
      const notified = async (rehearsal: boolean) =>
        (await showBudget(scene.ledger, { path: 'real', rehearsal })).notifiedMs;
      expect([await notified(false), await notified(true)]).toEqual([scene.nowMs, null]);
    });

    test('is what differs once whoever moves money of a batch is done', async () => {
      const { scene } = stage;
      await takeFailedAsRefunded(scene);
      const batchId = await scene.make(['a']);
      const movie = await scene.order(batchId, 'a');
      const poll = {
        kind: 'answered',
        rowKey: 'a',
        movieId: movie,
        status: 'failed',
        percent: null,
        stage: null,
      } as const;
      const polls = [{ ...poll, error: null, cancelSent: false, followAtMs: scene.nowMs }];
      const reconcile = (other: Ledger) => reconcileInvoice(other, invoiceOf(scene, { [movie]: 130 }));
      const outcome = await beginsMeanwhile(stage, reconcile, (begin) => {
        const write: Ledger['write'] = (work, options) =>
          scene.ledger.write(async (tx) => {
            const done = await work(tx);
            await begin();
            return done;
          }, options);
        return recordPolls({ ...scene.ledger, write }, { batchId, polls });
      });
      expect(outcome).toMatchObject({ match: { different: [{ bookedMinor: 0, invoicedMinor: 130 }] } });
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 100, refunded: 0, overrun: 30 });
    });

    test.skipIf(databases.name === 'SQLite')(
      'is asked for again where it turns out to be of one more batch',
      async () => {
        const { scene } = stage;
        const one = await delivered(scene, ['a']);
        const other = await scene.make(['b'], { campaign: 'winter' });
        await scene.admit(other, 'b');
        const { idempotencyKey } = await scene.row(other, 'b');
        const lines = [lineOf({ movieId: one.a, amountMinor: 130 }), lineOf({ idempotencyKey, amountMinor: 140 })];
        const asked = { ...invoiceOf(scene, {}), lines };
        const outcome = await beginsMeanwhile(
          stage,
          (rival) => reconcileInvoice(rival, asked),
          (begin) =>
            scene.ledger.write(async (tx) => {
              await lockBatch(tx, one.batchId);
              await begin();
              await scene.answer(other, 'b', { kind: 'movie', movieId: movieId(), echo: 'matches' });
            }),
        );
        expect(outcome).toMatchObject({ code: 'wrong_state', message: 'Cannot reconcile 2026-11: try again' });
        expect(await scene.ledger.db.selectFrom('invoices').selectAll().execute()).toEqual([]);
        expect((await invoice(scene, {}, { lines })).different).toHaveLength(2);
        expect((await scene.batch(other)).money).toMatchObject({ posted: 100, overrun: 40 });
      },
    );
  });
}
