import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { listAudit } from '../../../ledger/access/audit.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import { countRows } from '../../../ledger/batches/rows.js';
import { showBudget, stopBudget } from '../../../ledger/money/budgets.js';
import { listEntries } from '../../../ledger/money/entries.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { pauseBatch } from '../../../ledger/stops/stops.js';
import type { Databases } from '../databases.js';
import { ada, fay, oli, type Scene } from '../scene.js';
import { type Stage, suite } from '../suite.js';
import type { RivalWork } from './rival.js';
import { createRivals } from './rivals.js';

const atOnce = 4;
const testTime = { timeout: 120_000 };

const keysOf = (count: number) => Array.from({ length: count }, (_, index) => `row-${String(index).padStart(3, '0')}`);

function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  return [...items]
    .map((item, index) => ({ item, order: Math.imul(index + 1, 2_654_435_761 + seed * 97) >>> 0 }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

/** The same work for each process, each in its own order. */
function each(stage: Stage, what: (share: number) => RivalWork['what']): readonly RivalWork[] {
  const { url, scene } = stage;
  return Array.from({ length: atOnce }, (_, share) => ({ url, nowMs: scene.nowMs, what: what(share) }));
}

function count(outcomes: readonly (readonly string[])[], outcome: string): number {
  return outcomes.flat().filter((one) => one === outcome).length;
}

/** Entries that were made after a decision was recorded, in the ledger's own sequence. */
async function holdsAfter(scene: Scene, batchId: string, act: string, object = batchId): Promise<number> {
  const events = await listAudit(scene.ledger, { object, limit: 100 });
  const decision = events.find((event) => event.act === act);
  if (!decision) throw new Error(`no ${act} was recorded`);
  const later = await listEntries(scene.ledger, { batchId, after: decision.afterEntry, limit: 1_000 });
  return later.filter(({ kind }) => kind === 'hold').length;
}

export function processesCases(databases: Databases): void {
  suite(`${atOnce} processes at once`, databases, (stage) => {
    const rivals = createRivals();
    afterAll(() => rivals.end());
    const race = async (works: readonly RivalWork[]) => (await rivals.prepare(works))();

    test('BerriAI/litellm#34732: approve plans against money for seven: seven are approved', testTime, async () => {
      const { scene } = stage;
      await scene.fund('acme', 750);
      const batchIds: string[] = [];
      for (const campaign of keysOf(50)) batchIds.push(await scene.seal([campaign], { campaign }));
      const found = await race(each(stage, (share) => ({ kind: 'approve', batchIds: shuffled(batchIds, share) })));
      const batches = await Promise.all(batchIds.map((batchId) => scene.batch(batchId)));
      expect(batches.filter(({ state }) => state === 'making')).toHaveLength(7);
      expect(await showBudget(scene.ledger, { path: 'acme', rehearsal: true })).toMatchObject({
        committedMinor: 700,
        spentMinor: 0,
      });
      // Every process hears of the same decisions: approved by it or by another before.
      expect(count(found, 'no_room') + count(found, 'approved')).toBe(atOnce * 50);
      const commits = await listEntries(scene.ledger, { limit: 1_000 });
      expect(commits.map(({ kind }) => kind)).toEqual(Array(7).fill('commit'));
    });

    test(
      'BerriAI/litellm#34732: order two hundred rows against an approved amount for sixty: sixty are ordered',
      testTime,
      async () => {
        const { scene } = stage;
        const keys = keysOf(200);
        const batchId = await scene.make(keys);
        const { db } = scene.ledger;
        await db
          .updateTable('batches')
          .set({ approved_minor: 60 * 100 })
          .where('batch_id', '=', batchId)
          .execute();
        const share = (index: number) => keys.slice(index * 50, (index + 1) * 50);
        const found = await race(
          each(stage, (index) => ({ kind: 'admit', batchId, rowKeys: shuffled(share(index), index) })),
        );
        await db
          .updateTable('batches')
          .set({ approved_minor: 200 * 100 })
          .where('batch_id', '=', batchId)
          .execute();
        expect(count(found, 'send')).toBe(60);
        expect(count(found, 'corrupt_books')).toBe(140);
        expect((await scene.batch(batchId)).money).toMatchObject({ held: 6_000 });
      },
    );

    test('order the same rows: each is held once, and its key is one', testTime, async () => {
      const { scene } = stage;
      const keys = keysOf(100);
      const batchId = await scene.make(keys);
      await race(each(stage, (index) => ({ kind: 'admit', batchId, rowKeys: shuffled(keys, index) })));
      const entries = await listEntries(scene.ledger, { batchId, limit: 1_000 });
      expect(entries.filter(({ kind }) => kind === 'hold')).toHaveLength(100);
      const orders = await scene.ledger.db.selectFrom('orders').selectAll().execute();
      expect(orders).toHaveLength(100);
      expect(new Set(orders.map(({ attempt }) => attempt))).toEqual(new Set([1]));
    });

    test('order within an in-flight limit over two batches: never more than the limit', testTime, async () => {
      const { scene } = stage;
      const keys = keysOf(60);
      const batches = [
        await scene.make(keys),
        await scene.make(keys, { campaign: 'winter', settings: { allowDuplicates: true } }),
      ];
      await setPolicy(scene.ledger, { change: { maxInFlight: 17 }, actor: ada, nowMs: scene.nowMs });
      const found = await race(
        each(stage, (index) => ({
          kind: 'admit',
          batchId: batches[index % 2] ?? '',
          rowKeys: shuffled(keys, index),
        })),
      );
      expect(count(found, 'in_flight')).toBeGreaterThan(0);
      const counts = await Promise.all(batches.map((batchId) => countRows(scene.ledger, batchId)));
      expect(counts.reduce((sum, { ordering = 0 }) => sum + ordering, 0)).toBe(17);
    });

    const barriers: Readonly<
      Record<
        string,
        {
          readonly act: string;
          readonly object?: string;
          readonly set: (scene: Scene, batchId: string) => Promise<unknown>;
        }
      >
    > = {
      pause: { act: 'pause', set: ({ ledger, nowMs }, batchId) => pauseBatch(ledger, { batchId, actor: oli, nowMs }) },
      cancel: {
        act: 'cancel',
        set: ({ ledger, nowMs }, batchId) =>
          requestCancel(ledger, { batchId, rowKeys: 'all', actor: oli, reason: 'no', nowMs }),
      },
      'budget stop': {
        ...{ act: 'budget_stop', object: 'acme' },
        set: ({ ledger, nowMs }) => stopBudget(ledger, { path: 'acme', actor: fay, nowMs }),
      },
    };

    test.each(Object.entries(barriers))(
      'order while a %s comes: one of the two is first',
      testTime,
      async (_, barrier) => {
        const { scene } = stage;
        const keys = keysOf(300);
        const batchId = await scene.make(keys);
        const start = await rivals.prepare(
          each(stage, (index) => ({
            kind: 'admit',
            batchId,
            rowKeys: shuffled(keys.slice(index * 75, (index + 1) * 75), index),
          })),
        );
        const going = start();
        // Somewhere in the middle, as far as this machine lets us choose.
        while ((await scene.batch(batchId)).money.held === 0) await sleep(1);
        await barrier.set(scene, batchId);
        const found = await going;
        expect(await holdsAfter(scene, batchId, barrier.act, barrier.object ?? batchId)).toBe(0);
        const sent = count(found, 'send');
        const { held } = (await scene.batch(batchId)).money;
        expect(held).toBe(sent * 100);
        expect(sent + count(found, 'paused') + count(found, 'settled') + count(found, 'budget')).toBe(300);
      },
    );

    test('order rows that are refused until the batch trips: nothing is held after that', testTime, async () => {
      const { scene } = stage;
      const keys = keysOf(100);
      const batchId = await scene.make(keys, { settings: { tolerance: 20 } });
      const found = await race(
        each(stage, (index) => ({ kind: 'be refused', batchId, rowKeys: keys.slice(index * 25, (index + 1) * 25) })),
      );
      expect(await holdsAfter(scene, batchId, 'tripped')).toBe(0);
      // Those that were under way at the trip may still be refused.
      expect(count(found, 'refused')).toBeGreaterThan(20);
      expect(count(found, 'refused')).toBeLessThanOrEqual(20 + atOnce);
      expect((await scene.batch(batchId)).failedRows).toBe(count(found, 'refused'));
    });
  });
}
