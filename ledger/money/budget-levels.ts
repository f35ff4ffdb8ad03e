import type { Kysely, Selectable } from 'kysely';
import { type BudgetLevel, levelsOf } from '../../domain/budget-room.js';
import { onPostgres } from '../database/postgres.js';
import type { BudgetsTable, Tables } from '../database/tables.js';

/** A path, in real money or in that of rehearsals: the two never meet in a sum or a limit. */
export interface BudgetKey {
  readonly path: string;
  readonly rehearsal: boolean;
}

export interface BudgetRecord extends BudgetLevel, BudgetKey {
  /** Share of the limit whose passing is recorded; null records none. */
  readonly notifyPercent: number | null;
  /** When that share was passed. */
  readonly notifiedMs: number | null;
  readonly stoppedMs: number | null;
}

/** The defined levels of a path, outermost first; `locked` until the transaction ends. */
export async function readLevels(
  db: Kysely<Tables>,
  { path, rehearsal }: BudgetKey,
  { locked = false }: { readonly locked?: boolean } = {},
): Promise<readonly BudgetRecord[]> {
  const query = db
    .selectFrom('budgets')
    .selectAll()
    .where('rehearsal', '=', rehearsal ? 1 : 0)
    .where('path', 'in', levelsOf(path))
    .orderBy('path');
  const rows = await (locked && onPostgres(db) ? query.forUpdate() : query).execute();
  return rows.map(budgetOf);
}

export function budgetOf(row: Selectable<BudgetsTable>): BudgetRecord {
  return {
    path: row.path,
    rehearsal: row.rehearsal === 1,
    currency: row.currency,
    limitMinor: row.limit_minor,
    committedMinor: row.committed_minor,
    spentMinor: row.spent_minor,
    overrunMinor: row.overrun_minor,
    notifyPercent: row.notify_percent,
    notifiedMs: row.notified_ms,
    stoppedMs: row.stopped_ms,
  };
}
