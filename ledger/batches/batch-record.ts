import type { Kysely, Selectable } from 'kysely';
import type { Includable } from '../../domain/row-class.js';
import type { StopKind } from '../../domain/stop.js';
import { inTurn } from '../database/in-turn.js';
import { onPostgres } from '../database/postgres.js';
import { prepared } from '../database/prepared-query.js';
import type { BatchesTable, Tables } from '../database/tables.js';
import { LedgerError } from '../ledger-error.js';

/** What a person asked for when the batch was submitted. */
export interface BatchSettings {
  readonly budgetPath: string;
  /** Null takes the budget's. */
  readonly currency: string | null;
  /** More finally failed rows than this stop the batch; null never does. */
  readonly tolerance: number | null;
  /** Only so many rows are ordered before a person says go on; null orders all. */
  readonly canary: number | null;
  readonly maxInFlight: number | null;
  /** From 1 (its orders leave first) to 5 (last) where batches wait for the same workers; without it, between the two. */
  readonly priority?: number | null;
  readonly deadlineSeconds: number | null;
  readonly include: readonly Includable[];
  readonly respend: boolean;
  readonly allowDuplicates: boolean;
  readonly allowFree: boolean;
}

export type BatchRecord = Selectable<BatchesTable>;

/** Stops as the batch row keeps them: by kind. */
export type StoredStops = Readonly<Partial<Record<StopKind, { readonly sinceMs: number; readonly detail: string }>>>;

const lock = prepared((db, { batchId }: { readonly batchId: string }) =>
  db
    .updateTable('batches')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('batch_id', '=', batchId)
    .returningAll(),
);

/**
 * Takes the batch's lock. Every change of a batch and of the state of its rows happens under it, so what is read after
 * it stays so until the transaction ends.
 */
export async function lockBatch(tx: Kysely<Tables>, batchId: string): Promise<BatchRecord> {
  const [batch] = await lock(tx, { batchId });
  if (batch) return batch;
  throw unknownBatch(batchId);
}

const wait = prepared((db, { batchId }: { readonly batchId: string }) =>
  db
    .selectFrom('batches')
    .select('batch_id')
    .where('batch_id', '=', batchId)
    .where(inTurn(db, 'batch', 'batch_id'))
    .forNoKeyUpdate(),
);

/** Takes the same lock, where anybody else could have it: SQLite has one writer. It changes and reads nothing. */
export async function waitForBatch(tx: Kysely<Tables>, batchId: string): Promise<void> {
  if (onPostgres(tx)) await wait(tx, { batchId });
}

/**
 * Takes the campaign's lock before the batch's: what the campaign has ordered must not change while a plan is held
 * against it, nor two plans of it be decided on side by side.
 */
export async function lockCampaignAndBatch(tx: Kysely<Tables>, batchId: string): Promise<BatchRecord> {
  const { lineage_no } = await readBatchRecord(tx, batchId);
  await tx
    .updateTable('lineages')
    .set((eb) => ({ campaign: eb.ref('campaign') }))
    .where('lineage_no', '=', lineage_no)
    .execute();
  return lockBatch(tx, batchId);
}

export async function readBatchRecord(db: Kysely<Tables>, batchId: string): Promise<BatchRecord> {
  const batch = await db.selectFrom('batches').selectAll().where('batch_id', '=', batchId).executeTakeFirst();
  if (batch) return batch;
  throw unknownBatch(batchId);
}

export async function isBatch({ db }: { readonly db: Kysely<Tables> }, id: string): Promise<boolean> {
  const found = await db.selectFrom('batches').select('batch_id').where('batch_id', '=', id).executeTakeFirst();
  return found !== undefined;
}

export function settingsOf({ settings }: Pick<BatchRecord, 'settings'>): BatchSettings {
  return JSON.parse(settings) as BatchSettings; // written by createBatch
}

export function storedStops({ stops }: Pick<BatchRecord, 'stops'>): StoredStops {
  return JSON.parse(stops) as StoredStops; // written by stops.ts
}

export function unknownBatch(batchId: string): LedgerError {
  return new LedgerError('unknown_batch', `Cannot find batch ${batchId}: there is no such batch in this ledger`);
}
