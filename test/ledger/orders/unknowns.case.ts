import { expect, test } from 'vitest';
import type { EchoedFields } from '../../../domain/answers/create-answer.js';
import type { Actor } from '../../../domain/roles.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import type { Ledger } from '../../../ledger/ledger.js';
import { admitRow } from '../../../ledger/orders/admission.js';
import type { Resolution } from '../../../ledger/orders/proposals.js';
import { type Resolved, resolveUnknown } from '../../../ledger/orders/resolve-unknown.js';
import { listUnknowns } from '../../../ledger/orders/unknowns.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { certificateFacts } from '../../../ledger/progress/certificate-facts.js';
import { dueRows } from '../../../ledger/progress/due-rows.js';
import { batchesToStart, batchesWithStrays } from '../../../ledger/progress/orphans.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { pauseBatch, resumeBatch } from '../../../ledger/stops/stops.js';
import type { Databases } from '../databases.js';
import { beforeCommit, beginsMeanwhile } from '../meanwhile.js';
import { ada, brief, fay, movieId, oli, type Scene, studio } from '../scene.js';
import { suite } from '../suite.js';

const flo: Actor = { ...fay, name: 'flo' };
const notCreated = { kind: 'not_created', evidence: 'their support says so' } as const;

/** A batch of two rows: one delivered, one unknown; settled as far as it can be. */
async function unsettled(scene: Scene, campaign = 'spring'): Promise<string> {
  const batchId = await scene.make(['a', 'b'], { campaign, settings: { allowDuplicates: campaign !== 'spring' } });
  await scene.deliver(batchId, 'b');
  await scene.admit(batchId, 'a');
  await scene.answer(batchId, 'a', { kind: 'broken' });
  await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
  return batchId;
}

/** The movie as the service shows it, where it repeats what was asked. */
const shown: EchoedFields = { prompt: brief('a').prompt, duration_seconds: 5, aspect_ratio: '16:9' };

function say(
  scene: Scene,
  batchId: string,
  resolution: Resolution,
  { actor = fay, movie = shown }: { readonly actor?: Actor; readonly movie?: EchoedFields | undefined } = {},
): Promise<Resolved> {
  return resolveUnknown(scene.ledger, { batchId, rowKey: 'a', resolution, actor, movie, nowMs: scene.nowMs });
}

async function resolve(scene: Scene, batchId: string, resolution: Resolution): Promise<void> {
  await say(scene, batchId, resolution);
  await say(scene, batchId, resolution, { actor: flo });
}

export function unknownsCases(databases: Databases): void {
  suite('unknown rows', databases, (stage) => {
    test('keep their hold when the batch settles, which is provisional until they end', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      expect(await scene.batch(batchId)).toMatchObject({
        ...{ state: 'unsettled', money: { approved: 200, held: 100, posted: 100, returned: 0, unknown: 100 } },
      });
      expect(await certificateFacts(scene.ledger, batchId)).toMatchObject({ provisional: true, rowsIn: 2, rowsOut: 2 });
      expect(await listUnknowns(scene.ledger)).toMatchObject([
        { batchId, currency: 'USD', row: { rowKey: 'a', state: 'unknown', attempt: 1 }, proposal: null },
      ]);
    });

    test('leave their batch without work, until one of them is set going again', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      expect(await batchesToStart(scene.ledger, { service: studio })).toEqual([]);
      await resolve(scene, batchId, { kind: 'created', movieId: movieId() });
      expect(await batchesToStart(scene.ledger, { service: studio })).toEqual([{ batchId, state: 'making' }]);
      expect(await batchesToStart(scene.ledger, { service: { ...studio, name: 'other' } })).toEqual([]);
    });

    test('that people had sent again are found until somebody asks for them, who may have missed it', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      const found = () => batchesWithStrays(scene.ledger, { service: studio, dueSinceMs: scene.nowMs });
      const deed = { batchId, actor: oli, nowMs: scene.nowMs };
      expect(await found()).toEqual([]);
      await resolve(scene, batchId, { kind: 'resend' });
      expect(await found()).toEqual([batchId]);
      await pauseBatch(scene.ledger, { ...deed, reason: 'lunch' });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'blocked' });
      expect(await found()).toEqual([]); // it says what it waits for
      await resumeBatch(scene.ledger, { ...deed, reason: 'back' });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
      expect(await found()).toEqual([]);
    });

    test('are resolved by two people who say the same', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      const resolutions = async () =>
        (await listAudit(scene.ledger, { object: batchId, limit: 20 }))
          .filter(({ act }) => act.startsWith('resolve'))
          .map(({ act, actor, detail }) => [act, actor.name, detail])
          .toReversed();
      expect(await say(scene, batchId, notCreated)).toEqual({ state: 'proposed', by: 'fay' });
      expect(await resolutions()).toHaveLength(1);
      expect(await say(scene, batchId, notCreated)).toEqual({ state: 'proposed', by: 'fay' });
      expect(await listUnknowns(scene.ledger, { batchId })).toMatchObject([
        { proposal: { by: 'fay', resolution: notCreated } },
      ]);
      expect(await say(scene, batchId, { ...notCreated, evidence: 'I asked them, too' }, { actor: flo })).toEqual({
        ...{ state: 'resolved', by: 'flo', proposedBy: 'fay' },
      });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'canceled', money: 'released' });
      expect(await resolutions()).toEqual([
        ['resolve_proposed', 'fay', { row: 'a', ...notCreated }],
        [
          'resolve',
          'flo',
          {
            ...{ row: 'a', kind: 'not_created', evidence: 'I asked them, too' },
            ...{ proposed_by: 'fay', self_approved: false },
          },
        ],
      ]);
      await expect(say(scene, batchId, notCreated)).rejects.toMatchObject({
        ...{ code: 'wrong_state', message: `Cannot resolve ${batchId} a: it is canceled, not unknown or overdue` },
      });
    });

    test('a second person who says otherwise begins anew', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      await say(scene, batchId, notCreated);
      expect(await say(scene, batchId, { kind: 'resend' }, { actor: flo })).toEqual({ state: 'proposed', by: 'flo' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown' });
      expect(await say(scene, batchId, { kind: 'resend' })).toMatchObject({ state: 'resolved', by: 'fay' });
    });

    test('two people who name different movies do not say the same', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      const [one, other] = [movieId(), movieId()];
      await say(scene, batchId, { kind: 'created', movieId: one });
      expect(await say(scene, batchId, { kind: 'created', movieId: other }, { actor: flo })).toEqual({
        ...{ state: 'proposed', by: 'flo' },
      });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held', movieId: null });
      expect(await say(scene, batchId, { kind: 'created', movieId: other })).toMatchObject({ state: 'resolved' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'running', movieId: other });
    });

    test('nor do two of whom one names a movie and the other says that there is none', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      await say(scene, batchId, { kind: 'created', movieId: movieId() });
      expect(await say(scene, batchId, notCreated, { actor: flo })).toEqual({ state: 'proposed', by: 'flo' });
      expect(await say(scene, batchId, { kind: 'created', movieId: movieId() })).toEqual({
        state: 'proposed',
        by: 'fay',
      });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held' });
    });

    test('not created: the hold goes back, and the transaction that ends the last one closes the batch', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      await resolve(scene, batchId, notCreated);
      expect(await scene.batch(batchId)).toMatchObject({
        ...{ state: 'closed', money: { approved: 200, held: 0, posted: 100, returned: 100, unknown: 0 } },
      });
      expect(await listUnknowns(scene.ledger)).toEqual([]);
      expect(await scene.row(batchId, 'a')).toMatchObject({ reason: 'made no movie: their support says so' });
    });

    test('created: posted, followed from now on, and the batch is in the making until it is delivered', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      const id = movieId();
      await resolve(scene, batchId, { kind: 'created', movieId: id });
      expect(await scene.batch(batchId)).toMatchObject({ state: 'making', money: { held: 0, posted: 200 } });
      const due = await dueRows(scene.ledger, { batchId, slice: 0, nowMs: scene.nowMs, limit: 10 });
      expect(due).toMatchObject([{ rowKey: 'a', movieId: id, cancelDue: false }]);
      // Why it was unknown is past.
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'running', reason: null, alarm: null });
      await scene.look(batchId, 'a', 'completed');
      await scene.archive(batchId, 'a');
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'closed' });
    });

    test('the end of a paused batch ends its pause: what two people have sent again leaves', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await pauseBatch(scene.ledger, { batchId, actor: oli, nowMs: scene.nowMs });
      await scene.answer(batchId, 'a', { kind: 'broken' });
      await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      expect(await scene.batch(batchId)).toMatchObject({ state: 'unsettled', stops: [] });
      await resolve(scene, batchId, { kind: 'resend' });
      expect(await scene.batch(batchId)).toMatchObject({ state: 'making', stops: [] });
      scene.nowMs += 60_000;
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send', attempt: 1 });
    });

    test('created after it was canceled: the service is told', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      await requestCancel(scene.ledger, { batchId, rowKeys: ['a'], actor: oli, reason: 'no', nowMs: scene.nowMs });
      await resolve(scene, batchId, { kind: 'created', movieId: movieId() });
      const due = await dueRows(scene.ledger, { batchId, slice: 0, nowMs: scene.nowMs, limit: 10 });
      expect(due).toMatchObject([{ rowKey: 'a', cancelDue: true }]);
    });

    test('a movie that pays for another order cannot be claimed, nor something that is not a movie id', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      const { movieId: delivered } = await scene.row(batchId, 'b');
      await expect(say(scene, batchId, { kind: 'created', movieId: delivered ?? '' })).rejects.toMatchObject({
        ...{ code: 'wrong_state', message: expect.stringContaining(`${batchId} b`) },
      });
      await expect(say(scene, batchId, { kind: 'created', movieId: 'asset_1' })).rejects.toMatchObject({
        ...{ code: 'wrong_state', message: expect.stringContaining('"asset_1" is not a movie id, e.g. movie_8Fk2') },
      });
      await expect(say(scene, batchId, { kind: 'not_created', evidence: ' ' })).rejects.toMatchObject({
        code: 'wrong_state',
      });
    });

    test.each(['', ' \n'])(
      'nobody gives up a paid movie, nor says that there was none, without evidence (%j)',
      async (evidence) => {
        const { scene } = stage;
        const batchId = await scene.make(['a']);
        await scene.order(batchId, 'a');
        await scene.look(batchId, 'a', 'completed');
        const words = `Cannot resolve ${batchId} a: use --evidence to say how you know`;
        await expect(say(scene, batchId, { kind: 'lost', evidence })).rejects.toThrow(words);
        expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'archiving', money: 'posted' });
        const other = await unsettled(scene, 'other');
        await expect(say(scene, other, { kind: 'not_created', evidence })).rejects.toThrow('use --evidence');
        expect(await listUnknowns(scene.ledger, { batchId: other })).toMatchObject([{ proposal: null }]);
      },
    );

    test('a movie is believed only as the service shows it: asked for, and made from the same brief', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      const created = { kind: 'created', movieId: movieId() } as const;
      const request = { batchId, rowKey: 'a', resolution: created, actor: fay, nowMs: scene.nowMs };
      await expect(resolveUnknown(scene.ledger, request)).rejects.toThrow('the service was not asked');
      for (const other of [{ prompt: 'A cat' }, { duration_seconds: 6 }, { aspect_ratio: '1:1' }]) {
        const movie = { ...shown, ...other };
        await expect(say(scene, batchId, created, { movie }), JSON.stringify(other)).rejects.toThrow('another brief');
      }
      expect((await listUnknowns(scene.ledger))[0]?.proposal).toBeNull();
      expect(await say(scene, batchId, created, { movie: {} })).toMatchObject({ state: 'proposed' });
    });

    test('a movie that people named wrongly is taken back by naming the right one; the service’s own word is not', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      await resolve(scene, batchId, { kind: 'created', movieId: movieId() });
      const right = movieId();
      await resolve(scene, batchId, { kind: 'created', movieId: right });
      await expect(say(scene, batchId, { kind: 'created', movieId: right })).rejects.toThrow(
        `Cannot resolve ${batchId} a: ${right} is its movie already`,
      );
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'running', movieId: right, money: 'posted' });
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 0, posted: 200 });
      const ordered = await scene.make(['c'], { campaign: 'other', settings: { allowDuplicates: true } });
      const id = await scene.order(ordered, 'c');
      const request = { batchId: ordered, rowKey: 'c', resolution: { kind: 'created', movieId: movieId() } as const };
      await expect(
        resolveUnknown(scene.ledger, { ...request, movie: {}, actor: fay, nowMs: scene.nowMs }),
      ).rejects.toThrow(`itself answered this order with ${id}`);
    });

    test('resent: one more send of the same key within the same hold', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      const { idempotencyKey } = await scene.row(batchId, 'a');
      scene.nowMs += 48 * 3_600_000;
      await resolve(scene, batchId, { kind: 'resend' });
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 100, posted: 100 });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send', attempt: 1, idempotencyKey });
      await scene.answer(batchId, 'a', { kind: 'movie', movieId: movieId(), echo: 'matches' });
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 0, posted: 200 });
    });

    test.each(['conflict', 'none'] as const)(
      'a resend is one send, also where the service does not replay keys (%s)',
      async (mode) => {
        const { scene } = stage;
        const batchId = await unsettled(scene);
        const change = { idempotency: { mode, windowHours: 24 } };
        await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
        await resolve(scene, batchId, { kind: 'resend' });
        expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
        expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
        expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held' });
      },
    );

    test.each(['conflict', 'none'] as const)(
      'a resend that certainly did nothing is still allowed (%s)',
      async (mode) => {
        const { scene } = stage;
        const batchId = await unsettled(scene);
        const change = { idempotency: { mode, windowHours: 24 } };
        await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
        await resolve(scene, batchId, { kind: 'resend' });
        await scene.admit(batchId, 'a');
        expect(await scene.answer(batchId, 'a', { kind: 'not_connected' })).toMatchObject({ kind: 'wait' });
        scene.nowMs += 60_000;
        expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
        expect(await scene.answer(batchId, 'a', { kind: 'lost' })).toEqual({ kind: 'settled' });
        expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held' });
      },
    );

    test('only people allow a send after the service may have forgotten the key, not a repeat that did nothing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'lost' });
      scene.nowMs += 60_000;
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
      expect(await scene.answer(batchId, 'a', { kind: 'not_connected' })).toMatchObject({ kind: 'wait' });
      scene.nowMs += 25 * 3_600_000;
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
      expect(await scene.row(batchId, 'a')).toMatchObject({
        ...{ state: 'unknown', money: 'held', reason: expect.stringMatching(/^a send may have arrived; ./) },
      });
    });

    test('after a cancel nothing is resent', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      await requestCancel(scene.ledger, { batchId, rowKeys: ['a'], actor: oli, reason: 'no', nowMs: scene.nowMs });
      await expect(say(scene, batchId, { kind: 'resend' })).rejects.toMatchObject({
        code: 'wrong_state',
        message:
          `Cannot resolve ${batchId} a: it was canceled, so nothing more is sent; ` +
          'use --created <movie id> or --not-created',
      });
    });

    test('a cancel after the resend was allowed takes it back', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      await resolve(scene, batchId, { kind: 'resend' });
      await requestCancel(scene.ledger, { batchId, rowKeys: ['a'], actor: oli, reason: 'no', nowMs: scene.nowMs });
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held' });
    });

    test('a repeat that meets a cancel does not leave', async () => {
      const { scene } = stage;
      const { ledger } = scene;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'lost' });
      scene.nowMs += 60_000;
      const repeat = (other: Ledger) => admitRow(other, { batchId, rowKey: 'a', service: studio });
      const outcome = await beginsMeanwhile(stage, repeat, (begin) => {
        const cancel = { batchId, rowKeys: 'all', actor: oli, reason: 'no', nowMs: scene.nowMs } as const;
        return requestCancel(beforeCommit(ledger, begin), cancel);
      });
      expect(outcome).toEqual({ kind: 'settled' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held', cancelRequested: true });
    });

    test('only what is unknown is resolved', async () => {
      const { scene } = stage;
      const batchId = await unsettled(scene);
      const request = { batchId, rowKey: 'b', resolution: notCreated, actor: fay, nowMs: scene.nowMs };
      await expect(resolveUnknown(scene.ledger, request)).rejects.toMatchObject({ code: 'wrong_state' });
    });
  });
}
