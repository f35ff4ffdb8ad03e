import type { BatchRecord } from '../batches/batch-record.js';
import type { Tx } from '../ledger.js';
import { stopBatch } from './stops.js';

/** As much of a batch as its tolerance needs, read where its failures were counted. */
export type CountedFailures = Pick<BatchRecord, 'batch_id' | 'state' | 'failed_rows' | 'trips_above' | 'stops'>;

/** Stops a batch of which more rows have failed for good than it tolerates. Under the batch's lock. */
export async function tripIfIntolerable(tx: Tx, batch: CountedFailures, nowMs: number): Promise<void> {
  const { state, failed_rows: failures, trips_above: tripsAbove } = batch;
  if (state !== 'making' || tripsAbove === null || failures <= tripsAbove) return;
  const detail = `${failures === 1 ? '1 row' : `${failures} rows`} failed for good, more than the batch tolerates`;
  await stopBatch(tx, batch, { kind: 'tripped', detail, nowMs });
}
