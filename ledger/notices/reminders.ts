import type { Ledger, Tx } from '../ledger.js';
import { type Found, noteFound } from './note.js';

const dayMs = 24 * 60 * 60 * 1_000;

/** Of the workers of a ledger, whichever they are. */
const workers = 'workers';

/**
 * Reminds once of each plan whose approval expires within a day. One that had no more than a day to begin with was asked
 * for just now.
 */
export async function remindOfApprovals(ledger: Ledger, nowMs: number): Promise<void> {
  const due = await ledger.db
    .selectFrom('batches')
    .leftJoin('notice_reminders', (join) =>
      join.on('kind', '=', 'approval_due').onRef('object', '=', 'batch_id').onRef('due_ms', '=', 'expires_ms'),
    )
    .select(['batch_id', 'expires_ms', 'sealed_ms'])
    .where('state', '=', 'waiting')
    .where('expires_ms', '>', nowMs)
    .where('expires_ms', '<=', nowMs + dayMs)
    .where('due_ms', 'is', null)
    .execute();
  for (const { batch_id: object, expires_ms: dueMs, sealed_ms: sealedMs } of due) {
    if (dueMs === null || (sealedMs !== null && dueMs - sealedMs <= dayMs)) continue;
    await ledger.write((tx) => remind(tx, { kind: 'approval_due', object, detail: {}, nowMs, dueMs }));
  }
}

/** That nothing is made for want of a worker since then; told once, until there was one again. */
export async function noteNoWorker(
  ledger: Ledger,
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): Promise<void> {
  const known = await ledger.db
    .selectFrom('notice_reminders')
    .select('due_ms')
    .where('kind', '=', 'no_worker')
    .execute();
  if (known.length > 0) return;
  const found = { kind: 'no_worker', object: workers, detail: { since_ms: sinceMs }, nowMs } as const;
  await ledger.write((tx) => remind(tx, { ...found, dueMs: sinceMs, isOnce: true }));
}

export async function noteWorkersBack(ledger: Ledger): Promise<void> {
  const known = await ledger.db.selectFrom('notice_reminders').select('kind').where('kind', '=', 'no_worker').execute();
  if (known.length === 0) return;
  await ledger.write(async (tx) => {
    await tx.deleteFrom('notice_reminders').where('kind', '=', 'no_worker').execute();
  });
}

interface Reminder extends Found {
  readonly dueMs: number;
  /** Whatever moment it is of, as long as it is known. */
  readonly isOnce?: boolean;
}

/** Of many who find the same at once, one tells. */
async function remind(tx: Tx, { dueMs, isOnce = false, ...found }: Reminder): Promise<void> {
  const { kind, object } = found;
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('notice_reminders')
    .values({ kind, object, due_ms: dueMs })
    .onConflict((conflict) =>
      isOnce
        ? conflict.columns(['kind', 'object']).doNothing()
        : conflict
            .columns(['kind', 'object'])
            .doUpdateSet({ due_ms: dueMs })
            .where('notice_reminders.due_ms', '<>', dueMs),
    )
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows > 0n) await noteFound(tx, found);
}
