import type { Service } from '../../domain/service.js';
import { LedgerError, type Tx } from '../ledger.js';
import { type BookedMovie, bookedMovies, type OpenOrder, openOrders } from './billed-movies.js';

/** One line of a provider's invoice. It names its movie by id, or the order by its idempotency key. */
export interface InvoiceLine {
  readonly movieId: string | null;
  readonly idempotencyKey: string | null;
  /** Negative for a credit. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly description: string | null;
  /** Where the invoice has it, for messages. */
  readonly row: number;
}

export interface InvoiceQuestion {
  readonly service: Pick<Service, 'name' | 'baseUrl'>;
  /** What it is called in messages and in the notes of its entries. */
  readonly name: string;
  /** Several lines of one movie count as their sum. */
  readonly lines: readonly InvoiceLine[];
  /** Which of our movies it should have: those accepted in this time. Without it, all. */
  readonly fromMs?: number;
  readonly untilMs?: number;
}

export interface MatchedMovie {
  readonly movieId: string;
  readonly batchId: string;
  readonly rowKey: string;
  readonly currency: string;
  readonly bookedMinor: number;
  readonly invoicedMinor: number;
  /** Of `invoicedMinor`, what goes beyond the amount that was approved and posted. */
  readonly overrunMinor: number;
}

/** A movie of the invoice that was never posted here. */
export interface StrangeMovie
  extends Pick<InvoiceLine, 'movieId' | 'idempotencyKey' | 'currency' | 'description' | 'row'> {
  readonly invoicedMinor: number;
  /** The order that sent its key: one that is `held` waits for exactly this proof. */
  readonly order: OpenOrder | null;
}

export interface InvoiceMatch {
  readonly matched: readonly MatchedMovie[];
  readonly different: readonly MatchedMovie[];
  /** On the invoice and not in our books. */
  readonly missingHere: readonly StrangeMovie[];
  /** In our books and not on the invoice. */
  readonly missingThere: readonly MatchedMovie[];
}

export interface MatchedInvoice {
  readonly match: InvoiceMatch;
  /** Where each of `different` stands in the books. */
  readonly booked: ReadonlyMap<string, BookedMovie>;
}

/**
 * Holds an invoice against the books, movie by movie. Changes nothing.
 *
 * @throws LedgerError for a line in another currency than its movie was approved in, and for a movie that the invoice
 * credits without charging it.
 */
export async function matchInvoice(tx: Tx, question: InvoiceQuestion): Promise<MatchedInvoice> {
  const { service, lines } = question;
  const movies = await bookedMovies(tx, service);
  const booked = new Map(movies.map((movie) => [movie.movieId, movie]));
  const byKey = new Map(movies.map((movie) => [movie.idempotencyKey, movie]));
  const matched: MatchedMovie[] = [];
  const different: MatchedMovie[] = [];
  const strange: InvoiceLine[] = [];
  const invoiced = new Set<string>();
  for (const line of sumByMovie(lines, (key) => byKey.get(key)?.movieId)) {
    const movie = booked.get(line.movieId ?? '');
    if (!movie) {
      strange.push(line);
      continue;
    }
    if (movie.currency !== line.currency) throw otherCurrency(question.name, line, movie);
    if (line.amountMinor < 0) throw creditAlone(question.name, line);
    invoiced.add(movie.movieId);
    const found = asMatched(movie, line.amountMinor);
    (found.bookedMinor === found.invoicedMinor ? matched : different).push(found);
  }
  const missingThere = movies
    .filter((movie) => !invoiced.has(movie.movieId) && movie.bookedMinor !== 0 && isExpected(movie, question))
    .map((movie) => asMatched(movie, 0));
  return { match: { matched, different, missingHere: await strangers(tx, service, strange), missingThere }, booked };
}

function asMatched(movie: BookedMovie, invoicedMinor: number): MatchedMovie {
  const { movieId, batchId, rowKey, currency, bookedMinor, postedMinor } = movie;
  const overrunMinor = Math.max(0, invoicedMinor - postedMinor);
  return { movieId, batchId, rowKey, currency, bookedMinor, invoicedMinor, overrunMinor };
}

function isExpected({ postedAtMs }: BookedMovie, { fromMs, untilMs }: InvoiceQuestion): boolean {
  return postedAtMs >= (fromMs ?? 0) && postedAtMs < (untilMs ?? Number.POSITIVE_INFINITY);
}

async function strangers(
  tx: Tx,
  service: InvoiceQuestion['service'],
  lines: readonly InvoiceLine[],
): Promise<readonly StrangeMovie[]> {
  const keys = lines.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  const orders = await openOrders(tx, service, keys);
  return lines.map(({ movieId, idempotencyKey, currency, description, row, amountMinor: invoicedMinor }) => {
    const order = orders.get(idempotencyKey ?? '') ?? null;
    return { movieId, idempotencyKey, currency, description, row, invoicedMinor, order };
  });
}

/** In the order of their first lines. A key that was posted counts as its movie's id. */
function sumByMovie(
  lines: readonly InvoiceLine[],
  movieOfKey: (key: string) => string | undefined,
): Iterable<InvoiceLine> {
  const sums = new Map<string, InvoiceLine>();
  for (const line of lines) {
    const movieId = line.movieId ?? movieOfKey(line.idempotencyKey ?? '') ?? null;
    const name = movieId === null ? `key ${line.idempotencyKey}` : `movie ${movieId}`;
    const before = sums.get(name);
    if (before && before.currency !== line.currency) {
      const rows = `rows ${before.row} and ${line.row}`;
      throw new LedgerError('bad_argument', `Cannot reconcile: ${name} is in two currencies, in ${rows}`);
    }
    const amountMinor = line.amountMinor + (before?.amountMinor ?? 0);
    sums.set(name, { ...(before ?? line), movieId, amountMinor });
  }
  return sums.values();
}

function otherCurrency(invoice: string, { row, currency }: InvoiceLine, movie: BookedMovie): LedgerError {
  const { movieId, batchId, rowKey } = movie;
  return new LedgerError(
    'bad_argument',
    `Cannot reconcile ${invoice}: row ${row} has ${movieId} (${batchId} ${rowKey}) in ${currency}, it was approved in ${movie.currency}`,
  );
}

/** An invoice says what a movie cost in all, so that reading it twice changes nothing; a credit alone does not say it. */
function creditAlone(invoice: string, { row, movieId }: InvoiceLine): LedgerError {
  return new LedgerError(
    'bad_argument',
    `Cannot reconcile ${invoice}: row ${row} credits ${movieId} beyond what the invoice charges; add the line of its charge`,
  );
}
