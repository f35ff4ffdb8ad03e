import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dueRows, setWakeUp } from '../../ledger/progress/due-rows.js';
import { createNudges, type Nudges } from '../../operations/nudges.js';
import { type Office, openOffice } from './office.js';

let office: Office;
let nudges: Nudges;
let batchId: string;
beforeEach(async () => {
  office = await openOffice();
  nudges = createNudges(office.deps, { gatherMs: 0 });
  await office.scene.fund('acme/spring', 10_000);
  batchId = await office.scene.make(['a', 'b', 'c']);
});
afterEach(async () => {
  await nudges.close();
  await office.close();
});

const followerSleeps = () => setWakeUp(office.deps.ledger, { batchId, slice: 0, wakeAtMs: office.scene.nowMs + 1_000 });
const dueKeys = async () => {
  const rows = await dueRows(office.deps.ledger, { batchId, slice: 0, nowMs: office.scene.nowMs, limit: 10 });
  return rows.map(({ rowKey }) => rowKey);
};

describe('what the service tells', () => {
  test('in one burst wakes a sleeping follower once, with every row due', async () => {
    const { scene } = office;
    const ids = [await scene.order(batchId, 'a'), await scene.order(batchId, 'b'), await scene.order(batchId, 'c')];
    await followerSleeps();
    for (const id of ids) nudges.tell(id);
    await nudges.close();
    expect(office.told).toEqual([`follow ${batchId} 0`]);
    expect(await dueKeys()).toEqual(['a', 'b', 'c']);
  });

  test('of movies that nobody ordered wakes nobody', async () => {
    await office.scene.order(batchId, 'a');
    await followerSleeps();
    for (let n = 0; n < 2_000; n += 1) nudges.tell(`movie_unknown${n}`);
    await nudges.close();
    expect(office.told).toEqual([]);
    expect(await dueKeys()).toEqual([]);
  });

  test('again and again of one movie is heard ever less often', async () => {
    const { scene } = office;
    const id = await scene.order(batchId, 'a');
    const heardAt = [0, 1, 3, 7, 15];
    for (let second = 0; second < 20; second += 1) {
      await followerSleeps();
      nudges.tell(id);
      nudges.tell(id);
      const times = heardAt.filter((at) => at <= second).length;
      await vi.waitFor(() => expect(office.told).toHaveLength(times), { interval: 5 });
      await scene.look(batchId, 'a', 'rendering', { followAtMs: scene.nowMs + 60_000 });
      scene.nowMs += 1_000;
    }
    await nudges.close();
    expect(office.told).toHaveLength(heardAt.length);
  });

  test('while the ledger is away is lost, and does no harm', async () => {
    await office.deps.ledger.close();
    nudges.tell('movie_1');
    await expect(nudges.close()).resolves.toBeUndefined();
  });

  test('after the end is not heard', async () => {
    const id = await office.scene.order(batchId, 'a');
    await followerSleeps();
    await nudges.close();
    nudges.tell(id);
    expect(await dueKeys()).toEqual([]);
  });
});
