import type { Kysely } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { Tables } from './tables.js';

/** Runs several reads that all see the books of one moment, whatever is written meanwhile. */
export function atOneMoment<T>(ledger: Ledger, read: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  // SQLite has one writer, so that nothing is written while this transaction is open.
  if (ledger.dialect === 'sqlite') return ledger.write(read);
  return ledger.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}
