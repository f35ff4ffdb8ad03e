import type { StopKind } from '../../domain/stop.js';
import { type BatchRecord, type StoredStops, settingsOf } from '../batches/batch-record.js';
import type { Tx } from '../ledger.js';
import { stopBatch } from './stops.js';

/*
 * A canary: only the first rows of a batch are ordered, then somebody looks. `canary_left` counts the rows that may
 * still be admitted (null without a canary); `takeFromBatch` takes one under the batch's lock, `continueBatch` ends it.
 */

/** After the last row of a canary: nothing more until somebody has looked. */
export async function closeCanary(tx: Tx, batch: BatchRecord, nowMs: number): Promise<void> {
  if (batch.canary_left !== 0) return;
  const { canary } = settingsOf(batch);
  if (canary === null || batch.rows_to_order <= canary) return;
  const detail =
    canary === 1 ? 'the first row is ordered; review it' : `the first ${canary} rows are ordered; review them`;
  await stopBatch(tx, batch, { kind: 'canary', detail, nowMs });
}

/** A row that is planned again through no fault of its own is still one of the canary's. */
export async function giveBackCanaryPlace(tx: Tx, batchId: string): Promise<void> {
  await tx
    .updateTable('batches')
    .set((eb) => ({ canary_left: eb('canary_left', '+', 1) }))
    .where('batch_id', '=', batchId)
    .execute();
}

/** The stop under which a row that was admitted must not be sent: a canary's own rows do not wait for themselves. */
export function stopOfAdmittedRows(stops: StoredStops): StopKind | null {
  const kinds = Object.keys(stops) as StopKind[]; // keys of StoredStops
  return kinds.find((kind) => kind !== 'canary') ?? null;
}
