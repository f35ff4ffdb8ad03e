import { expect, onTestFinished, test, vi } from 'vitest';
import { limitBatch } from '../../ledger/progress/limits.js';
import { limitSignal } from '../../workflows/names.js';
import { brief, submitter } from './product.js';
import { type Scene, startScene } from './scene.js';

const studio = { jobSeconds: 3_600 };
const rows = ['a', 'b', 'c', 'd', 'e', 'f'];

async function making(rowsPerSlice: number, maxInFlight: number): Promise<{ scene: Scene; batchId: string }> {
  const scene = await startScene({ studio, rowsPerSlice, maxInFlight: 100 });
  onTestFinished(() => scene.close());
  const briefs = rows.map((key) => brief(key));
  return { scene, batchId: await scene.making(briefs, { maxInFlight }) };
}

/** As `greenlight limits` does, without the nudge: the time-skipping server may hang at a look that starts afresh. */
async function limit(scene: Scene, batchId: string, maxInFlight: number | null): Promise<void> {
  await limitBatch(scene.ledger, { batchId, maxInFlight, actor: submitter, nowMs: scene.nowMs() });
  await scene.env.client.workflow.getHandle(scene.names.batch(batchId)).signal(limitSignal);
}

/** Which of the slices is admitted first is a race. */
async function oneRunning(scene: Scene, batchId: string): Promise<void> {
  const look = async () => expect(Object.values(await scene.states(batchId))).toContain('running');
  await vi.waitFor(look, { timeout: 30_000, interval: 20 });
}

/** Rows that had asked before wait outside, and ask again a second later by the server's clock. */
async function allRunning(scene: Scene, batchId: string): Promise<void> {
  const look = async () => {
    await scene.env.sleep('2 seconds');
    expect(new Set(Object.values(await scene.states(batchId)))).toEqual(new Set(['running']));
  };
  await vi.waitFor(look, { timeout: 30_000, interval: 20 });
}

test.each([
  ['one slice', 100],
  ['slices of two rows', 2],
])('a limit that is raised while the batch runs lets more movies begin at once, in %s', async (_, rowsPerSlice) => {
  const { scene, batchId } = await making(rowsPerSlice, 1);
  await oneRunning(scene, batchId);
  await limit(scene, batchId, rows.length);
  await allRunning(scene, batchId);
  expect(await scene.result(batchId)).toBe('closed');
  const { movies } = scene.studio.books();
  expect(movies).toHaveLength(rows.length);
  const firstEnd = Math.min(...movies.map(({ endedMs }) => endedMs ?? 0));
  expect(movies.filter(({ createdMs }) => createdMs >= firstEnd)).toEqual([]);
});

test('a limit that is lowered cancels nothing, and the rest begins one by one', async () => {
  const { scene, batchId } = await making(100, 4);
  for (const row of rows.slice(0, 4)) await scene.inState(batchId, row, 'running');
  await limit(scene, batchId, 1);
  expect(await scene.result(batchId)).toBe('closed');
  expect(new Set(Object.values(await scene.states(batchId)))).toEqual(new Set(['delivered']));
  const movies = scene.studio.books().movies.toSorted((one, other) => one.createdMs - other.createdMs);
  const endOf = (index: number) => movies[index]?.endedMs ?? 0;
  expect(movies[4]?.createdMs).toBeGreaterThanOrEqual(Math.max(endOf(0), endOf(1), endOf(2), endOf(3)));
  expect(movies[5]?.createdMs).toBeGreaterThanOrEqual(endOf(4));
});

test('without a limit of its own a batch has what the workers allow', async () => {
  const { scene, batchId } = await making(100, 1);
  await scene.inState(batchId, 'a', 'running');
  await limit(scene, batchId, null);
  await allRunning(scene, batchId);
  expect(await scene.result(batchId)).toBe('closed');
});
