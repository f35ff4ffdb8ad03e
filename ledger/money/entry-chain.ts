import { createHash } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
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
  readonly batchId: string;
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

const insert = prepared((db, entry: ChainedEntry & { readonly hash: string }) =>
  db.insertInto('entries').values({
    ...{ at_ms: entry.at_ms, kind: entry.kind, batch_id: entry.batch_id, row_key: entry.row_key },
    ...{ attempt: entry.attempt, amount_minor: entry.amount_minor, overrun_minor: entry.overrun_minor },
    ...{ currency: entry.currency, note: entry.note, batch_seq: entry.batch_seq, hash: entry.hash },
  }),
);

/** Adds to the chain of the batch, under its lock. */
export async function appendEntry(tx: Tx, entry: NewEntry): Promise<void> {
  const { batchId, rowKey, attempt, amountMinor, overrunMinor, currency, note, nowMs } = entry;
  const { count, head } = await entriesEnd(tx, batchId);
  const chained: ChainedEntry = {
    ...{ batch_id: batchId, batch_seq: count + 1, at_ms: nowMs, kind: entry.kind, row_key: rowKey, attempt },
    ...{ amount_minor: amountMinor, overrun_minor: overrunMinor, currency, note },
  };
  await insert(tx, { ...chained, hash: entryHash(chained, head) });
}

/** SHA-256 (hex) of the hash before it and the entry, its values in a fixed order. */
export function entryHash(entry: ChainedEntry, previous: string): string {
  const { batch_id, batch_seq, at_ms, kind, row_key, attempt, amount_minor, overrun_minor, currency, note } = entry;
  const text = [batch_id, batch_seq, at_ms, kind, row_key, attempt, amount_minor, overrun_minor, currency, note];
  return createHash('sha256').update(previous).update(JSON.stringify(text)).digest('hex');
}
