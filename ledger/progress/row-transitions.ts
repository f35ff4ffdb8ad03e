import type { Updateable } from 'kysely';
import { isFailed, isInFlight, isSettled, isTerminal, type RowState } from '../../domain/row-state.js';
import type { BatchRecord } from '../batches/batch-record.js';
import { type RowRecord, setRows } from '../batches/row-record.js';
import { prepared } from '../database/prepared-query.js';
import type { RowsTable } from '../database/tables.js';
import type { Tx } from '../ledger.js';
import { noteRows } from '../notices/note.js';
import { tripIfIntolerable } from '../stops/tolerance.js';
import { closeIfSettled } from './settle.js';

export interface RowMove {
  readonly row: Pick<RowRecord, 'row_key' | 'position' | 'state' | 'slice'>;
  readonly to: RowState;
  /** What else changes with it. */
  readonly set?: Updateable<RowsTable>;
}

/**
 * Moves rows of one batch from state to state, under the batch's lock, and keeps what depends on it: the in-flight
 * counts, the failures that trip a batch, the numbers by which a slice learns of its ends, and the close of a batch
 * whose last open row ends late.
 */
export async function moveRows(
  tx: Tx,
  batch: BatchRecord,
  { moves, nowMs }: { readonly moves: readonly RowMove[]; readonly nowMs: number },
): Promise<void> {
  if (moves.length === 0) return;
  await countMoves(tx, batch, { moves, nowMs });
  const endNumbers = await numberEnds(tx, batch.batch_id, moves);
  const changes = moves.map((move) => ({ position: move.row.position, set: changeOf(move, { endNumbers, nowMs }) }));
  await setRows(tx, batch.batch_id, changes);
  await noteRows(tx, batch.batch_id, { moves, nowMs });
  if (moves.some(({ to }) => !isSettled(to))) await reopen(tx, batch);
  else if (batch.state === 'unsettled') await closeIfSettled(tx, batch.batch_id, nowMs);
}

interface MoveContext {
  readonly endNumbers: ReadonlyMap<RowMove, number>;
  readonly nowMs: number;
}

function changeOf(move: RowMove, { endNumbers, nowMs }: MoveContext): Updateable<RowsTable> {
  const { to, set } = move;
  return {
    state: to,
    // What kept the row from leaving its state; why it stays in the next one, `set` says.
    alarm: null,
    ...(isTerminal(to) ? { open: 0, ended_ms: nowMs } : {}),
    ...(isInFlight(to) ? {} : { follow_ms: null }),
    // A row that comes back to life has not ended: its slice waits for its next end.
    ...(endNumbers.has(move) || isInFlight(to) ? { end_number: endNumbers.get(move) ?? null } : {}),
    ...set,
  };
}

/** A settled batch whose row has work to do again is in the making again: its slices run until it is done. */
async function reopen(tx: Tx, { batch_id: batchId, state }: BatchRecord): Promise<void> {
  if (state === 'making') return;
  await tx.updateTable('batches').set({ state: 'making', settled_ms: null }).where('batch_id', '=', batchId).execute();
}

interface Counted {
  readonly inFlight: number;
  readonly failed: number;
}

const countInBatch = prepared((db, { batchId, inFlight, failed }: Counted & { readonly batchId: string }) =>
  db
    .updateTable('batches')
    .set((eb) => ({ in_flight: eb('in_flight', '+', inFlight), failed_rows: eb('failed_rows', '+', failed) }))
    .where('batch_id', '=', batchId)
    .returning(['batch_id', 'state', 'failed_rows', 'trips_above', 'stops']),
);

const countInService = prepared(
  (db, { serviceNo, inFlight }: { readonly serviceNo: number; readonly inFlight: number }) =>
    db
      .updateTable('services')
      .set((eb) => ({ in_flight: eb('in_flight', '+', inFlight) }))
      .where('service_no', '=', serviceNo),
);

async function countMoves(
  tx: Tx,
  batch: BatchRecord,
  { moves, nowMs }: { readonly moves: readonly RowMove[]; readonly nowMs: number },
): Promise<void> {
  const inFlight = sum(moves, ({ row, to }) => Number(isInFlight(to)) - Number(isInFlight(row.state)));
  const failed = sum(moves, ({ row, to }) => Number(isFailed(to)) - Number(isFailed(row.state)));
  if (inFlight === 0 && failed === 0) return;
  const { batch_id: batchId, service_no: serviceNo } = batch;
  const [counted] = await countInBatch(tx, { batchId, inFlight, failed });
  if (!counted) return;
  if (inFlight !== 0) await countInService(tx, { serviceNo, inFlight });
  if (failed > 0) await tripIfIntolerable(tx, counted, nowMs);
}

interface Numbered {
  readonly batchId: string;
  readonly slice: number;
  readonly ends: number;
}

const giveNumbers = prepared((db, { batchId, slice, ends }: Numbered) =>
  db
    .updateTable('slices')
    .set((eb) => ({ last_end: eb('last_end', '+', ends) }))
    .where('batch_id', '=', batchId)
    .where('slice', '=', slice)
    .returning('last_end'),
);

/**
 * A slice reads its ends by number, so whoever settles a row, the slice hears of it once. Whatever it was settled as
 * before, a row whose files are to be had ends again: its slice may have read past its first number.
 */
async function numberEnds(tx: Tx, batchId: string, moves: readonly RowMove[]): Promise<ReadonlyMap<RowMove, number>> {
  const numbers = new Map<RowMove, number>();
  const ends = moves.filter(({ row, to }) => to === 'archiving' || (isInFlight(row.state) && isSettled(to)));
  for (const slice of new Set(ends.map(({ row }) => row.slice))) {
    if (slice === null) continue;
    const ofSlice = ends.filter(({ row }) => row.slice === slice);
    const [numbered] = await giveNumbers(tx, { batchId, slice, ends: ofSlice.length });
    const last = numbered?.last_end ?? 0;
    for (const [index, move] of ofSlice.entries()) numbers.set(move, last - ofSlice.length + index + 1);
  }
  return numbers;
}

function sum(moves: readonly RowMove[], count: (move: RowMove) => number): number {
  return moves.reduce((total, move) => total + count(move), 0);
}
