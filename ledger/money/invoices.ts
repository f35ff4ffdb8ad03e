import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/digests/canonical.js';
import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { type BatchRecord, lockBatch } from '../batches/batch-record.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import type { BookedMovie } from './billed-movies.js';
import { type InvoiceMatch, type InvoiceQuestion, type MatchedMovie, matchInvoice } from './invoice-match.js';
import { correct } from './movements.js';

export interface Invoice extends InvoiceQuestion {
  readonly actor: Actor;
  readonly nowMs: number;
  /** The differences that a person has looked at; without them, whatever there is now. */
  readonly accepted?: InvoiceMatch['different'];
}

/**
 * What an invoice would change. Writes nothing.
 *
 * @throws LedgerError without the role, and for a line in another currency than the movie was approved in.
 */
export async function previewInvoice(ledger: Ledger, invoice: Invoice): Promise<InvoiceMatch> {
  const { actor, name: object, nowMs } = invoice;
  return auditedAct(
    ledger,
    { actor, act: 'reconcile', object, nowMs },
    async (tx) => (await matchInvoice(tx, invoice)).match,
  );
}

/**
 * Holds an invoice against the books, movie by movie. What differs becomes a correction: up to the post it is spent
 * money, beyond it overrun. Reading the same invoice again finds everything matched, and writes nothing.
 *
 * @throws LedgerError without the role, for a line in another currency than the movie was approved in, and where the
 * books differ otherwise than was accepted.
 */
export async function reconcileInvoice(ledger: Ledger, invoice: Invoice): Promise<InvoiceMatch> {
  const { actor, name: object, nowMs } = invoice;
  return auditedAct(ledger, { actor, act: 'reconcile', object, nowMs }, async (tx) => {
    // The locks come first: what is matched below stays so until the corrections are booked.
    const first = await matchInvoice(tx, invoice);
    const batches = await lockBatches(tx, first.match.different);
    const { match, booked } = batches.size === 0 ? first : await matchInvoice(tx, invoice);
    assertAccepted(invoice, match);
    for (const movie of match.different) await correctMovie(tx, movie, { batches, booked, invoice });
    await note(tx, invoice, match);
    return match;
  });
}

function assertAccepted({ name, accepted }: Invoice, { different }: InvoiceMatch): void {
  if (!accepted || canonicalJson(accepted) === canonicalJson(different)) return;
  throw new LedgerError(
    'wrong_state',
    `Cannot reconcile ${name}: the books changed since its differences were shown; look at them again`,
  );
}

interface Correcting {
  readonly batches: ReadonlyMap<string, BatchRecord>;
  readonly booked: ReadonlyMap<string, BookedMovie>;
  readonly invoice: Invoice;
}

async function correctMovie(
  tx: Tx,
  { movieId, batchId, rowKey, bookedMinor, invoicedMinor, overrunMinor }: MatchedMovie,
  { batches, booked, invoice }: Correcting,
): Promise<void> {
  const batch = batches.get(batchId);
  const movie = booked.get(movieId);
  // Another command may have booked a movie of a further batch between the look and the locks: rare, and worth a repeat.
  if (!batch || !movie) throw new LedgerError('wrong_state', `Cannot reconcile ${invoice.name}: try again`);
  await correct(tx, batch, {
    ...{ rowKey, attempt: movie.attempt, amountMinor: invoicedMinor - bookedMinor },
    ...{ overrunMinor: overrunMinor - movie.overrunMinor, nowMs: invoice.nowMs, note: `invoice ${invoice.name}` },
  });
}

/** All batches before any of their budgets, in one order, whatever the order of the lines. */
async function lockBatches(tx: Tx, movies: readonly MatchedMovie[]): Promise<ReadonlyMap<string, BatchRecord>> {
  const batches = new Map<string, BatchRecord>();
  for (const batchId of [...new Set(movies.map((movie) => movie.batchId))].sort()) {
    batches.set(batchId, await lockBatch(tx, batchId));
  }
  return batches;
}

/** One record of each invoice, and one more whenever it corrected something. */
async function note(tx: Tx, { name, lines, actor, nowMs }: Invoice, match: InvoiceMatch): Promise<void> {
  const sha256 = createHash('sha256').update(canonicalJson(lines)).digest('hex');
  if (match.different.length === 0 && (await isNoted(tx, name, sha256))) return;
  const detail = {
    ...{ matched: match.matched.length, different: match.different.length },
    ...{ missing_here: match.missingHere.length, missing_there: match.missingThere.length, sha256 },
  };
  await appendAudit(tx, { atMs: nowMs, actor, act: 'reconcile', object: name, detail });
}

async function isNoted(tx: Tx, name: string, sha256: string): Promise<boolean> {
  const notes = await tx
    .selectFrom('audit')
    .select('detail')
    .where('act', '=', 'reconcile')
    .where('object', '=', name)
    .execute();
  return notes.some(({ detail }) => (JSON.parse(detail) as { readonly sha256?: string }).sha256 === sha256);
}
