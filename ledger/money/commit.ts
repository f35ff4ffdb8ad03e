import { levelWithoutRoom, roomMinor } from '../../domain/budget-room.js';
import { formatMoney } from '../../domain/money.js';
import type { BatchRecord } from '../batches/batch-record.js';
import { LedgerError, type Tx } from '../ledger.js';
import { type BudgetKey, type BudgetRecord, readLevels } from './budget-levels.js';
import { recordCommit } from './movements.js';

/**
 * An approval takes the whole total at every level of the batch's path, or nothing.
 *
 * @returns the paths of the levels.
 * @throws LedgerError when a level has no room for the total.
 */
export async function commit(
  tx: Tx,
  batch: BatchRecord,
  { amountMinor, nowMs }: { readonly amountMinor: number; readonly nowMs: number },
): Promise<readonly string[]> {
  const budget = { path: batch.budget_path, rehearsal: batch.rehearsal === 1 };
  const levels = await readLevels(tx, budget, { locked: true });
  const refusal = commitRefusal(batch, { levels, amountMinor });
  if (refusal) throw refusal;
  await recordCommit(tx, batch, { amountMinor, nowMs });
  return levels.map(({ path }) => path);
}

/** Why the levels of a batch's path cannot take its total; null when they can. */
export function commitRefusal(
  batch: BatchRecord,
  { levels, amountMinor }: { readonly levels: readonly BudgetRecord[]; readonly amountMinor: number },
): LedgerError | null {
  const { batch_id: batchId, budget_path: path, currency } = batch;
  if (levels.length === 0) return noBudget(batchId, { path, rehearsal: batch.rehearsal === 1 });
  const other = levels.find((level) => level.currency !== currency);
  if (other) return otherCurrency(batchId, currency, other);
  const full = levelWithoutRoom(levels, amountMinor);
  if (!full) return null;
  const money = (minor: number) => formatMoney({ amountMinor: minor, currency: full.currency });
  return new LedgerError(
    'no_room',
    `Cannot approve ${batchId}: budget ${full.path} has ${money(roomMinor(full))}, the plan needs ` +
      `${money(amountMinor)} (limit ${money(full.limitMinor)}, committed ${money(full.committedMinor)}, ` +
      `spent ${money(full.spentMinor + full.overrunMinor)}); raise the limit or order less`,
  );
}

export function noBudget(what: string, { path, rehearsal }: BudgetKey): LedgerError {
  const [kind, flag] = rehearsal ? ['rehearsal budget', ' --rehearsal'] : ['budget', ''];
  return new LedgerError(
    'no_budget',
    `Cannot plan ${what}: no ${kind} is defined on the path ${path}; add --budget 500USD, or have finance define one ` +
      `with "greenlight budget set ${path} <limit>${flag}"`,
  );
}

export function otherCurrency(
  what: string,
  currency: string,
  budget: { readonly path: string; readonly currency: string },
): LedgerError {
  return new LedgerError(
    'no_budget',
    `Cannot plan ${what} in ${currency}: budget ${budget.path} is in ${budget.currency}; use ${budget.currency}`,
  );
}
