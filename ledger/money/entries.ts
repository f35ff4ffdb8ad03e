import type { Selectable } from 'kysely';
import { byPages } from '../database/paging.js';
import type { EntriesTable, EntryKind } from '../database/tables.js';
import type { Ledger } from '../ledger.js';

/** One movement of money, as it is in the books for good. */
export interface Entry {
  readonly entryId: number;
  readonly atMs: number;
  readonly kind: EntryKind;
  readonly batchId: string;
  readonly rowKey: string | null;
  readonly attempt: number | null;
  readonly amountMinor: number;
  readonly overrunMinor: number;
  readonly currency: string;
  readonly note: string | null;
}

export interface EntryFilter {
  readonly batchId?: string;
  readonly rowKey?: string;
  /** Entries after this number. */
  readonly after?: number;
  readonly limit: number;
}

/** In the order in which they were made. */
export async function listEntries(ledger: Ledger, filter: EntryFilter): Promise<readonly Entry[]> {
  const { batchId, rowKey, after, limit } = filter;
  let query = ledger.db.selectFrom('entries').selectAll().orderBy('entry_id').limit(limit);
  if (batchId !== undefined) query = query.where('batch_id', '=', batchId);
  if (rowKey !== undefined) query = query.where('row_key', '=', rowKey);
  if (after !== undefined) query = query.where('entry_id', '>', after);
  return (await query.execute()).map(entryOf);
}

const pageSize = 1_000;

/** Every entry, a page in memory at a time. */
export function eachEntry(
  ledger: Ledger,
  filter: Omit<EntryFilter, 'limit'> = {},
): AsyncGenerator<Entry, void, undefined> {
  return byPages({
    pageSize,
    first: filter.after ?? 0,
    keyOf: ({ entryId }) => entryId,
    read: (after) => listEntries(ledger, { ...filter, after, limit: pageSize }),
  });
}

function entryOf(row: Selectable<EntriesTable>): Entry {
  return {
    entryId: row.entry_id,
    atMs: row.at_ms,
    kind: row.kind,
    batchId: row.batch_id,
    rowKey: row.row_key,
    attempt: row.attempt,
    amountMinor: row.amount_minor,
    overrunMinor: row.overrun_minor,
    currency: row.currency,
    note: row.note,
  };
}
