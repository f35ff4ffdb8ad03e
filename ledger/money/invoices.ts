import { canonicalJson } from '../../domain/digests/canonical.js';
import type { Actor } from '../../domain/roles.js';
import type { Service } from '../../domain/service.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { type BatchRecord, lockBatch } from '../batches/batch-record.js';
import { ofService } from '../batches/service-filter.js';
import { serviceNumber } from '../batches/services.js';
import { oneAtATime } from '../database/postgres.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import type { BookedMovie } from './billed-movies.js';
import { noteNotices } from './budget-notices.js';
import { type ChainEnd, entriesEnd } from './entry-chain.js';
import { keepInvoice } from './invoice-documents.js';
import {
  type InvoiceMatch,
  type InvoiceQuestion,
  type MatchedInvoice,
  type MatchedMovie,
  matchInvoice,
} from './invoice-match.js';
import { noteInvoicedBatches } from './invoiced-batches.js';
import { correct } from './movements.js';

export interface Invoice extends Omit<InvoiceQuestion, 'serviceNo' | 'service'> {
  readonly service: Service;
  readonly actor: Actor;
  readonly nowMs: number;
  /** The differences that a person has looked at; without them, whatever there is now. */
  readonly accepted?: InvoiceMatch['different'];
}

export interface Reconciled {
  readonly match: InvoiceMatch;
  /** Batches whose money changed, or that have no movie any more that is on no invoice. */
  readonly batchIds: readonly string[];
  /** Of those, the ones whose movies are all invoiced by now. */
  readonly invoicedBatchIds: readonly string[];
}

/**
 * What the invoices of a file would change. Writes nothing.
 *
 * @throws LedgerError without the role, and for lines that cannot be: see `matchInvoice`.
 */
export async function previewInvoice(ledger: Ledger, invoice: Invoice): Promise<InvoiceMatch> {
  const { actor, name: object, nowMs } = invoice;
  return auditedAct(ledger, { actor, act: 'reconcile', object, nowMs }, async (tx) => {
    const serviceNo = await findServiceNo(tx, invoice);
    return (await matchInvoice(tx, { ...invoice, serviceNo })).match;
  });
}

/**
 * Keeps the invoices of a file, and matches the sum of all invoices with the entries, movie by movie. What differs
 * becomes a correction: up to the post it is spent money, beyond it overrun. So the order in which invoices are read
 * decides nothing, and reading one again changes nothing.
 *
 * @throws LedgerError without the role, for lines that cannot be (see `matchInvoice`), and where the books differ
 * otherwise than was accepted.
 */
export async function reconcileInvoice(ledger: Ledger, invoice: Invoice): Promise<Reconciled> {
  const { actor, name: object, service, nowMs } = invoice;
  return auditedAct(ledger, { actor, act: 'reconcile', object, nowMs }, async (tx) => {
    await oneAtATime(tx, 'invoices');
    const serviceNo = (await findServiceNo(tx, invoice)) ?? (await serviceNumber(tx, service));
    const question = { ...invoice, serviceNo };
    // The locks come first: what is matched below stays so until the corrections are booked.
    const first = await matchInvoice(tx, question);
    const batches = await lockBatches(tx, first.match.different);
    const matched = batches.size === 0 ? first : await matchInvoice(tx, question);
    const { match, booked, unread } = matched;
    assertAccepted(invoice, match);
    for (const document of unread) await keepInvoice(tx, serviceNo, { document, by: actor.name, nowMs });
    for (const movie of match.different) await correctMovie(tx, movie, { batches, booked, invoice });
    await note(tx, invoice, { matched, batchIds: [...batches.keys()] });
    for (const { budget_path: path, rehearsal } of batches.values()) {
      await noteNotices(tx, { path, rehearsal: rehearsal === 1 }, { actor, nowMs });
    }
    const named = [...match.matched, ...match.different].map(({ batchId }) => batchId);
    const invoicedBatchIds = await noteInvoicedBatches(tx, { batchIds: named, actor, nowMs });
    return { match, batchIds: [...new Set([...batches.keys(), ...invoicedBatchIds])], invoicedBatchIds };
  });
}

async function findServiceNo(tx: Tx, { service }: Invoice): Promise<number | null> {
  const found = await tx.selectFrom('services').select('service_no').where(ofService(service)).executeTakeFirst();
  return found?.service_no ?? null;
}

function assertAccepted({ name, accepted }: Invoice, { different }: InvoiceMatch): void {
  if (!accepted || canonicalJson(accepted) === canonicalJson(different)) return;
  throw new LedgerError(
    'wrong_state',
    `Cannot reconcile ${name}: the ledger changed since the differences were shown; review them again`,
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
  // A movie of a further batch may have been posted between the look and the locks: rare, and worth a repeat.
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

/** Where the entries of the corrected batches end now. */
async function endsOf(tx: Tx, batchIds: readonly string[]): Promise<readonly CorrectedBatch[]> {
  const ends: CorrectedBatch[] = [];
  for (const batch of batchIds) ends.push({ batch, ...(await entriesEnd(tx, batch)) });
  return ends;
}

export interface CorrectedBatch extends ChainEnd {
  readonly batch: string;
}

/** One record of each invoice; and one whenever something was corrected, be it by invoices that were read before. */
async function note(
  tx: Tx,
  { name, actor, nowMs }: Invoice,
  { matched: of, batchIds }: { readonly matched: MatchedInvoice; readonly batchIds: readonly string[] },
): Promise<void> {
  const { match, unread } = of;
  const { matched, different, missingHere, missingThere } = match;
  if (different.length === 0 && unread.length === 0) return;
  const detail = {
    ...{ matched: matched.length, different: different.length },
    ...{ missing_here: missingHere.length, missing_there: missingThere.length },
    batches: await endsOf(tx, batchIds),
    invoices: unread.map(({ number, sha256, lines }) => ({ number, sha256, lines: lines.length })),
  };
  await appendAudit(tx, { atMs: nowMs, actor, act: 'reconcile', object: name, detail });
}
