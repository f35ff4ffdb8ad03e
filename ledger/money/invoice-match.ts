import type { Service } from '../../domain/service.js';
import type { Tx } from '../ledger.js';
import { type BookedMovie, bookedMovies, type OpenOrder, openOrders } from './billed-movies.js';
import { documentsOf, findRead, type InvoiceDocument, type ReadBefore } from './invoice-documents.js';
import { type InvoiceSum, movieOfLine, sumLines } from './invoice-lines.js';
import { type Invoiced, invoicedBefore, owedMinor } from './invoiced-amounts.js';

/** One line of a provider's invoice. It names its movie by id, or the order by its idempotency key. */
export interface InvoiceLine {
  readonly movieId: string | null;
  readonly idempotencyKey: string | null;
  /** Negative for a credit. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly description: string | null;
  /** The invoice that it belongs to, where the file says so. */
  readonly invoice: string | null;
  /** Where the invoice has it, for messages. */
  readonly row: number;
}

export interface InvoiceQuestion {
  readonly service: Pick<Service, 'name' | 'baseUrl'>;
  /** Of the service in these books; null where they do not know it yet. */
  readonly serviceNo: number | null;
  /** What it is called in messages and in the notes of its entries; its number, where nothing else says one. */
  readonly name: string;
  /** The number of the invoice, for all lines of the file. */
  readonly number?: string;
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
  /** By all invoices that were read, this one included. */
  readonly invoicedMinor: number;
  /** Of `invoicedMinor`, what goes beyond the amount that was approved and posted. */
  readonly overrunMinor: number;
}

/** A movie of the invoice that was never posted here. */
export interface StrangeMovie extends Pick<
  InvoiceLine,
  'movieId' | 'idempotencyKey' | 'currency' | 'description' | 'row'
> {
  readonly invoicedMinor: number;
  /** The order that sent its key: one that is `held` waits for exactly this proof. */
  readonly order: OpenOrder | null;
}

export interface InvoiceMatch {
  readonly matched: readonly MatchedMovie[];
  readonly different: readonly MatchedMovie[];
  /** On the invoice and not in our books. */
  readonly missingHere: readonly StrangeMovie[];
  /** In our books, and on no invoice. */
  readonly missingThere: readonly MatchedMovie[];
  /** Invoices of the file that were read before: they count once. */
  readonly readBefore: readonly ReadBefore[];
}

export interface MatchedInvoice {
  readonly match: InvoiceMatch;
  /** Where each of `different` stands in the books. */
  readonly booked: ReadonlyMap<string, BookedMovie>;
  /** The invoices of the file that were not read before. */
  readonly unread: readonly InvoiceDocument[];
}

/**
 * Matches all invoices, with those of this file, with the entries, movie by movie. Changes nothing.
 *
 * @throws LedgerError for a line in another currency than its movie was approved in, for a key that is not its movie's,
 * and for a number that was read with other lines.
 */
export async function matchInvoice(tx: Tx, question: InvoiceQuestion): Promise<MatchedInvoice> {
  const { service, serviceNo, lines } = question;
  const movies = await bookedMovies(tx, service);
  const booked = new Map(movies.map((movie) => [movie.movieId, movie]));
  const byKey = new Map(movies.map((movie) => [movie.idempotencyKey, movie]));
  const known = { booked, byKey, name: question.name };
  const { unread, readBefore } = await sortDocuments(tx, serviceNo, documentsOf(question));
  const file = sumLines(lines, known);
  const fresh = sumLines(
    unread.flatMap((document) => document.lines),
    known,
  );
  const invoiced = new Map<string, Invoiced>();
  const add = (movie: BookedMovie, { charges, sumMinor }: Invoiced) => {
    const before = invoiced.get(movie.movieId) ?? { charges: 0, sumMinor: 0 };
    invoiced.set(movie.movieId, { charges: before.charges + charges, sumMinor: before.sumMinor + sumMinor });
  };
  for (const one of serviceNo === null ? [] : await invoicedBefore(tx, serviceNo)) {
    const movie = movieOfLine(one, known);
    if (movie?.currency === one.currency) add(movie, one);
  }
  for (const { movie, ...sum } of fresh) if (movie) add(movie, sum);
  const inFile = new Set(file.map(({ movie }) => movie?.movieId));
  const found = movies.flatMap((movie) => {
    const sum = invoiced.get(movie.movieId);
    return sum ? [asMatched(movie, owedMinor(movie, sum))] : [];
  });
  const isSame = (movie: MatchedMovie) => movie.bookedMinor === movie.invoicedMinor;
  const match = {
    matched: found.filter((movie) => isSame(movie) && inFile.has(movie.movieId)),
    different: found.filter((movie) => !isSame(movie)),
    missingHere: await strangers(
      tx,
      service,
      file.filter(({ movie }) => movie === null),
    ),
    missingThere: movies
      .filter((movie) => !invoiced.has(movie.movieId) && movie.bookedMinor !== 0 && isExpected(movie, question))
      .map((movie) => asMatched(movie, 0)),
    readBefore,
  };
  return { match, booked, unread };
}

async function sortDocuments(
  tx: Tx,
  serviceNo: number | null,
  documents: readonly InvoiceDocument[],
): Promise<{ readonly unread: readonly InvoiceDocument[]; readonly readBefore: readonly ReadBefore[] }> {
  const unread: InvoiceDocument[] = [];
  const readBefore: ReadBefore[] = [];
  for (const document of documents) {
    const before = serviceNo === null ? null : await findRead(tx, serviceNo, document);
    if (before) readBefore.push(before);
    else unread.push(document);
  }
  return { unread, readBefore };
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
  sums: readonly InvoiceSum[],
): Promise<readonly StrangeMovie[]> {
  const keys = sums.flatMap(({ line }) => line.idempotencyKey ?? []);
  const orders = await openOrders(tx, service, keys);
  return sums.map(({ line, sumMinor: invoicedMinor }) => {
    const { movieId, idempotencyKey, currency, description, row } = line;
    const order = orders.get(idempotencyKey ?? '') ?? null;
    return { movieId, idempotencyKey, currency, description, row, invoicedMinor, order };
  });
}
