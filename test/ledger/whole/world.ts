import fc from 'fast-check';
import { expect } from 'vitest';
import { sliceBatch } from '../../../ledger/batches/slices.js';
import { showBudget, startBudget, stopBudget } from '../../../ledger/money/budgets.js';
import type { Resolution } from '../../../ledger/orders/proposals.js';
import { resolveUnknown } from '../../../ledger/orders/resolve-unknown.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import { sealBatch } from '../../../ledger/plan/seal.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { recordLost } from '../../../ledger/progress/deliveries.js';
import { retryRows } from '../../../ledger/progress/retries.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { continueBatch, pauseBatch, resumeBatch } from '../../../ledger/stops/stops.js';
import { fay, oli, type Scene } from '../scene.js';
import { type Fate, fates, type PretendService } from './pretend-service.js';

const flo = { ...fay, name: 'flo' };
const names = ['a', 'b', 'c', 'd'] as const;

/** One thing that somebody does. Numbers choose among the batches that are there then. */
type Step =
  | { readonly do: 'submit'; readonly rows: readonly string[]; readonly include: boolean }
  | { readonly do: 'approve' | 'settle' | 'pause' | 'go on' | 'cancel all' | 'retry'; readonly batch: number }
  | { readonly do: 'order'; readonly batch: number; readonly row: string; readonly fate: Fate | 'process dies' }
  | { readonly do: 'look'; readonly batch: number; readonly row: string; readonly status: string }
  | { readonly do: 'archive' | 'lose' | 'cancel' | 'resolve'; readonly batch: number; readonly row: string }
  | { readonly do: 'limit'; readonly limit: number }
  | { readonly do: 'stop budget' | 'start budget' | 'wait' };

const batch = fc.nat({ max: 5 });
const row = fc.constantFrom(...names);
const at = { batch, row };
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      rows: fc.subarray([...names], { minLength: 1 }),
      include: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'approve' as const,
        'approve' as const,
        'settle' as const,
        'pause' as const,
        'go on' as const,
        'cancel all' as const,
        'retry' as const,
      ),
      batch,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      ...at,
      fate: fc.constantFrom(...fates, 'answered' as const, 'answered' as const, 'process dies' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('look' as const),
      ...at,
      status: fc.constantFrom('rendering', 'completed', 'completed', 'failed', 'canceled'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'archive' as const,
        'archive' as const,
        'lose' as const,
        'cancel' as const,
        'resolve' as const,
      ),
      ...at,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('limit' as const), limit: fc.nat({ max: 1_500 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('stop budget' as const, 'start budget' as const, 'wait' as const, 'wait' as const),
    }),
  },
);

/** A world of one run: its own campaign and budget, so that runs share one ledger. */
export interface World {
  readonly scene: Scene;
  readonly campaign: string;
  readonly path: string;
  readonly service: PretendService;
  readonly batches: string[];
}

export async function take(world: World, one: Step): Promise<void> {
  const { scene, path, batches } = world;
  const { ledger, nowMs } = scene;
  const batchId = 'batch' in one ? (batches[one.batch % Math.max(batches.length, 1)] ?? '') : '';
  if ('batch' in one && batchId === '') return;
  const rowKey = 'row' in one ? one.row : '';
  switch (one.do) {
    case 'submit': {
      const settings = { budgetPath: path, include: one.include ? (['failed', 'canceled', 'lost'] as const) : [] };
      batches.push(
        await scene.seal(one.rows, { campaign: world.campaign, settings: { ...settings, allowDuplicates: true } }),
      );
      return;
    }
    case 'approve':
      await approve(world, batchId);
      return;
    case 'settle':
      await settleBatch(ledger, { batchId, nowMs });
      return;
    case 'pause':
      return pauseBatch(ledger, { batchId, actor: oli, nowMs });
    case 'go on':
      await resumeBatch(ledger, { batchId, actor: oli, nowMs });
      return continueBatch(ledger, { batchId, actor: oli, nowMs });
    case 'cancel all':
      await requestCancel(ledger, { batchId, rowKeys: 'all', actor: oli, reason: 'no', nowMs });
      return;
    case 'retry': {
      const retry = await retryRows(ledger, { batchId, rowKeys: 'all', actor: oli, nowMs });
      await scene.price(retry.batchId);
      await sealBatch(ledger, { batchId: retry.batchId });
      batches.push(retry.batchId);
      return;
    }
    case 'order':
      return order(world, { batchId, rowKey, fate: one.fate });
    case 'look':
      return scene.look(batchId, rowKey, one.status);
    case 'archive':
      return scene.archive(batchId, rowKey);
    case 'lose':
      return recordLost(ledger, { batchId, rowKey, reason: 'gone', nowMs });
    case 'cancel':
      await requestCancel(ledger, { batchId, rowKeys: [rowKey], actor: oli, reason: 'no', nowMs });
      return;
    case 'resolve':
      return resolveTruly(world, batchId, rowKey);
    case 'limit':
      return scene.fund(path, one.limit);
    case 'stop budget':
      await stopBudget(ledger, { path, actor: fay, nowMs });
      return;
    case 'start budget':
      await startBudget(ledger, { path, actor: fay, nowMs });
      return;
    case 'wait':
      scene.nowMs += 90_000;
      return;
    default:
      one satisfies never;
  }
}

export async function approve({ scene, path }: World, batchId: string): Promise<void> {
  const { ledger, nowMs } = scene;
  const before = (await scene.batch(batchId)).state;
  await approveBatch(ledger, { batchId, actor: fay, nowMs });
  await sliceBatch(ledger, { batchId, sliceRows: 2 });
  if (before !== 'waiting') return;
  const { limitMinor, committedMinor, spentMinor, overrunMinor } = await showBudget(ledger, {
    path: path,
    rehearsal: true,
  });
  expect(committedMinor + spentMinor + overrunMinor).toBeLessThanOrEqual(limitMinor);
}

async function order(
  { scene, service }: World,
  {
    batchId,
    rowKey,
    fate,
  }: { readonly batchId: string; readonly rowKey: string; readonly fate: Fate | 'process dies' },
): Promise<void> {
  const admission = await scene.admit(batchId, rowKey);
  if (admission.kind !== 'send') return;
  if (fate === 'process dies') {
    if (admission.send % 2 === 0) service.send(admission, 'answered'); // it arrived, and nobody heard
    return;
  }
  await scene.answer(batchId, rowKey, service.send(admission, fate), admission.attempt);
}

/** Two people who asked the service. */
async function resolveTruly({ scene, service }: World, batchId: string, rowKey: string): Promise<void> {
  const { idempotencyKey, state } = await scene.row(batchId, rowKey);
  if (state !== 'unknown') return;
  const made = service.created.get(idempotencyKey ?? '');
  const resolution: Resolution = made ? { kind: 'created', movieId: made } : { kind: 'not_created', evidence: 'asked' };
  const request = { batchId, rowKey, resolution, movie: {}, nowMs: scene.nowMs };
  for (const actor of [fay, flo]) await resolveUnknown(scene.ledger, { ...request, actor });
}

/** Lets everything come to its end: nothing more is ordered, what is out there is found out and saved. */
export async function comeToRest(world: World): Promise<void> {
  const { scene, batches } = world;
  for (const batchId of batches) {
    const cancel = { batchId, rowKeys: 'all', actor: oli, reason: 'the end', nowMs: scene.nowMs } as const;
    await requestCancel(scene.ledger, cancel);
    for (const rowKey of names) {
      const state = async () => (await scene.row(batchId, rowKey).catch(() => null))?.state;
      if ((await state()) === 'ordering') await scene.admit(batchId, rowKey);
      if ((await state()) === 'unknown') await resolveTruly(world, batchId, rowKey);
      if ((await state()) === 'running') await scene.look(batchId, rowKey, 'completed');
      if ((await state()) === 'archiving') await scene.archive(batchId, rowKey);
    }
    await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
  }
}

export async function expectAtRest({ scene, path, service, batches }: World): Promise<void> {
  const views = await Promise.all(batches.map((batchId) => scene.batch(batchId)));
  for (const { batchId, state, money } of views) {
    expect(['closed', 'canceled', 'refused', 'expired'], batchId).toContain(state);
    expect(money).toMatchObject({ held: 0, unknown: 0 });
    expect(money.posted + money.returned, batchId).toBe(money.approved);
  }
  // Every movie that the service made is posted once, and nothing else is.
  const orders = await scene.ledger.db
    .selectFrom('orders')
    .selectAll()
    .where('batch_id', 'in', [...batches, ''])
    .where('money', '=', 'posted')
    .execute();
  expect(orders.map(({ idempotency_key, movie_id }) => [idempotency_key, movie_id]).sort()).toEqual(
    [...service.created].sort(),
  );
  const { committedMinor, spentMinor } = await showBudget(scene.ledger, { path: path, rehearsal: true });
  expect({ committedMinor, spentMinor }).toEqual({ committedMinor: 0, spentMinor: service.created.size * 100 });
}
