import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.js';
import { createReconcile } from '../../activities/reconcile.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { resolveUnknown } from '../../ledger/orders/resolve-unknown.js';
import { settleBatch } from '../../ledger/progress/settle.js';
import { createReportFolder } from '../../reports/report-folder.js';
import { fay, type Scene, setTheScene, studio } from '../ledger/scene.js';

let folder: string;
let ledger: Ledger;
let scene: Scene;
let takenUp: string[];
beforeEach(async () => {
  takenUp = [];
  folder = await mkdtemp(join(tmpdir(), 'greenlight-reconcile-'));
  ledger = await openLedger({ url: 'sqlite::memory:' });
  scene = setTheScene(ledger);
  await scene.fund('acme', 10_000);
});
afterEach(async () => {
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

test('whoever reconciles writes a certificate anew that was provisional when its last row was resolved', async () => {
  const batchId = await scene.make(['a']);
  await scene.admit(batchId, 'a');
  await scene.answer(batchId, 'a', { kind: 'broken' });
  await settleBatch(ledger, { batchId, nowMs: scene.nowMs });
  await reconcile();
  expect(await certificateOf(batchId)).toMatchObject({ provisional: true, state: 'unsettled' });
  const resolution = { kind: 'not_created', evidence: 'asked' } as const;
  await resolveUnknown(ledger, { batchId, rowKey: 'a', resolution, actor: fay, nowMs: scene.nowMs });
  await reconcile();
  expect(await certificateOf(batchId)).toMatchObject({ provisional: false, state: 'closed' });
});

test('a finished movie whose files nobody has saved is taken up again, and one that has just finished is left alone', async () => {
  const stray = await scene.make(['a']);
  const fresh = await scene.make(['b'], { campaign: 'other' });
  for (const [batchId, rowKey] of [
    [stray, 'a'],
    [fresh, 'b'],
  ] as const) {
    await scene.order(batchId, rowKey);
    await scene.look(batchId, rowKey, 'completed');
    scene.nowMs += 6 * 60_000;
  }
  scene.nowMs -= 5 * 60_000;
  await reconcile();
  expect(takenUp).toEqual([stray]);
});

test('rows that nobody has looked at since they were due are taken up again, and others are left alone', async () => {
  const stray = await scene.make(['a']);
  const followed = await scene.make(['b'], { campaign: 'other' });
  await scene.order(stray, 'a');
  await scene.order(followed, 'b');
  scene.nowMs += 6 * 60_000;
  await scene.look(followed, 'b', 'running');
  await reconcile();
  expect(takenUp).toEqual([stray]);
});

test('a row that somebody had sent again, of which no workflow heard, is taken up by whoever reconciles', async () => {
  const stray = await scene.make(['a', 'b']);
  const heard = await scene.make(['c', 'd'], { campaign: 'other' });
  for (const [batchId, rowKey] of [
    [stray, 'a'],
    [heard, 'c'],
  ] as const) {
    await scene.admit(batchId, rowKey);
    await scene.answer(batchId, rowKey, { kind: 'broken' });
    await resolveUnknown(ledger, { batchId, rowKey, resolution: { kind: 'resend' }, actor: fay, nowMs: scene.nowMs });
  }
  await scene.admit(heard, 'c');
  await reconcile();
  expect(takenUp).toEqual([stray]);
});

async function reconcile(): Promise<void> {
  const needed: Pick<
    ActivityDeps,
    'ledger' | 'service' | 'clock' | 'reportFolder' | 'startBatch' | 'takeUpRows' | 'badEndOf'
  > = {
    ...{ ledger, service: studio, clock: () => scene.nowMs, startBatch: async () => true, badEndOf: async () => null },
    takeUpRows: async (batchId) => takenUp.push(batchId) > 0,
    reportFolder: (batchId) => createReportFolder(join(folder, batchId)),
  };
  await new MockActivityEnvironment().run(createReconcile(needed as ActivityDeps)); // no row is overdue: nobody is asked
}

async function certificateOf(batchId: string): Promise<unknown> {
  return JSON.parse(await readFile(join(folder, batchId, 'certificate.json'), 'utf8'));
}
