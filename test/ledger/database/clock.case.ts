import { afterEach, expect, test, vi } from 'vitest';
import { setPolicy } from '../../../ledger/access/policies.js';
import { type Ledger, openLedger } from '../../../ledger/ledger.js';
import { admitRow } from '../../../ledger/orders/admission.js';
import { admissionOpen } from '../../../ledger/orders/free-places.js';
import { recordAnswer } from '../../../ledger/orders/record-answer.js';
import { approveBatch, gateState } from '../../../ledger/plan/decisions.js';
import { sealBatch } from '../../../ledger/plan/seal.js';
import { recordPolls } from '../../../ledger/progress/polls.js';
import type { Databases } from '../databases.js';
import { ada, fay, type Scene, studio } from '../scene.js';
import { type Stage, suite } from '../suite.js';

const hourMs = 3_600_000;
const skews = { 'three days ahead': 72 * hourMs, 'three days behind': -72 * hourMs };
/** Much more than a test takes, much less than any clock here is wrong by. */
const closeMs = 5 * 60_000;

/** What a worker on a machine with a wrong date does to books that others keep by the right one. */
export function clockCases(databases: Databases): void {
  suite('a wrong clock', databases, (stage) => {
    let worker: Ledger | undefined;
    afterEach(async () => {
      vi.useRealTimers();
      await worker?.close();
      worker = undefined;
    });

    /** The scene goes by the database's time, the worker's machine is wrong from now on. */
    async function skewed({ scene, url }: Stage, skew: keyof typeof skews): Promise<Ledger> {
      const opened = await openLedger({ url });
      worker = opened;
      const trueMs = await opened.now();
      scene.nowMs = trueMs;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skews[skew] });
      expect(Math.abs(Date.now() - trueMs)).toBeGreaterThan(70 * hourMs);
      return opened;
    }

    const isNow = (scene: Scene, ms: number | null | undefined) =>
      expect(Math.abs((ms ?? 0) - scene.nowMs)).toBeLessThan(closeMs);
    const words = Object.keys(skews) as (keyof typeof skews)[];

    test.each(words)('%s: time is asked of the database, also between two questions', async (skew) => {
      const ledger = await skewed(stage, skew);
      isNow(stage.scene, await ledger.now());
      isNow(stage.scene, ledger.clock());
      isNow(stage.scene, await ledger.write((tx) => ledger.now(tx)));
    });

    test.each(words)('%s: neither expires a plan nor shortens its time, and approves it as of now', async (skew) => {
      const { scene } = stage;
      const ledger = await skewed(stage, skew);
      const waiting = await scene.seal(['a']);
      const gate = await gateState(ledger, { batchId: waiting });
      expect(gate.state).toBe('waiting');
      const left = gate.state === 'waiting' ? gate.expiresInMs : 0;
      expect(Math.abs(left - 7 * 24 * hourMs)).toBeLessThan(closeMs);
      const { atMs } = await approveBatch(ledger, { batchId: waiting, actor: fay, nowMs: Date.now() });
      isNow(scene, atMs);
    });

    test.each(words)('%s: does not approve what has expired, nor by estimates that are too old', async (skew) => {
      const { scene } = stage;
      const ledger = await skewed(stage, skew);
      const approve = (batchId: string) => approveBatch(ledger, { batchId, actor: fay, nowMs: Date.now() });
      const old = await scene.seal(['a']);
      await scene.ledger.db
        .updateTable('rows')
        .set({ estimated_ms: scene.nowMs - 25 * hourMs })
        .execute();
      await expect(approve(old)).rejects.toMatchObject({ code: 'stale_estimates' });
      const over = await scene.seal(['b'], { campaign: 'other' });
      await scene.ledger.db
        .updateTable('batches')
        .set({ expires_ms: scene.nowMs - hourMs })
        .execute();
      await expect(approve(over)).rejects.toMatchObject({ code: 'wrong_state' });
      expect((await scene.batch(over)).state).toBe('expired');
    });

    test.each(words)('%s: counts what policy approves by the day of the database', async (skew) => {
      const { scene } = stage;
      const ledger = await skewed(stage, skew);
      const approveBelow = { amountMinor: 250, currency: 'USD' };
      await setPolicy(scene.ledger, { change: { approveBelow }, actor: ada, nowMs: scene.nowMs });
      const states: string[] = [];
      for (const rowKey of ['a', 'b', 'c']) {
        const batchId = await scene.seal([rowKey], { campaign: rowKey });
        await scene.ledger.db
          .updateTable('batches')
          .set({ state: 'preparing' })
          .where('batch_id', '=', batchId)
          .where('state', '=', 'waiting')
          .execute();
        states.push((await sealBatch(ledger, { batchId })).state);
      }
      expect(states).toEqual(['making', 'making', 'waiting']);
    });

    test.each(words)('%s: a wait that the service asks for is not longer for the others', async (skew) => {
      const { scene } = stage;
      const ledger = await skewed(stage, skew);
      const batchId = await scene.make(['a', 'b']);
      const admission = await admitRow(ledger, { batchId, rowKey: 'a', service: studio });
      expect(admission.kind).toBe('send');
      const answer = { kind: 'refused', status: 429, code: 'slow', message: 'down', retryAfterMs: 30_000 } as const;
      await recordAnswer(ledger, { batchId, rowKey: 'a', attempt: 1, answer, followInMs: 0 });
      const { pauseMs } = await admissionOpen(scene.ledger, { batchId });
      expect(pauseMs).toBeGreaterThan(0);
      expect(pauseMs).toBeLessThan(closeMs);
      scene.nowMs += closeMs;
      expect(await scene.admit(batchId, 'b')).toMatchObject({ kind: 'send' });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
    });

    test.each(words)('%s: repeats within the window of a key, and not after it', async (skew) => {
      const { scene } = stage;
      const ledger = await skewed(stage, skew);
      const batchId = await scene.make(['a', 'b']);
      for (const rowKey of ['a', 'b']) await admitRow(ledger, { batchId, rowKey, service: studio });
      const row = (rowKey: string) => scene.ledger.db.updateTable('rows').where('row_key', '=', rowKey);
      await row('b')
        .set({ first_sent_ms: scene.nowMs - 25 * hourMs })
        .execute();
      expect(await admitRow(ledger, { batchId, rowKey: 'a', service: studio })).toMatchObject({ kind: 'send' });
      expect(await admitRow(ledger, { batchId, rowKey: 'b', service: studio })).toEqual({ kind: 'settled' });
      expect((await scene.row(batchId, 'b')).state).toBe('unknown');
    });

    test.each(words)('%s: neither makes a movie overdue nor puts it off', async (skew) => {
      const { scene } = stage;
      const ledger = await skewed(stage, skew);
      const batchId = await scene.make(['a']);
      await admitRow(ledger, { batchId, rowKey: 'a', service: studio });
      const answer = { kind: 'movie', movieId: 'movie_1', echo: 'matches' } as const;
      await recordAnswer(ledger, { batchId, rowKey: 'a', attempt: 1, answer, followInMs: 1_000 });
      const poll = {
        kind: 'answered',
        ...{ rowKey: 'a', movieId: 'movie_1', status: 'rendering', percent: 1, stage: null },
        ...{ error: null, cancelSent: false, followAtMs: ledger.clock() + 1_000 },
      } as const;
      await recordPolls(ledger, { batchId, polls: [poll] });
      const { state, orderedAtMs, deadlineAtMs, nextLookAtMs } = await scene.row(batchId, 'a');
      expect(state).toBe('running');
      isNow(scene, orderedAtMs);
      isNow(scene, nextLookAtMs);
      isNow(scene, (deadlineAtMs ?? 0) - 24 * hourMs);
    });
  });
}
