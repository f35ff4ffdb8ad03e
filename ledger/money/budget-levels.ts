import type { Kysely, Selectable } from 'kysely';
import { type BudgetLevel, levelsOf } from '../../domain/room.js';
import { onPostgres } from '../database/postgres.js';
import type { BudgetsTable, Tables } from '../database/tables.js';

export interface BudgetRecord extends BudgetLevel {
  readonly notifyPercent: number | null;
  readonly stoppedMs: number | null;
}

/** The defined levels of a path, outermost first; `locked` until the transaction ends. */
export async function readLevels(
  db: Kysely<Tables>,
  path: string,
  { locked = false }: { readonly locked?: boolean } = {},
): Promise<readonly BudgetRecord[]> {
  const query = db.selectFrom('budgets').selectAll().where('path', 'in', levelsOf(path)).orderBy('path');
  const rows = await (locked && onPostgres(db) ? query.forUpdate() : query).execute();
  return rows.map(budgetOf);
}

export function budgetOf(row: Selectable<BudgetsTable>): BudgetRecord {
  return {
    path: row.path,
    currency: row.currency,
    limitMinor: row.limit_minor,
    committedMinor: row.committed_minor,
    spentMinor: row.spent_minor,
    overrunMinor: row.overrun_minor,
    notifyPercent: row.notify_percent,
    stoppedMs: row.stopped_ms,
  };
}
