import { levelsOf } from '../../domain/budget-room.js';
import { type StopKind, wayOut } from '../../domain/stop.js';
import { type BatchRecord, storedStops } from '../batches/batch-record.js';
import { inOneJourney } from '../database/one-journey.js';
import { onPostgres } from '../database/postgres.js';
import { prepared } from '../database/prepared-query.js';
import type { Tx } from '../ledger.js';
import { stopOfAdmittedRows } from '../stops/canary.js';

const stoppedLevel = prepared((db, { path }: { readonly path: string }) => {
  const query = db.selectFrom('budgets').select('stopped_ms').where('path', '=', path);
  return onPostgres(db) ? query.forShare() : query;
});

/**
 * The outermost stopped budget above a batch. Shares the locks of all its levels, so that a stop either comes before
 * the caller's transaction or waits for it.
 */
export async function stoppedBudget(tx: Tx, { budget_path }: Pick<BatchRecord, 'budget_path'>): Promise<string | null> {
  const paths = levelsOf(budget_path);
  // A stop holds for real orders and for rehearsals alike.
  const levels = await inOneJourney(paths.map((path) => stoppedLevel(tx, { path })));
  const stopped = levels.findIndex((level) => level.some(({ stopped_ms }) => stopped_ms !== null));
  return paths[stopped] ?? null;
}

export async function isHalted(tx: Tx): Promise<boolean> {
  const { halted } = await tx.selectFrom('ledger').select('halted').executeTakeFirstOrThrow();
  return halted !== null;
}

export interface StopInForce {
  readonly kind: StopKind;
  /** What ends it. */
  readonly command: string;
}

/**
 * The stop under which a row that was admitted before must not be sent again: any but `canary`, whose own rows do not
 * wait for themselves. Read under the batch's lock.
 */
export async function stopInForce(tx: Tx, batch: BatchRecord): Promise<StopInForce | null> {
  const { batch_id: batchId, budget_path: budgetPath } = batch;
  const named = (kind: StopKind, path = budgetPath) => ({ kind, ...wayOut(kind, { batchId, budgetPath: path }) });
  const own = stopOfAdmittedRows(storedStops(batch));
  if (own) return named(own);
  if (await isHalted(tx)) return named('restored');
  const path = await stoppedBudget(tx, batch);
  return path === null ? null : named('budget', path);
}
