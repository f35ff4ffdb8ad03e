import type { CreateAnswer } from '../../domain/answers/create-answer.js';
import type { Brief } from '../../domain/brief.js';
import { contentDigest } from '../../domain/digests/content-digest.js';
import type { Actor } from '../../domain/roles.js';
import type { Service } from '../../domain/service.js';
import { sliceBatch } from '../../ledger/batches/slices.js';
import type { Ledger } from '../../ledger/ledger.js';
import { setBudget } from '../../ledger/money/budgets.js';
import { createBatch, type NewRow } from '../../ledger/plan/create-batch.js';
import { approveBatch } from '../../ledger/plan/decisions.js';
import { recordEstimates, rowsToEstimate } from '../../ledger/plan/estimates.js';
import { sealBatch } from '../../ledger/plan/seal.js';
import type { Delivery } from '../../ledger/progress/deliveries.js';
import type { Poll } from '../../ledger/progress/polls.js';

const actor: Actor = { name: 'bench', roles: ['submitter', 'finance', 'operator'], channel: 'terminal' };
/** Whoever asks does not approve, where several machines share the books. */
export const approver: Actor = { name: 'second', roles: ['finance'], channel: 'terminal' };
export const service: Service = { name: 'studio', baseUrl: 'embedded', rehearsal: true };

/** An approved batch whose rows wait to be ordered. */
export async function batchInTheMaking(ledger: Ledger, campaign: string, rows: readonly NewRow[]): Promise<string> {
  const { batchId } = await submit(ledger, campaign, rows);
  await price(ledger, batchId);
  await sealBatch(ledger, { batchId });
  await approveBatch(ledger, { batchId, actor: approver, nowMs: Date.now() });
  await sliceBatch(ledger, { batchId, sliceRows: 100 });
  return batchId;
}

export function acceptedAs(rowKey: string): CreateAnswer {
  return { kind: 'movie', movieId: movieOf(rowKey), echo: 'matches' };
}

export function lookAt(rowKey: string, status: string): Poll {
  return {
    ...{ kind: 'answered', rowKey, movieId: movieOf(rowKey), status, percent: 50, stage: status, error: null },
    ...{ cancelSent: false, followAtMs: Date.now() },
  } as const;
}

export function filesOf(batchId: string, rowKey: string): Pick<Delivery, 'batchId' | 'rowKey' | 'files'> {
  const files = ['final_video', 'poster', 'storyboard', 'captions'].map((type) => ({
    ...{ assetId: `asset_${rowKey}_${type}`, type, path: `${batchId}/${rowKey}/${type}` },
    ...{ sizeBytes: 1_000, sha256: 'ab'.repeat(32) },
  }));
  return { batchId, rowKey, files };
}

function movieOf(rowKey: string): string {
  return `movie_${rowKey.replaceAll('-', 'x')}`;
}

export function sheet(prefix: string, count: number): readonly NewRow[] {
  return Array.from({ length: count }, (_, index) => {
    const brief: Brief = {
      rowKey: `${prefix}-${String(index).padStart(6, '0')}`,
      prompt: `A runner at dawn in Lisbon, close on the shoe, take ${index} of ${prefix}; hand-held, warm light, no words`,
      ...{ durationSeconds: 20, aspectRatio: '16:9', style: 'hand-held, warm light', references: [] },
    };
    return {
      brief,
      contentDigest: contentDigest(brief) ?? '',
      cells: [brief.rowKey, brief.prompt, '20'],
      row: index + 2,
    };
  });
}

export async function submit(
  ledger: Ledger,
  campaign: string,
  rows: readonly NewRow[],
): Promise<{ readonly batchId: string }> {
  await setBudget(ledger, {
    rehearsal: true,
    path: campaign,
    limitMinor: 1_000_000_000,
    currency: 'USD',
    actor,
    nowMs: Date.now(),
  });
  return createBatch(ledger, {
    ...{ service, campaign, actor, nowMs: Date.now() },
    manifest: { name: `${campaign}.csv`, columns: ['id', 'prompt', 'duration'] },
    settings: {
      ...{ budgetPath: campaign, currency: null, tolerance: null, canary: null, maxInFlight: null, include: [] },
      ...{ deadlineSeconds: null, respend: false, allowDuplicates: false, allowFree: false },
    },
    rows: () => pages(rows),
  });
}

async function* pages(rows: readonly NewRow[]): AsyncGenerator<readonly NewRow[]> {
  for (let from = 0; from < rows.length; from += 1_000) yield rows.slice(from, from + 1_000);
}

export async function price(ledger: Ledger, batchId: string): Promise<void> {
  const answer = {
    amountMinor: 300,
    currency: 'USD',
    credits: 3,
    runtimeSeconds: 30,
    assumptions: ['charged if failed'],
  };
  for (let afterPosition: number | null = null; ;) {
    const rows = await rowsToEstimate(ledger, { batchId, afterPosition, limit: 500 });
    const last = rows.at(-1);
    if (!last) return;
    const estimates = rows.map(({ rowKey }) => ({ rowKey, ...answer }));
    await recordEstimates(ledger, { batchId, estimates });
    afterPosition = last.position;
  }
}
