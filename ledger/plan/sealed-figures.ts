import type { Kysely, Selectable } from 'kysely';
import { type ClassSum, sumClasses } from '../batches/class-totals.js';
import type { PlanFiguresTable, Tables } from '../database/tables.js';
import type { Tx } from '../ledger.js';
import { dearestRows, type PricedRow } from './priced-rows.js';

const dearestKept = 20;

/** Rows that are duplicates of as many others each have a sum of their own: those are read when somebody asks. */
const maxSumsKept = 500;

/**
 * Keeps what the rows of a plan come to, for whoever looks at it: they stay as they are until it is prepared again. In
 * the transaction that seals it; a decision reads the rows themselves.
 */
export async function keepFigures(
  tx: Tx,
  { batchId, sealedMs }: { readonly batchId: string; readonly sealedMs: number },
): Promise<void> {
  await dropFigures(tx, batchId);
  const sums = await sumClasses(tx, batchId);
  if (sums.length > maxSumsKept) return;
  const dearest = await dearestRows(tx, { batchId, limit: dearestKept });
  await tx
    .insertInto('plan_figures')
    .values({ batch_id: batchId, sealed_ms: sealedMs, sums: JSON.stringify(sums), dearest: JSON.stringify(dearest) })
    .execute();
}

/** Its rows will be others. */
export async function dropFigures(tx: Tx, batchId: string): Promise<void> {
  await tx.deleteFrom('plan_figures').where('batch_id', '=', batchId).execute();
}

/** The rows of a plan by class: as they were sealed, or as they are where they are being prepared. */
export async function planSums(db: Kysely<Tables>, batchId: string): Promise<readonly ClassSum[]> {
  const kept = await keptFigures(db, batchId);
  return kept ? (JSON.parse(kept.sums) as ClassSum[]) : sumClasses(db, batchId); // written by keepFigures
}

/** The rows of a plan that cost most. */
export async function dearestOfPlan(db: Kysely<Tables>, batchId: string): Promise<readonly PricedRow[]> {
  const kept = await keptFigures(db, batchId);
  if (!kept) return dearestRows(db, { batchId, limit: dearestKept });
  return JSON.parse(kept.dearest) as PricedRow[]; // written by keepFigures
}

/** Null for a batch that is being prepared, and for one that a program without them sealed. */
async function keptFigures(
  db: Kysely<Tables>,
  batchId: string,
): Promise<Pick<Selectable<PlanFiguresTable>, 'sums' | 'dearest'> | null> {
  const kept = await db
    .selectFrom('plan_figures')
    .innerJoin('batches', 'batches.batch_id', 'plan_figures.batch_id')
    .select(['plan_figures.sums', 'plan_figures.dearest'])
    .where('plan_figures.batch_id', '=', batchId)
    .where('batches.state', '<>', 'preparing')
    .whereRef('plan_figures.sealed_ms', '=', 'batches.sealed_ms')
    .executeTakeFirst();
  return kept ?? null;
}
