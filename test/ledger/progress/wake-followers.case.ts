import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sliceBatch } from '../../../ledger/batches/slices.js';
import { recordAnswer } from '../../../ledger/orders/record-answer.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { dueRows, setWakeUp } from '../../../ledger/progress/due-rows.js';
import { nudgeMovies } from '../../../ledger/progress/wake-followers.js';
import type { Databases } from '../databases.js';
import { fay, movieId, oli, type Scene } from '../scene.js';
import { suite } from '../suite.js';

const nudge = (scene: Scene, ...movieIds: readonly string[]) =>
  nudgeMovies(scene.ledger, { movieIds, nowMs: scene.nowMs });
/** By name: rows that are due since the same moment come in any order. */
const dueKeys = async (scene: Scene, batchId: string, slice = 0) =>
  (await dueRows(scene.ledger, { batchId, slice, nowMs: scene.nowMs, limit: 100 })).map(({ rowKey }) => rowKey).sort();
/** The follower has looked, and sleeps until its next row is due. */
const sleeps = (scene: Scene, batchId: string, slice = 0) =>
  setWakeUp(scene.ledger, { batchId, slice, wakeAtMs: scene.nowMs + 999 });

export function nudgesCases(databases: Databases): void {
  suite('an event of a movie', databases, (stage) => {
    test('makes its running row due and names the slice that sleeps past it', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const id = await scene.order(batchId, 'a');
      await scene.order(batchId, 'b');
      expect(await sleeps(scene, batchId)).toBe(true);
      expect(await nudge(scene, id)).toEqual([{ batchId, slice: 0 }]);
      expect(await dueKeys(scene, batchId)).toEqual(['a']);
    });

    test('changes no state and no money, whatever it says', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const id = await scene.order(batchId, 'a');
      await sleeps(scene, batchId);
      const [batch, row] = [await scene.batch(batchId), await scene.row(batchId, 'a')];
      await nudge(scene, id);
      expect(await scene.batch(batchId)).toEqual(batch);
      expect(await scene.row(batchId, 'a')).toEqual({ ...row, nextLookAtMs: scene.nowMs });
    });

    test('wakes a follower once until it sleeps again', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const ids = [await scene.order(batchId, 'a'), await scene.order(batchId, 'b')] as const;
      await sleeps(scene, batchId);
      expect(await nudge(scene, ids[0])).toHaveLength(1);
      scene.nowMs += 1;
      expect(await nudge(scene, ids[0])).toEqual([]);
      expect(await nudge(scene, ids[1])).toEqual([]);
      expect(await dueKeys(scene, batchId)).toEqual(['a', 'b']);
      for (const key of ['a', 'b']) await scene.look(batchId, key, 'rendering');
      await sleeps(scene, batchId);
      expect(await nudge(scene, ids[1])).toHaveLength(1);
    });

    test('wakes nobody while the follower is at work: that one finds the row', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const id = await scene.order(batchId, 'a');
      expect(await nudge(scene, id)).toEqual([]);
      expect(await dueKeys(scene, batchId)).toEqual(['a']);
    });

    test('of a movie that nobody ordered, or that has ended, changes nothing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const id = await scene.order(batchId, 'a');
      await scene.order(batchId, 'b');
      await scene.look(batchId, 'a', 'completed');
      await sleeps(scene, batchId);
      expect(await nudge(scene, 'movie_forged', id)).toEqual([]);
      expect(await nudge(scene)).toEqual([]);
      expect(await dueKeys(scene, batchId)).toEqual([]);
      expect((await scene.row(batchId, 'a')).state).toBe('archiving');
    });

    test('that comes as the follower lies down wakes it, or keeps it up', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const id = await scene.order(batchId, 'a');
      for (let round = 0; round < 25; round += 1) {
        await scene.look(batchId, 'a', 'rendering');
        await setWakeUp(scene.ledger, { batchId, slice: 0, wakeAtMs: scene.nowMs });
        scene.nowMs += 1;
        const [asleep, woken] = await Promise.all([sleeps(scene, batchId), nudge(scene, id)]);
        expect([asleep, woken.length], `round ${round}`).not.toEqual([true, 0]);
      }
    });

    test('is not needed by an order that is accepted as the follower lies down', async () => {
      const { scene } = stage;
      const keys = Array.from({ length: 80 }, (_, number) => `row ${number}`);
      const batchId = await scene.make(keys);
      for (const [round, key] of keys.entries()) {
        await scene.admit(batchId, key);
        await setWakeUp(scene.ledger, { batchId, slice: 0, wakeAtMs: scene.nowMs });
        const accepted = { kind: 'movie', movieId: `movie of ${key}`, echo: 'matches' } as const;
        const lieDown = async () => {
          for (let turns = round * 4; turns > 0; turns -= 1) await turn(); // each round meets the answer a little later
          return setWakeUp(scene.ledger, { batchId, slice: 0, wakeAtMs: scene.nowMs + 60_000 });
        };
        const [asleep, answered] = await Promise.all([lieDown(), scene.answer(batchId, key, accepted)]);
        expect([asleep, answered], key).not.toEqual([true, { kind: 'running', soon: false }]);
        // Out of the way of the next one: due only after the wake-up.
        await scene.look(batchId, key, 'rendering', { followAtMs: scene.nowMs + 120_000 });
      }
    });

    test('is what an order asks for whose first look comes before its follower wakes, by the moment', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a', 'b', 'c', 'd', 'e', 'f']);
      await approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs });
      await sliceBatch(scene.ledger, { batchId, sliceRows: 3 });
      const sleep = (slice: number, forMs: number) =>
        setWakeUp(scene.ledger, { batchId, slice, wakeAtMs: scene.nowMs + forMs });
      /** The first look is after a second. */
      const accept = async (rowKeys: readonly string[], meanwhile?: () => Promise<unknown>) => {
        const admitted = await Promise.all(rowKeys.map((rowKey) => scene.admit(batchId, rowKey)));
        await meanwhile?.();
        const accepted = rowKeys.map((rowKey, index) => {
          const admission = admitted[index];
          if (admission?.kind !== 'send') throw new Error(`${rowKey} was not admitted`);
          const { attempt, send } = admission;
          const answer = { kind: 'movie', movieId: movieId(), echo: 'matches' } as const;
          return recordAnswer(scene.ledger, { batchId, rowKey, attempt, send, answer, followInMs: 1_000 });
        });
        return Promise.all(accepted);
      };
      const [later, soon] = [
        { kind: 'running', soon: false },
        { kind: 'running', soon: true },
      ];
      expect(await accept(['a'])).toEqual([later]); // the follower is up
      await sleep(1, 1_000);
      expect(await accept(['d'])).toEqual([later]);
      await sleep(0, 1_000);
      await sleep(1, 1_000);
      const cancel = { batchId, rowKeys: ['e'], actor: oli, reason: 'no', nowMs: scene.nowMs };
      expect(await accept(['e'], () => requestCancel(scene.ledger, cancel))).toEqual([soon]);
      scene.nowMs += 10_000;
      for (const rowKey of ['a', 'd', 'e'])
        await scene.look(batchId, rowKey, 'rendering', { followAtMs: scene.nowMs + 9_000 });
      await sleep(0, 1_001);
      await sleep(1, 999);
      expect(await accept(['b', 'f'])).toEqual([soon, later]);
    });

    test('among many names each sleeping slice once', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a', 'b', 'c', 'd']);
      await approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs });
      await sliceBatch(scene.ledger, { batchId, sliceRows: 2 });
      const ids: string[] = [];
      for (const key of ['a', 'b', 'c', 'd']) ids.push(await scene.order(batchId, key));
      for (const slice of [0, 1]) await sleeps(scene, batchId, slice);
      expect(await nudge(scene, ...ids)).toEqual([
        { batchId, slice: 0 },
        { batchId, slice: 1 },
      ]);
      expect(await dueKeys(scene, batchId, 1)).toEqual(['c', 'd']);
    });
  });
}
