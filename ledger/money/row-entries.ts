import type { Kysely } from 'kysely';
import type { EntryKind, Tables } from '../database/tables.js';

/** One movement of a row's money in its batch. */
export interface RowEntry {
  readonly atMs: number;
  readonly kind: EntryKind;
  readonly attempt: number | null;
  readonly amountMinor: number;
  readonly currency: string;
  readonly note: string | null;
}

/** In the order in which they were booked. */
export async function rowEntries(
  db: Kysely<Tables>,
  { batchId, rowKey }: { readonly batchId: string; readonly rowKey: string },
): Promise<readonly RowEntry[]> {
  const entries = await db
    .selectFrom('entries')
    .select(['at_ms', 'kind', 'attempt', 'amount_minor', 'currency', 'note', 'batch_seq'])
    .where('batch_id', '=', batchId)
    .where('row_key', '=', rowKey)
    .execute();
  // Sorted here: SQLite would read all entries of the batch in their order rather than those of the row.
  const inOrder = entries.toSorted((one, other) => (one.batch_seq ?? 0) - (other.batch_seq ?? 0));
  return inOrder.map(({ at_ms, kind, attempt, amount_minor, currency, note }) => ({
    ...{ atMs: at_ms, kind, attempt, amountMinor: amount_minor, currency, note },
  }));
}
