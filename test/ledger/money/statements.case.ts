import { expect, test } from 'vitest';
import { insertMany } from '../../../ledger/database/insert-many.js';
import { eachEntry, listEntries } from '../../../ledger/money/entries.js';
import { rowEntries } from '../../../ledger/money/row-entries.js';
import { type SpendQuestion, spendByDay } from '../../../ledger/money/spend.js';
import { eachMovement, type MovementFilter, notesHaveForeignText } from '../../../ledger/money/statement.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { type Scene, sam } from '../scene.js';
import { suite } from '../suite.js';
import { delivered, failedAndRefunded, invoice, real, realMovie } from './invoice-scene.js';

const dayMs = 24 * 3_600_000;

async function movements(scene: Scene, filter: MovementFilter = {}) {
  const found = [];
  for await (const movement of eachMovement(scene.ledger, filter)) found.push(movement);
  return found;
}

/** A batch of two movies; a day later one of another person's, and a dearer invoice of the first. */
async function twoDays(scene: Scene) {
  const first = await delivered(scene, ['a', 'b']);
  scene.nowMs += dayMs;
  const second = await scene.make(['c'], { campaign: 'winter', actor: { ...sam, name: 'ole' } });
  await scene.deliver(second, 'c');
  await invoice(scene, { [first.a]: 130 });
  return { ...first, second };
}

export function statementsCases(databases: Databases): void {
  suite('spend', databases, (stage) => {
    test('is what the entries of each day say', async () => {
      const { scene } = stage;
      const { batchId, second } = await twoDays(scene);
      const same = { service: 'studio', rehearsal: true, budgetPath: 'acme/spring', currency: 'USD' };
      const none = { postedMinor: 0, refundedMinor: 0, correctedMinor: 0, overrunMinor: 0, movies: 0 };
      expect(await spendByDay(scene.ledger)).toEqual([
        { ...same, ...none, day: '2026-11-28', batchId, campaign: 'spring', postedMinor: 200, movies: 2 },
        { ...same, ...none, day: '2026-11-29', batchId, campaign: 'spring', correctedMinor: 30, overrunMinor: 30 },
        { ...same, ...none, day: '2026-11-29', batchId: second, campaign: 'winter', postedMinor: 100, movies: 1 },
      ]);
    });

    test('is asked of a time, a campaign, a batch and a person, by the days of whoever asks', async () => {
      const { scene } = stage;
      const { batchId, second } = await twoDays(scene);
      const asked = async (question: SpendQuestion) =>
        (await spendByDay(scene.ledger, question)).map(({ day, batchId: of }) => [day, of]);
      const [early, corrected, late] = [
        ['2026-11-28', batchId],
        ['2026-11-29', batchId],
        ['2026-11-29', second],
      ];
      expect(await asked({ campaign: 'winter' })).toEqual([late]);
      expect(await asked({ batchId })).toEqual([early, corrected]);
      expect(await asked({ fromMs: scene.nowMs })).toEqual([corrected, late]);
      expect(await asked({ untilMs: scene.nowMs })).toEqual([early]);
      expect(await asked({ inCampaignsOf: 'ole' })).toEqual([late]);
      expect(await asked({ inCampaignsOf: 'nobody' })).toEqual([]);
      expect(await asked({ offsetMinutes: 12 * 60, batchId: second })).toEqual([['2026-11-30', second]]);
      expect(await asked({ offsetMinutes: -12 * 60 - 1, batchId: second })).toEqual([['2026-11-28', second]]);
    });

    test('names what was taken to be refunded, apart from what was posted', async () => {
      const { scene } = stage;
      await failedAndRefunded(scene);
      expect(await spendByDay(scene.ledger)).toMatchObject([
        { postedMinor: 100, refundedMinor: 100, correctedMinor: 0, movies: 1 },
      ]);
    });
  });

  suite('a statement', databases, (stage) => {
    test('has every movement in its order, with all that a book-keeper asks about it', async () => {
      const { scene } = stage;
      const { batchId, a } = await delivered(scene, ['a']);
      await invoice(scene, { [a]: 130 });
      const ofBatch = { batchId, campaign: 'spring', budgetPath: 'acme/spring', service: 'studio', rehearsal: true };
      const same = { ...ofBatch, atMs: scene.nowMs, currency: 'USD', amountMinor: 100, spentMinor: 0, overrunMinor: 0 };
      const ofRow = { ...same, rowKey: 'a', attempt: 1, movieId: a, note: null };
      const found = await movements(scene);
      expect(found).toEqual([
        { ...same, entryId: 1, kind: 'commit', rowKey: null, attempt: null, movieId: null, note: null },
        { ...ofRow, entryId: 2, kind: 'hold' },
        { ...ofRow, entryId: 3, kind: 'post', spentMinor: 100 },
        {
          ...ofRow,
          entryId: 4,
          kind: 'correction',
          amountMinor: 30,
          spentMinor: 30,
          overrunMinor: 30,
          note: 'invoice 2026-11',
        },
      ]);
    });

    test('counts as spent what was posted less refunds, and nothing that is only set aside or given back', async () => {
      const { scene } = stage;
      await failedAndRefunded(scene);
      const batchId = await scene.make(['b', 'c'], { campaign: 'winter' });
      await scene.admit(batchId, 'b');
      await scene.answer(batchId, 'b', { kind: 'refused', status: 422, code: 'no', message: 'no', retryAfterMs: null });
      await scene.deliver(batchId, 'c');
      await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      const found = await movements(scene, { campaign: 'winter' });
      expect(found.map(({ kind, spentMinor }) => [kind, spentMinor])).toEqual([
        ...[
          ['commit', 0],
          ['hold', 0],
          ['release', 0],
          ['hold', 0],
          ['post', 100],
          ['uncommit', 0],
        ],
      ]);
      const refund = (await movements(scene, { campaign: 'spring' })).at(-1);
      expect(refund).toMatchObject({ kind: 'refund', amountMinor: 100, spentMinor: -100 });
    });

    test('is asked of a time, a campaign and a person', async () => {
      const { scene } = stage;
      const { batchId, second } = await twoDays(scene);
      const asked = async (filter: MovementFilter) => {
        const batches = (await movements(scene, filter)).map((movement) => movement.batchId);
        return [batches.filter((id) => id === batchId).length, batches.filter((id) => id === second).length];
      };
      expect(await asked({})).toEqual([6, 3]);
      expect(await asked({ campaign: 'winter' })).toEqual([0, 3]);
      expect(await asked({ fromMs: scene.nowMs })).toEqual([1, 3]);
      expect(await asked({ untilMs: scene.nowMs })).toEqual([5, 0]);
      expect(await asked({ inCampaignsOf: 'ole' })).toEqual([0, 3]);
      expect(await asked({ inCampaignsOf: null })).toEqual([6, 3]);
    });

    test('tells real money from rehearsals, as the spend by days does', async () => {
      const { scene } = stage;
      await scene.fund('real', 1_000, real);
      await realMovie(scene, 'real');
      await delivered(scene, ['a']);
      const kinds = (found: readonly { readonly service: string; readonly rehearsal: boolean }[]) =>
        new Set(found.map(({ service, rehearsal }) => `${service} ${rehearsal ? 'rehearsed' : 'real'}`));
      const both = new Set(['movies real', 'studio rehearsed']);
      expect(kinds(await movements(scene))).toEqual(both);
      expect(kinds(await spendByDay(scene.ledger))).toEqual(both);
    });

    test('knows a note that has text beyond ASCII', async () => {
      const { scene } = stage;
      const { a } = await delivered(scene, ['a']);
      await invoice(scene, { [a]: 130 });
      expect(await notesHaveForeignText(scene.ledger)).toBe(false);
      await invoice(scene, { [a]: 5 }, { name: 'März.csv' });
      expect(await notesHaveForeignText(scene.ledger)).toBe(true);
    });
  });

  suite('entries', databases, (stage) => {
    test('are read in the order in which they were made', async () => {
      const { scene } = stage;
      const { batchId } = await delivered(scene, ['a', 'b']);
      const kinds: string[] = [];
      for await (const { kind } of eachEntry(scene.ledger, { batchId })) kinds.push(kind);
      expect(kinds).toEqual(['commit', 'hold', 'post', 'hold', 'post']);
    });

    test('say what, when, for which order and how much; of a batch, a row, and after one that is known', async () => {
      const { scene } = stage;
      const { batchId, a } = await delivered(scene, ['a']);
      const [bookedMs, note] = [scene.nowMs, 'invoice 2026-11'];
      const other = await scene.make(['b'], { campaign: 'winter' });
      scene.nowMs += dayMs;
      await invoice(scene, { [a]: 130 });
      const ofRow = {
        batchId,
        rowKey: 'a',
        attempt: 1,
        amountMinor: 100,
        overrunMinor: 0,
        currency: 'USD',
        note: null,
      };
      const correction = { ...ofRow, entryId: 5, kind: 'correction', amountMinor: 30, overrunMinor: 30, note };
      expect(await listEntries(scene.ledger, { batchId, rowKey: 'a', limit: 10 })).toEqual([
        { ...ofRow, atMs: bookedMs, entryId: 2, kind: 'hold' },
        { ...ofRow, atMs: bookedMs, entryId: 3, kind: 'post' },
        { ...correction, atMs: scene.nowMs },
      ]);
      const numbers = async (filter: Parameters<typeof eachEntry>[1]) => {
        const found: number[] = [];
        for await (const { entryId } of eachEntry(scene.ledger, filter)) found.push(entryId);
        return found;
      };
      expect(await numbers({})).toEqual([1, 2, 3, 4, 5]);
      expect(await numbers({ after: 3 })).toEqual([4, 5]);
      expect(await numbers({ batchId: other })).toEqual([4]);
      expect(await listEntries(scene.ledger, { limit: 2 })).toMatchObject([{ entryId: 1 }, { entryId: 2 }]);
      expect(await rowEntries(scene.ledger.db, { batchId, rowKey: 'a' })).toEqual([
        { atMs: bookedMs, kind: 'hold', attempt: 1, amountMinor: 100, currency: 'USD', note: null },
        { atMs: bookedMs, kind: 'post', attempt: 1, amountMinor: 100, currency: 'USD', note: null },
        { atMs: scene.nowMs, kind: 'correction', attempt: 1, amountMinor: 30, currency: 'USD', note },
      ]);
      expect(await rowEntries(scene.ledger.db, { batchId: other, rowKey: 'a' })).toEqual([]);
    });

    test('are read by pages of a thousand, each of them once', async () => {
      stage.leavesFaults('entry_chain'); // entries that nobody booked
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const booked = { batchId, amountMinor: 0, currency: 'USD', atMs: scene.nowMs };
      const rows = Array.from({ length: 2_000 }, (_, index) => ({ ...booked, note: `entry ${index}` }));
      await scene.ledger.write((tx) =>
        insertMany(tx, 'entries', {
          rows,
          columns: [
            ['kind', 'release'],
            ['batch_id', 'text', (row) => row.batchId],
            ['amount_minor', 'int', (row) => row.amountMinor],
            ['currency', 'text', (row) => row.currency],
            ['at_ms', 'int', (row) => row.atMs],
            ['note', 'text', (row) => row.note],
          ],
        }),
      );
      const expected = [null, ...rows.map(({ note }) => note)].toSorted();
      const notes: (string | null)[] = [];
      for await (const { note } of eachEntry(scene.ledger)) notes.push(note);
      expect(notes.toSorted()).toEqual(expected);
      expect((await movements(scene)).map(({ note }) => note).toSorted()).toEqual(expected);
    });
  });
}
