import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchWorkers } from '../../../home/notices/watch-workers.js';
import { openLedger } from '../../../ledger/ledger.js';
import { type Scene, setTheScene } from '../../ledger/scene.js';

const minuteMs = 60_000;
const pace = { lookMs: 1, patienceMs: 5 * minuteMs };

let scene: Scene;
let workers: number | null;
let looks: number;
let stop: () => Promise<void> = async () => {};
beforeEach(async () => {
  scene = setTheScene(await openLedger({ url: 'sqlite::memory:' }));
  [workers, looks] = [0, 0];
  await scene.fund('acme', 100_000);
  await scene.make(['a']);
});
afterEach(async () => {
  await stop();
  await scene.ledger.close();
});

function begin(): void {
  const countWorkers = async () => {
    looks += 1;
    return workers;
  };
  stop = watchWorkers({ ledger: scene.ledger, clock: () => scene.nowMs, countWorkers }, pace);
}

/** What was seen until now is dealt with: the look after the next one has begun. */
async function later(ms: number, seen: number | null): Promise<void> {
  const settled = async () => {
    const from = looks;
    await expect.poll(() => looks, { interval: 2 }).toBeGreaterThan(from + 1);
  };
  await settled();
  [workers, scene.nowMs] = [seen, scene.nowMs + ms];
  await settled();
}

const told = async () =>
  (await scene.ledger.db.selectFrom('notices').selectAll().where('kind', '=', 'no_worker').execute()).map(
    ({ detail }) => JSON.parse(detail).since_ms,
  );

test('that no worker is there is told after five minutes, once, and anew when it comes again', async () => {
  begin();
  const first = scene.nowMs;
  await later(4 * minuteMs, 0);
  expect(await told()).toEqual([]);
  await later(minuteMs, 0);
  expect(await told()).toEqual([first]);
  await later(60 * minuteMs, 0);
  expect(await told()).toEqual([first]);
  await later(minuteMs, 1);
  await later(minuteMs, 0);
  const second = scene.nowMs;
  await later(5 * minuteMs, 0);
  expect(await told()).toEqual([first, second]);
});

test('a worker in between begins the time anew; where nobody can be asked nothing is known', async () => {
  begin();
  await later(4 * minuteMs, 1);
  await later(4 * minuteMs, 0);
  await later(60 * minuteMs, null);
  expect(await told()).toEqual([]);
});
