import { LedgerError } from '../ledger.js';
import type { BookedMovie } from './billed-movies.js';
import type { InvoiceLine } from './invoice-match.js';
import type { Invoiced, InvoicedName } from './invoiced-amounts.js';

/** The movies of the books, as an invoice may name them. */
export interface KnownMovies {
  readonly booked: ReadonlyMap<string, BookedMovie>;
  readonly byKey: ReadonlyMap<string, BookedMovie>;
  /** Of the invoice, for messages. */
  readonly name: string;
}

/** What some lines say of one movie; null where the books have none that they could mean. */
export interface InvoiceSum extends Invoiced {
  readonly movie: BookedMovie | null;
  /** The first of its lines. */
  readonly line: InvoiceLine;
}

export function movieOfLine(
  { movieId, idempotencyKey }: Omit<InvoicedName, 'currency'>,
  { booked, byKey }: KnownMovies,
): BookedMovie | null {
  return (movieId === null ? byKey.get(idempotencyKey ?? '') : booked.get(movieId)) ?? null;
}

/**
 * The lines summed by movie, in the order of their first lines.
 *
 * @throws LedgerError for a line in another currency than its movie was approved in, or whose key is not its movie's.
 */
export function sumLines(lines: readonly InvoiceLine[], known: KnownMovies): readonly InvoiceSum[] {
  const sums = new Map<string, InvoiceSum>();
  for (const line of lines) {
    const movie = movieOfLine(line, known);
    if (movie && movie.currency !== line.currency) throw otherCurrency(known.name, line, movie);
    assertKeyOfMovie(line, known);
    const name = nameOf(line, movie);
    const before = sums.get(name);
    if (before && before.line.currency !== line.currency) {
      const rows = `rows ${before.line.row} and ${line.row}`;
      throw cannot(known.name, `${name} is in two currencies, in ${rows}`);
    }
    const charges = (before?.charges ?? 0) + (line.amountMinor >= 0 ? 1 : 0);
    sums.set(name, {
      ...{ movie, line: before?.line ?? line, charges, sumMinor: (before?.sumMinor ?? 0) + line.amountMinor },
    });
  }
  return [...sums.values()];
}

function nameOf({ movieId, idempotencyKey }: InvoiceLine, movie: BookedMovie | null): string {
  const id = movie?.movieId ?? movieId;
  return id === null ? `key ${idempotencyKey}` : `movie ${id}`;
}

/** One of the two is wrong then, and either choice could bill another movie. */
function assertKeyOfMovie(line: InvoiceLine, { booked, byKey, name }: KnownMovies): void {
  const { movieId, idempotencyKey, row } = line;
  if (movieId === null || idempotencyKey === null) return;
  const [movie, ofKey] = [booked.get(movieId), byKey.get(idempotencyKey)];
  if (movie === undefined && ofKey === undefined) return;
  if (movie !== undefined && movie === ofKey) return;
  const isOf = ofKey ? `is the key of ${ofKey.movieId} (${ofKey.batchId} ${ofKey.rowKey})` : 'is not its key';
  const right = movie ? `; the key of ${movieId} (${movie.batchId} ${movie.rowKey}) is ${movie.idempotencyKey}` : '';
  throw cannot(name, `row ${row} names ${movieId}, and ${idempotencyKey} ${isOf}${right}; correct one of them`);
}

function otherCurrency(invoice: string, { row, currency }: InvoiceLine, movie: BookedMovie): LedgerError {
  const { movieId, batchId, rowKey } = movie;
  const approved = `it was approved in ${movie.currency}`;
  return cannot(invoice, `row ${row} has ${movieId} (${batchId} ${rowKey}) in ${currency}, ${approved}`);
}

function cannot(invoice: string, why: string): LedgerError {
  return new LedgerError('bad_argument', `Cannot reconcile ${invoice}: ${why}`);
}
