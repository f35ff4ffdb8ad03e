import { sql } from 'kysely';
import type { Actor } from '../domain/roles.js';
import type { Service } from '../domain/service.js';
import { acting } from './acting.js';
import { appendAudit } from './audit.js';
import { type BatchRecord, lockBatch } from './batch-record.js';
import { type Ledger, LedgerError, type Tx } from './ledger.js';
import { correct } from './movements.js';

export interface InvoiceLine {
  readonly movieId: string;
  /** Negative for a credit. */
  readonly amountMinor: number;
  readonly currency: string;
}

export interface Invoice {
  readonly service: Pick<Service, 'name' | 'baseUrl'>;
  /** What it is called in the notes of its entries. */
  readonly name: string;
  /** Several lines of one movie count as their sum. */
  readonly lines: readonly InvoiceLine[];
  /** Which of our movies it should have: those accepted in this time. Without it, all. */
  readonly fromMs?: number;
  readonly untilMs?: number;
  readonly actor: Actor;
  readonly nowMs: number;
}

export interface MatchedMovie {
  readonly movieId: string;
  readonly batchId: string;
  readonly rowKey: string;
  readonly bookedMinor: number;
  readonly invoicedMinor: number;
}

export interface Reconciled {
  readonly currency: string | null;
  readonly matched: readonly MatchedMovie[];
  /** Corrected in the books. */
  readonly different: readonly MatchedMovie[];
  /** On the invoice and not in our books. */
  readonly missingHere: readonly InvoiceLine[];
  /** In our books and not on the invoice. */
  readonly missingThere: readonly MatchedMovie[];
}

/**
 * Holds an invoice against the books, movie by movie. What differs becomes a correction: up to the post it is spent
 * money, beyond it overrun. Reading the same invoice again finds everything matched.
 *
 * @throws LedgerError without the role, and for a line in another currency than the movie was approved in.
 */
export async function reconcileInvoice(ledger: Ledger, invoice: Invoice): Promise<Reconciled> {
  const { name, actor, nowMs } = invoice;
  return acting(ledger, { actor, act: 'reconcile', object: name, nowMs }, async (tx) => {
    const lines = sumByMovie(invoice.lines);
    const booked = await bookedMovies(tx, invoice);
    const matched: MatchedMovie[] = [];
    const different: MatchedMovie[] = [];
    const missingHere: InvoiceLine[] = [];
    const batches = await lockBatches(tx, lines, booked);
    for (const line of lines.values()) {
      const movie = booked.get(line.movieId);
      if (!movie) {
        missingHere.push(line);
        continue;
      }
      if (movie.currency !== line.currency) throw otherCurrency(name, line, movie);
      const { movieId, batchId, rowKey, bookedMinor } = movie;
      const found = { movieId, batchId, rowKey, bookedMinor, invoicedMinor: line.amountMinor };
      (bookedMinor === line.amountMinor ? matched : different).push(found);
      if (bookedMinor !== line.amountMinor)
        await correctMovie(tx, movie, { batch: batches.get(batchId), line, invoice });
    }
    const missingThere = [...booked.values()]
      .filter(({ movieId, expected }) => expected && !lines.has(movieId))
      .map(({ movieId, batchId, rowKey, bookedMinor }) => ({
        movieId,
        batchId,
        rowKey,
        bookedMinor,
        invoicedMinor: 0,
      }));
    const detail = {
      ...{ matched: matched.length, different: different.length },
      ...{ missing_here: missingHere.length, missing_there: missingThere.length },
    };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'reconcile', object: name, detail });
    return { currency: invoice.lines[0]?.currency ?? null, matched, different, missingHere, missingThere };
  });
}

interface BookedMovie {
  readonly movieId: string;
  readonly batchId: string;
  readonly rowKey: string;
  readonly attempt: number;
  readonly currency: string;
  readonly postedMinor: number;
  /** What the movie cost by all entries: posted, without refunds, with corrections. */
  readonly bookedMinor: number;
  readonly overrunMinor: number;
  /** Accepted in the time of the invoice. */
  readonly expected: boolean;
}

async function bookedMovies(tx: Tx, { service, fromMs, untilMs }: Invoice): Promise<ReadonlyMap<string, BookedMovie>> {
  const rows = await tx
    .selectFrom('orders')
    .innerJoin('services', 'services.service_no', 'orders.service_no')
    .innerJoin('entries', (join) =>
      join
        .onRef('entries.batch_id', '=', 'orders.batch_id')
        .onRef('entries.row_key', '=', 'orders.row_key')
        .onRef('entries.attempt', '=', 'orders.attempt'),
    )
    .select(['orders.movie_id', 'orders.batch_id', 'orders.row_key', 'orders.attempt', 'entries.currency'])
    .select(
      sql<number>`cast(sum(case kind when 'post' then entries.amount_minor when 'correction' then entries.amount_minor
        when 'refund' then -entries.amount_minor else 0 end) as bigint)`.as('booked'),
    )
    .select(sql<number>`cast(sum(case kind when 'post' then entries.amount_minor else 0 end) as bigint)`.as('posted'))
    .select(sql<number>`cast(sum(overrun_minor) as bigint)`.as('overrun'))
    .select(sql<number>`cast(max(case kind when 'post' then entries.at_ms else 0 end) as bigint)`.as('posted_ms'))
    .where('services.name', '=', service.name)
    .where('services.base_url', '=', service.baseUrl)
    .where('orders.money', '=', 'posted')
    .groupBy(['orders.movie_id', 'orders.batch_id', 'orders.row_key', 'orders.attempt', 'entries.currency'])
    .execute();
  const movies = new Map<string, BookedMovie>();
  for (const row of rows) {
    if (row.movie_id === null) continue;
    movies.set(row.movie_id, {
      movieId: row.movie_id,
      batchId: row.batch_id,
      rowKey: row.row_key,
      attempt: row.attempt,
      currency: row.currency,
      postedMinor: row.posted,
      bookedMinor: row.booked,
      overrunMinor: row.overrun,
      expected: row.posted_ms >= (fromMs ?? 0) && row.posted_ms < (untilMs ?? Number.MAX_SAFE_INTEGER),
    });
  }
  return movies;
}

async function correctMovie(
  tx: Tx,
  movie: BookedMovie,
  {
    batch,
    line,
    invoice,
  }: { readonly batch: BatchRecord | undefined; readonly line: InvoiceLine; readonly invoice: Invoice },
): Promise<void> {
  if (!batch) return; // locked above, as all that are invoiced
  const { rowKey, attempt, bookedMinor, postedMinor, overrunMinor } = movie;
  const amountMinor = line.amountMinor - bookedMinor;
  const overrunNow = Math.max(0, line.amountMinor - postedMinor);
  await correct(tx, batch, {
    ...{ rowKey, attempt, amountMinor, overrunMinor: overrunNow - overrunMinor },
    ...{ nowMs: invoice.nowMs, note: `invoice ${invoice.name}` },
  });
}

function sumByMovie(lines: readonly InvoiceLine[]): ReadonlyMap<string, InvoiceLine> {
  const sums = new Map<string, InvoiceLine>();
  for (const line of lines) {
    const before = sums.get(line.movieId);
    if (before && before.currency !== line.currency) {
      throw new LedgerError('bad_argument', `Cannot read the invoice: ${line.movieId} is in two currencies`);
    }
    sums.set(line.movieId, { ...line, amountMinor: line.amountMinor + (before?.amountMinor ?? 0) });
  }
  return sums;
}

/** All batches of the invoice before any of their budgets, in one order, whatever the order of the lines. */
async function lockBatches(
  tx: Tx,
  lines: ReadonlyMap<string, InvoiceLine>,
  booked: ReadonlyMap<string, BookedMovie>,
): Promise<ReadonlyMap<string, BatchRecord>> {
  const batchIds = new Set([...lines.keys()].flatMap((movieId) => booked.get(movieId)?.batchId ?? []));
  const batches = new Map<string, BatchRecord>();
  for (const batchId of [...batchIds].sort()) batches.set(batchId, await lockBatch(tx, batchId));
  return batches;
}

function otherCurrency(invoice: string, { movieId, currency }: InvoiceLine, movie: BookedMovie): LedgerError {
  return new LedgerError(
    'bad_argument',
    `Cannot reconcile ${invoice}: ${movieId} is invoiced in ${currency} and was approved in ${movie.currency}`,
  );
}
