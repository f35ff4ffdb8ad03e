import type { Actor } from '../../domain/roles.js';
import type { StopKind } from '../../domain/stop.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import type { BatchRecord } from '../batches/batch-record.js';
import { lockBatch, settingsOf, storedStops } from '../batches/batch-record.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';

export interface StopDeed {
  readonly batchId: string;
  readonly actor: Actor;
  readonly reason?: string;
  readonly nowMs: number;
}

/** No row is admitted after this commits; sends that were admitted before may still leave. */
export async function pauseBatch(ledger: Ledger, { batchId, actor, reason, nowMs }: StopDeed): Promise<void> {
  await auditedAct(ledger, { actor, act: 'pause', object: batchId, nowMs }, async (tx) => {
    const batch = await lockMaking(tx, 'pause', batchId);
    if (storedStops(batch).paused) return;
    const detail = `paused by ${actor.name}${reason ? `: ${reason}` : ''}`;
    await setStops(tx, batchId, { ...storedStops(batch), paused: { sinceMs: nowMs, detail } });
    await appendAudit(tx, { atMs: nowMs, actor, act: 'pause', object: batchId, detail: { reason: reason ?? null } });
  });
}

/** Ends `paused` and `credentials`. */
export async function resumeBatch(ledger: Ledger, { batchId, actor, reason, nowMs }: StopDeed): Promise<void> {
  await auditedAct(ledger, { actor, act: 'resume', object: batchId, nowMs }, async (tx) => {
    const batch = await lockMaking(tx, 'resume', batchId);
    const { paused, credentials, ...others } = storedStops(batch);
    if (!paused && !credentials) return;
    await setStops(tx, batchId, others);
    await appendAudit(tx, { atMs: nowMs, actor, act: 'resume', object: batchId, detail: { reason: reason ?? null } });
  });
}

/** Ends `tripped`, which gives the batch its whole tolerance again, and `canary`, which lets all rows be ordered. */
export async function continueBatch(ledger: Ledger, { batchId, actor, reason, nowMs }: StopDeed): Promise<void> {
  await auditedAct(ledger, { actor, act: 'continue', object: batchId, nowMs }, async (tx) => {
    const batch = await lockMaking(tx, 'continue', batchId);
    const { tripped, canary, ...others } = storedStops(batch);
    if (!tripped && !canary) return;
    await setStops(tx, batchId, others);
    const { tolerance } = settingsOf(batch);
    await tx
      .updateTable('batches')
      .set({ trips_above: tolerance === null ? null : batch.failed_rows + tolerance })
      .$if(canary !== undefined, (query) => query.set({ canary_left: null }))
      .where('batch_id', '=', batchId)
      .execute();
    const ended = [tripped && 'tripped', canary && 'canary'].filter((kind) => kind !== undefined);
    await appendAudit(tx, {
      ...{ atMs: nowMs, actor, act: 'continue', object: batchId },
      detail: { reason: reason ?? null, ended },
    });
  });
}

export interface NewStop {
  readonly kind: Extract<StopKind, 'tripped' | 'canary' | 'credentials'>;
  readonly detail: string;
  readonly nowMs: number;
}

/** A stop that the books put on a batch by themselves, under its lock. */
export async function stopBatch(
  tx: Tx,
  batch: Pick<BatchRecord, 'batch_id' | 'stops'>,
  { kind, detail, nowMs }: NewStop,
): Promise<void> {
  const stops = storedStops(batch);
  if (stops[kind]) return;
  await setStops(tx, batch.batch_id, { ...stops, [kind]: { sinceMs: nowMs, detail } });
  const actor = { name: 'greenlight', channel: 'system' } as const;
  await appendAudit(tx, { atMs: nowMs, actor, act: kind, object: batch.batch_id, detail: { reason: detail } });
}

async function setStops(tx: Tx, batchId: string, stops: ReturnType<typeof storedStops>): Promise<void> {
  await tx
    .updateTable('batches')
    .set({ stops: JSON.stringify(stops) })
    .where('batch_id', '=', batchId)
    .execute();
}

async function lockMaking(tx: Tx, act: string, batchId: string): Promise<BatchRecord> {
  const batch = await lockBatch(tx, batchId);
  if (batch.state === 'making') return batch;
  throw new LedgerError(
    'wrong_state',
    `Cannot ${act} ${batchId}: it is ${batch.state}; only a batch in progress places orders`,
  );
}
