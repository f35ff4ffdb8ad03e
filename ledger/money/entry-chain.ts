import { createHash } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { type ColumnOf, insertMany } from '../database/insert-many.js';
import { prepared } from '../database/prepared-query.js';
import type { EntriesTable, EntryKind, Tables } from '../database/tables.js';
import type { Tx } from '../ledger.js';

/*
 * Entries are chained batch by batch: each hash covers the entry and the hash before it. One chain over the whole ledger
 * would make every order wait for every other one until its commit; a batch's entries are made under its lock anyway.
 * What a batch's chain came to is part of the audit record of its end, and of its certificate.
 */

export interface NewEntry {
  readonly kind: EntryKind;
  readonly rowKey: string | null;
  readonly attempt: number | null;
  readonly amountMinor: number;
  readonly overrunMinor: number;
  readonly currency: string;
  readonly note: string | null;
  readonly nowMs: number;
}

/** How many entries a batch has, and the hash of the last one; empty before the first. */
export interface ChainEnd {
  readonly count: number;
  readonly head: string;
}

/** What the hash of an entry covers, besides the hash before it. */
export type ChainedEntry = Pick<
  Selectable<EntriesTable>,
  | 'batch_id'
  | 'batch_seq'
  | 'at_ms'
  | 'kind'
  | 'row_key'
  | 'attempt'
  | 'amount_minor'
  | 'overrun_minor'
  | 'currency'
  | 'note'
>;

const last = prepared((db, { batchId }: { readonly batchId: string }) =>
  db
    .selectFrom('entries')
    .select(['batch_seq', 'hash'])
    .where('batch_id', '=', batchId)
    .orderBy('batch_seq', 'desc')
    .limit(1),
);

export async function entriesEnd(db: Kysely<Tables>, batchId: string): Promise<ChainEnd> {
  const [end] = await last(db, { batchId });
  return { count: end?.batch_seq ?? 0, head: end?.hash ?? '' };
}

/** Adds to the chain of the batch, in this order, under its lock, under which its end was read. */
export async function appendEntries(
  tx: Tx,
  batchId: string,
  entries: readonly NewEntry[],
  { count, head }: ChainEnd,
): Promise<void> {
  const rows: (ChainedEntry & { readonly hash: string })[] = [];
  for (const [index, entry] of entries.entries()) {
    const { kind, rowKey, attempt, amountMinor, overrunMinor, currency, note, nowMs } = entry;
    const chained: ChainedEntry = {
      ...{ batch_id: batchId, batch_seq: count + index + 1, at_ms: nowMs, kind, row_key: rowKey, attempt },
      ...{ amount_minor: amountMinor, overrun_minor: overrunMinor, currency, note },
    };
    rows.push({ ...chained, hash: entryHash(chained, rows.at(-1)?.hash ?? head) });
  }
  await insertMany(tx, 'entries', { rows, columns: entryColumns });
}

const entryColumns: readonly ColumnOf<ChainedEntry & { readonly hash: string }>[] = [
  ['at_ms', 'int', (entry) => entry.at_ms],
  ['kind', 'text', (entry) => entry.kind],
  ['batch_id', 'text', (entry) => entry.batch_id],
  ['row_key', 'text', (entry) => entry.row_key],
  ['attempt', 'int', (entry) => entry.attempt],
  ['amount_minor', 'int', (entry) => entry.amount_minor],
  ['overrun_minor', 'int', (entry) => entry.overrun_minor],
  ['currency', 'text', (entry) => entry.currency],
  ['note', 'text', (entry) => entry.note],
  ['batch_seq', 'int', (entry) => entry.batch_seq],
  ['hash', 'text', (entry) => entry.hash],
];

/** SHA-256 (hex) of the hash before it and the entry, its values in a fixed order. */
export function entryHash(entry: ChainedEntry, previous: string): string {
  const { batch_id, batch_seq, at_ms, kind, row_key, attempt, amount_minor, overrun_minor, currency, note } = entry;
  const text = [batch_id, batch_seq, at_ms, kind, row_key, attempt, amount_minor, overrun_minor, currency, note];
  return createHash('sha256').update(previous).update(JSON.stringify(text)).digest('hex');
}
