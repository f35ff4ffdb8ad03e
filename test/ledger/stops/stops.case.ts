import { expect, test } from 'vitest';
import { listAudit } from '../../../ledger/access/audit.js';
import { sliceBatch, sliceRows, slicesBegun } from '../../../ledger/batches/slices.js';
import { startBudget, stopBudget } from '../../../ledger/money/budgets.js';
import { admissionOpen } from '../../../ledger/orders/free-places.js';
import { resolveUnknown } from '../../../ledger/orders/resolve-unknown.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { recordLost } from '../../../ledger/progress/deliveries.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { continueBatch, pauseBatch, resumeBatch } from '../../../ledger/stops/stops.js';
import type { Databases } from '../databases.js';
import { fay, movieId, oli, type Scene } from '../scene.js';
import { suite } from '../suite.js';

const by = (scene: Scene, batchId: string) => ({ batchId, actor: oli, nowMs: scene.nowMs });
const refused = { kind: 'refused', status: 400, code: 'no', message: 'no', retryAfterMs: null } as const;

export function stopsCases(databases: Databases): void {
  suite('stops', databases, (stage) => {
    test('a pause admits nothing, lets the rest go on, and ends by resume', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.order(batchId, 'a');
      await pauseBatch(scene.ledger, { ...by(scene, batchId), reason: 'lunch' });
      expect(await scene.admit(batchId, 'b')).toEqual({ kind: 'blocked', reason: 'paused' });
      expect((await scene.batch(batchId)).stops).toEqual([
        {
          ...{ kind: 'paused', sinceMs: scene.nowMs, detail: 'paused by oli: lunch', endsBy: 'operator' },
          command: `greenlight resume ${batchId}`,
        },
      ]);
      expect(await admissionOpen(scene.ledger, { batchId })).toMatchObject({
        room: 0,
        stopped: true,
      });
      await scene.look(batchId, 'a', 'completed');
      await scene.archive(batchId, 'a');
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'delivered' });
      await resumeBatch(scene.ledger, by(scene, batchId));
      expect(await scene.admit(batchId, 'b')).toMatchObject({ kind: 'send' });
    });

    /** Puts the stop on, and takes it off again. */
    const stops: Readonly<
      Record<
        string,
        readonly [
          (scene: Scene, batchId: string) => Promise<unknown>,
          (scene: Scene, batchId: string) => Promise<unknown>,
        ]
      >
    > = {
      paused: [
        (scene, batchId) => pauseBatch(scene.ledger, by(scene, batchId)),
        (scene, batchId) => resumeBatch(scene.ledger, by(scene, batchId)),
      ],
      tripped: [
        async (scene, batchId) => {
          await scene.admit(batchId, 'c');
          await scene.answer(batchId, 'c', refused);
        },
        (scene, batchId) => continueBatch(scene.ledger, by(scene, batchId)),
      ],
      credentials: [
        async (scene, batchId) => {
          await scene.admit(batchId, 'c');
          await scene.answer(batchId, 'c', { ...refused, status: 401 });
        },
        (scene, batchId) => resumeBatch(scene.ledger, by(scene, batchId)),
      ],
      budget: [
        (scene) => stopBudget(scene.ledger, { path: 'acme', actor: fay, nowMs: scene.nowMs }),
        (scene) => startBudget(scene.ledger, { path: 'acme', actor: fay, nowMs: scene.nowMs }),
      ],
      restored: [
        (scene) => scene.ledger.db.updateTable('ledger').set({ halted: 'the archive is ahead' }).execute(),
        (scene) => scene.ledger.db.updateTable('ledger').set({ halted: null }).execute(),
      ],
    };

    /** What a person is told to type. */
    const endsBy = (kind: string, batchId: string) => {
      if (kind === 'budget') return 'greenlight budget start acme';
      if (kind === 'restored') return 'greenlight reconcile restored';
      return `greenlight ${kind === 'tripped' ? 'continue' : 'resume'} ${batchId}`;
    };

    test.each(Object.keys(stops))(
      '%s: no repeat leaves, whether an earlier send may have arrived or not',
      async (kind) => {
        const { scene } = stage;
        const batchId = await scene.make(['a', 'b', 'c', 'd'], { settings: { tolerance: 0 } });
        await scene.admit(batchId, 'a');
        await scene.answer(batchId, 'a', { kind: 'not_connected' });
        for (const rowKey of ['b', 'd']) await scene.admit(batchId, rowKey);
        await scene.answer(batchId, 'b', { kind: 'lost' });
        const [stop, end] = stops[kind] ?? [];
        await stop?.(scene, batchId);
        scene.nowMs += 60_000;
        // `d` is a process that died after its admission.
        for (const rowKey of ['a', 'b', 'd']) {
          expect(await scene.admit(batchId, rowKey)).toEqual({ kind: 'blocked', reason: kind });
          expect(await scene.row(batchId, rowKey)).toMatchObject({
            ...{
              state: 'ordering',
              money: 'held',
              alarm: expect.stringContaining(`stop "${kind}" (${endsBy(kind, batchId)})`),
            },
          });
        }
        expect((await scene.row(batchId, 'a')).alarm).toContain('nothing has arrived');
        expect((await scene.row(batchId, 'b')).alarm).toContain('may have arrived');
        await end?.(scene, batchId);
        for (const rowKey of ['a', 'b', 'd']) {
          expect(await scene.admit(batchId, rowKey)).toMatchObject({ kind: 'send', attempt: 1 });
          expect((await scene.row(batchId, rowKey)).alarm).toBeNull();
          await scene.answer(batchId, rowKey, { kind: 'movie', movieId: movieId(), echo: 'matches' });
        }
      },
    );

    test('a row that waits for the end of a stop becomes unknown when the service may have forgotten its key', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'lost' });
      await scene.admit(batchId, 'b');
      await scene.answer(batchId, 'b', { kind: 'not_connected' });
      await pauseBatch(scene.ledger, by(scene, batchId));
      const open = () => admissionOpen(scene.ledger, { batchId });
      expect((await open()).room).toBe(0);
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'blocked', reason: 'paused' });
      scene.nowMs += 60_000;
      expect((await open()).room).toBe(0); // its key is remembered: there is nothing to ask before the end of the stop
      scene.nowMs += 24 * 3_600_000;
      const asked = await open();
      expect(asked).toMatchObject({ stopped: true, stops: [{ kind: 'paused' }] });
      expect(asked.room).toBeGreaterThan(1); // so that the row asks again
      expect(await scene.admit(batchId, 'b')).toEqual({ kind: 'blocked', reason: 'paused' });
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held', alarm: null });
      expect((await open()).room).toBe(0);
    });

    test('a resend that a person allowed waits for the end of a stop, too, and then is one send', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'broken' });
      await pauseBatch(scene.ledger, by(scene, batchId));
      const resolution = { kind: 'resend' } as const;
      for (const name of ['fay', 'flo']) {
        const request = { batchId, rowKey: 'a', resolution, actor: { ...fay, name }, nowMs: scene.nowMs };
        await resolveUnknown(scene.ledger, request);
      }
      scene.nowMs += 48 * 3_600_000;
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'blocked', reason: 'paused' });
      expect((await admissionOpen(scene.ledger, { batchId })).room).toBe(0);
      await resumeBatch(scene.ledger, by(scene, batchId));
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send', attempt: 1 });
    });

    test('no stop is made of a key that the service may have forgotten', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { maxInFlight: 1 } });
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'lost' });
      scene.nowMs += 25 * 3_600_000;
      expect(await admissionOpen(scene.ledger, { batchId })).toEqual({
        ...{ room: 0, stopped: false, stops: [], pauseMs: 0 },
      });
    });

    test('while the service wants no order there is no room, and it is said for how long', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const open = () => admissionOpen(scene.ledger, { batchId });
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { ...refused, status: 429, retryAfterMs: 3_000 });
      expect(await open()).toMatchObject({ room: 0, pauseMs: 3_000 });
      scene.nowMs += 4_000;
      const later = await open();
      expect(later.pauseMs).toBe(0);
      expect(later.room).toBeGreaterThan(0);
    });

    test('whoever waits for a place hears that there is nothing to wait for any more', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { maxInFlight: 1 } });
      const room = async () => (await admissionOpen(scene.ledger, { batchId })).room;
      await scene.order(batchId, 'a');
      expect(await room()).toBe(0);
      await requestCancel(scene.ledger, { ...by(scene, batchId), rowKeys: ['b'], reason: 'no' });
      expect(await room()).toBeGreaterThan(1);
    });

    test('a row that waits for the end of a stop holds the only place: after it there is room for this one', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { maxInFlight: 1, canary: 1 } });
      const room = async () => (await admissionOpen(scene.ledger, { batchId })).room;
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'not_connected' });
      const by = { batchId, actor: oli, nowMs: scene.nowMs };
      await pauseBatch(scene.ledger, by);
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'blocked', reason: 'paused' });
      expect(await room()).toBe(0);
      await resumeBatch(scene.ledger, by);
      expect(await room()).toBe(1);
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'wait' });
      expect(await room()).toBe(0); // it is asked for by itself now
      scene.nowMs += 60_000;
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ alarm: null });
    });

    test('a slice that begins again takes up first what holds a place', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c'], { settings: { maxInFlight: 1 } });
      await sliceBatch(scene.ledger, { batchId, sliceRows: 3 });
      await scene.admit(batchId, 'c');
      await scene.answer(batchId, 'c', { kind: 'not_connected' });
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'blocked', reason: 'in_flight' });
      expect(await sliceRows(scene.ledger, { batchId, slice: 0 })).toMatchObject({ rowKeys: ['c', 'a', 'b'] });
    });

    test('a batch that begins again knows the slices in which a row is ordered, or may be, and has no end', async () => {
      const { scene } = stage;
      const keys = ['planned', 'ordering', 'unknown', 'running', 'archiving', 'delivered', 'failed'];
      const batchId = await scene.seal(keys);
      await approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs });
      await sliceBatch(scene.ledger, { batchId, sliceRows: 1 });
      expect(await slicesBegun(scene.ledger, { batchId })).toEqual([]);
      await scene.deliver(batchId, 'delivered');
      for (const [key, status] of [
        ['archiving', 'completed'],
        ['failed', 'failed'],
        ['running', 'rendering'],
      ] as const) {
        await scene.order(batchId, key);
        await scene.look(batchId, key, status);
      }
      await scene.admit(batchId, 'unknown');
      await scene.answer(batchId, 'unknown', { kind: 'broken' });
      await scene.admit(batchId, 'ordering');
      for (const key of keys) expect((await scene.row(batchId, key)).state).toBe(key);
      expect(await slicesBegun(scene.ledger, { batchId })).toEqual([1, 2, 3, 4]);
    });

    test('what waits in another slice is no reason to ask: neither a place that is held, nor a key that is forgotten', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { maxInFlight: 1 } });
      await sliceBatch(scene.ledger, { batchId, sliceRows: 1 });
      const room = async (slice: number) => (await admissionOpen(scene.ledger, { batchId, slice })).room;
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'lost' });
      await pauseBatch(scene.ledger, by(scene, batchId));
      scene.nowMs += 60_000;
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'blocked', reason: 'paused' });
      await resumeBatch(scene.ledger, by(scene, batchId));
      expect([await room(0), await room(1)]).toEqual([1, 0]);
      await pauseBatch(scene.ledger, by(scene, batchId));
      scene.nowMs += 24 * 3_600_000;
      expect(await room(0)).toBeGreaterThan(1);
      expect(await room(1)).toBe(0);
    });

    test('rows of a canary repeat their sends while it waits for somebody to look', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { canary: 1 } });
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'lost' });
      scene.nowMs += 60_000;
      expect(await scene.admit(batchId, 'b')).toEqual({ kind: 'blocked', reason: 'canary' });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send', attempt: 1 });
    });

    test('more failures than tolerated trip the batch; continue gives it its tolerance again', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c', 'd', 'e', 'f'], { settings: { tolerance: 1 } });
      await scene.order(batchId, 'a');
      await scene.look(batchId, 'a', 'failed');
      expect(await scene.admit(batchId, 'b')).toMatchObject({ kind: 'send' });
      await scene.answer(batchId, 'b', refused);
      expect(await scene.admit(batchId, 'c')).toEqual({ kind: 'blocked', reason: 'tripped' });
      expect((await scene.batch(batchId)).stops).toMatchObject([
        { kind: 'tripped', endsBy: 'operator', command: `greenlight continue ${batchId}` },
      ]);
      await resumeBatch(scene.ledger, by(scene, batchId));
      expect(await scene.admit(batchId, 'c')).toEqual({ kind: 'blocked', reason: 'tripped' });
      await continueBatch(scene.ledger, by(scene, batchId));
      expect(await scene.admit(batchId, 'c')).toMatchObject({ kind: 'send' });
      await scene.answer(batchId, 'c', refused);
      await scene.order(batchId, 'd');
      await scene.look(batchId, 'd', 'completed');
      await recordLost(scene.ledger, { batchId, rowKey: 'd', reason: 'gone', nowMs: scene.nowMs });
      expect(await scene.admit(batchId, 'e')).toEqual({ kind: 'blocked', reason: 'tripped' });
    });

    test('a canceled movie does not count as a failure', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { tolerance: 0 } });
      await scene.order(batchId, 'a');
      await scene.look(batchId, 'a', 'canceled');
      expect(await scene.admit(batchId, 'b')).toMatchObject({ kind: 'send' });
    });

    test('a canary orders its first rows and waits for somebody to look', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c', 'd'], { settings: { canary: 2 } });
      await scene.order(batchId, 'a');
      expect((await scene.batch(batchId)).stops).toEqual([]);
      await scene.order(batchId, 'b');
      expect(await scene.admit(batchId, 'c')).toEqual({ kind: 'blocked', reason: 'canary' });
      expect((await scene.batch(batchId)).stops).toMatchObject([{ kind: 'canary' }]);
      await continueBatch(scene.ledger, by(scene, batchId));
      expect(await scene.admit(batchId, 'c')).toMatchObject({ kind: 'send' });
      expect(await scene.admit(batchId, 'd')).toMatchObject({ kind: 'send' });
    });

    test('a canary as large as the batch stops nothing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { canary: 2 } });
      for (const rowKey of ['a', 'b']) await scene.deliver(batchId, rowKey);
      expect((await scene.batch(batchId)).stops).toEqual([]);
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'closed' });
    });

    test('a row of the canary that our credentials kept out is still of the canary', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { canary: 1 } });
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { ...refused, status: 403 });
      expect((await scene.batch(batchId)).stops.map(({ kind }) => kind).sort()).toEqual(['canary', 'credentials']);
      await resumeBatch(scene.ledger, by(scene, batchId));
      await continueBatch(scene.ledger, by(scene, batchId));
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
    });

    test('several stops stand side by side, and each ends by its own command', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { tolerance: 0 } });
      await scene.admit(batchId, 'a');
      await pauseBatch(scene.ledger, by(scene, batchId));
      await scene.answer(batchId, 'a', refused);
      expect((await scene.batch(batchId)).stops.map(({ kind }) => kind).sort()).toEqual(['paused', 'tripped']);
      await continueBatch(scene.ledger, by(scene, batchId));
      expect(await scene.admit(batchId, 'b')).toEqual({ kind: 'blocked', reason: 'paused' });
      await resumeBatch(scene.ledger, by(scene, batchId));
      expect(await scene.admit(batchId, 'b')).toMatchObject({ kind: 'send' });
    });

    test('to continue after a trip does not end a canary that is still under way', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c', 'd'], { settings: { canary: 2, tolerance: 0 } });
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', refused);
      expect((await scene.batch(batchId)).stops.map(({ kind }) => kind)).toEqual(['tripped']);
      await continueBatch(scene.ledger, by(scene, batchId));
      expect(await scene.admit(batchId, 'b')).toMatchObject({ kind: 'send' });
      expect(await scene.admit(batchId, 'c')).toEqual({ kind: 'blocked', reason: 'canary' });
      // Both at once are ended by one `continue`, which says so.
      await scene.answer(batchId, 'b', refused);
      await continueBatch(scene.ledger, { ...by(scene, batchId), reason: 'both are our fault' });
      for (const rowKey of ['c', 'd']) expect(await scene.admit(batchId, rowKey)).toMatchObject({ kind: 'send' });
      const acts = await listAudit(scene.ledger, { object: batchId, limit: 50 });
      expect(acts.filter(({ act }) => act === 'continue').map(({ detail }) => detail)).toEqual([
        { reason: 'both are our fault', ended: ['tripped', 'canary'] },
        { reason: null, ended: ['tripped'] },
      ]);
    });

    test('without a tolerance, neither failures nor a continue make the batch trip', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c'], { settings: { canary: 1, tolerance: null } });
      for (const rowKey of ['a', 'b']) {
        expect(await scene.admit(batchId, rowKey)).toMatchObject({ kind: 'send' });
        await scene.answer(batchId, rowKey, refused);
        expect((await scene.batch(batchId)).stops.map(({ kind }) => kind)).toEqual(rowKey === 'a' ? ['canary'] : []);
        await continueBatch(scene.ledger, by(scene, batchId));
      }
      expect(await scene.admit(batchId, 'c')).toMatchObject({ kind: 'send' });
    });

    test('what is asked for twice is done and recorded once, as of the first time; what there is not to end is no act', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c']);
      for (const rowKey of ['a', 'b']) await scene.admit(batchId, rowKey);
      const firstMs = scene.nowMs;
      for (const [reason, rowKey] of [
        ['lunch', 'a'],
        ['supper', 'b'],
      ] as const) {
        await pauseBatch(scene.ledger, { ...by(scene, batchId), reason });
        await scene.answer(batchId, rowKey, { ...refused, status: 401 });
        scene.nowMs += 1_000;
      }
      expect((await scene.batch(batchId)).stops).toMatchObject([
        { kind: 'paused', sinceMs: firstMs, detail: 'paused by oli: lunch' },
        { kind: 'credentials', sinceMs: firstMs },
      ]);
      await continueBatch(scene.ledger, by(scene, batchId));
      await resumeBatch(scene.ledger, { ...by(scene, batchId), reason: 'all is well' });
      await resumeBatch(scene.ledger, by(scene, batchId));
      await pauseBatch(scene.ledger, by(scene, batchId));
      expect((await scene.batch(batchId)).stops).toMatchObject([{ detail: 'paused by oli', sinceMs: scene.nowMs }]);
      const acts = (await listAudit(scene.ledger, { object: batchId, limit: 50 }))
        .filter(({ act }) => ['pause', 'resume', 'continue', 'credentials'].includes(act))
        .map(({ act, actor, atMs, detail }) => [act, actor.name, atMs - firstMs, detail.reason]);
      expect(acts.toReversed()).toEqual([
        ['pause', 'oli', 0, 'lunch'],
        ['credentials', 'greenlight', 0, 'the service answered 401 no: no'],
        ['resume', 'oli', 2_000, 'all is well'],
        ['pause', 'oli', 2_000, null],
      ]);
    });

    test.each(Object.entries({ pause: pauseBatch, resume: resumeBatch, continue: continueBatch }))(
      'only a batch in progress is told to %s',
      async (act, tell) => {
        const { scene } = stage;
        const batchId = await scene.seal(['a']);
        await expect(tell(scene.ledger, by(scene, batchId))).rejects.toMatchObject({
          code: 'wrong_state',
          message: `Cannot ${act} ${batchId}: it is waiting; only a batch in progress places orders`,
        });
      },
    );

    test('a batch whose rows have all ended settles also while it is stopped', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.deliver(batchId, 'a');
      await pauseBatch(scene.ledger, by(scene, batchId));
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'closed' });
      expect((await scene.batch(batchId)).stops).toEqual([]);
    });
  });
}
