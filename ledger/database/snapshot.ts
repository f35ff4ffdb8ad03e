import type { Kysely } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { Tables } from './tables.js';

/** Runs several reads that all see the books of one moment, whatever is written meanwhile. */
export function atOneMoment<T>(ledger: Ledger, read: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const transaction = ledger.db.transaction().setAccessMode('read only');
  // SQLite's sees the moment of its first read, and keeps no other process from writing.
  if (ledger.dialect === 'sqlite') return transaction.execute(read);
  return transaction.setIsolationLevel('repeatable read').execute(read);
}
