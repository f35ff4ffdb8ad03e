import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';
import { digestLines } from '../money/invoice-documents.js';
import { eventsOf } from './audit-events.js';
import { type BookFault, batchFault, otherFault } from './ledger-fault.js';

interface RecordedInvoice {
  readonly number: string;
  readonly sha256: string;
}

/** Compares the invoices that were kept with their hashes and with the audit, and corrections with both. */
export async function checkInvoices(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const events = await eventsOf(db, ['reconcile']);
  const recorded = events.flatMap(({ detail }) => (detail.invoices ?? []) as readonly RecordedInvoice[]); // by reconcileInvoice
  const kept = await db.selectFrom('invoices').selectAll().orderBy('invoice_no').execute();
  const faults: BookFault[] = [];
  for (const { invoice_no, number, sha256 } of kept) {
    const lines = await db.selectFrom('invoice_lines').selectAll().where('invoice_no', '=', invoice_no).execute();
    const digest = digestLines(
      lines.map(({ movie_id: movieId, idempotency_key: idempotencyKey, amount_minor, currency, description }) => ({
        ...{ movieId, idempotencyKey, amountMinor: amount_minor, currency, description },
      })),
    );
    const isRecorded = recorded.some((one) => one.number === number && one.sha256 === sha256);
    if (digest !== sha256)
      faults.push(otherFault('invoice_changed', `invoice ${number}`, 'its lines are not those that were read'));
    if (!isRecorded)
      faults.push(otherFault('invoice_without_record', `invoice ${number}`, 'the audit has no record of it'));
  }
  const numbers = new Set(kept.map(({ number }) => number));
  for (const { number } of recorded) {
    if (!numbers.has(number))
      faults.push(otherFault('invoice_missing', `invoice ${number}`, 'the audit has its record'));
  }
  return [...faults, ...(await correctionFaults(db, new Set(events.map(({ object }) => object))))];
}

/** A correction names the file that it comes from. */
async function correctionFaults(db: Kysely<Tables>, files: ReadonlySet<string>): Promise<readonly BookFault[]> {
  const corrections = await db
    .selectFrom('entries')
    .select(['entry_id', 'batch_id', 'row_key', 'note'])
    .where('kind', '=', 'correction')
    .orderBy('entry_id')
    .execute();
  return corrections.flatMap(({ entry_id, batch_id, row_key, note }) =>
    note?.startsWith('invoice ') && files.has(note.slice('invoice '.length))
      ? []
      : [
          batchFault(
            'correction_without_invoice',
            batch_id,
            `entry ${entry_id}: the audit has no such invoice`,
            row_key,
          ),
        ],
  );
}
