import type { Actor } from '../domain/roles.js';
import { assertSeesBatch, sightOf } from '../ledger/access/sight.js';
import { type BatchView, listBatches, readBatch } from '../ledger/batches/batches.js';
import { LedgerError } from '../ledger/ledger.js';
import { bundleEntries } from '../reports/bundle/bundle-entries.js';
import { type BundleEntry, BundleError, type DeliveredFiles } from '../reports/bundle/bundle-entry.js';
import { type BundleMovie, type BundleSubject, bundleMovies } from '../reports/bundle/bundle-movies.js';
import { bundleTable } from '../reports/bundle/bundle-sheet.js';
import { type PlacedMovie, placeMovies } from '../reports/bundle/place-movies.js';
import { reviewFindings } from '../reports/gallery/card-of-movie.js';
import type { OperationDeps } from './deps.js';

export interface BundleRequest {
  readonly actor: Actor;
  /** A batch id, or the name of a campaign. */
  readonly subject: string;
  readonly files: DeliveredFiles;
  /** The title of the gallery; by default the campaign's name. */
  readonly title?: string | undefined;
  readonly note?: string | undefined;
  /** Headers of the sheet whose cells the results include. */
  readonly columns: readonly string[];
  /** Whether the results include the price of each movie. */
  readonly prices: boolean;
}

/** A bundle that can be written, and what its sender should know about it. */
export interface Bundle {
  readonly films: number;
  readonly sizeBytes: number;
  /** Ids of rows without a film, of films not as ordered, and of films of an earlier version of their row. */
  readonly notDelivered: readonly string[];
  readonly needReview: readonly string[];
  readonly earlier: readonly string[];
  entries(): AsyncIterable<BundleEntry>;
}

/**
 * Collects everything that a client gets of a batch, or of a campaign over all its batches.
 *
 * @throws LedgerError when it is neither, or not the person's; BundleError when nothing is delivered.
 */
export async function openBundle(
  { ledger, service, clock }: Pick<OperationDeps, 'ledger' | 'service' | 'clock'>,
  request: BundleRequest,
): Promise<Bundle> {
  const { subject, latest } = await find({ ledger, service }, request);
  const movies: BundleMovie[] = [];
  for await (const movie of bundleMovies(ledger, subject)) movies.push(movie);
  const placed = placeMovies(movies, await ownCells({ ledger }, movies, request));
  const films = placed.filter(({ number }) => number !== null);
  if (films.length === 0) throw new BundleError(`Cannot bundle ${request.subject}: none of its movies is delivered`);
  const { campaign } = latest;
  const currencies = request.prices ? await currenciesOf({ ledger }, movies) : null;
  const idsOf = (some: readonly PlacedMovie[]) => some.map(({ movie }) => movie.row.rowKey);
  return {
    films: films.length,
    sizeBytes: films.flatMap(({ files }) => Object.values(files)).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    notDelivered: idsOf(placed.filter(({ number }) => number === null)),
    needReview: idsOf(films.filter(({ movie }) => reviewFindings(movie.verdict) !== null)),
    earlier: idsOf(films.filter(({ movie }) => movie.isEarlier)),
    entries: () =>
      bundleEntries({
        ...{ title: request.title ?? campaign, note: request.note ?? null, movies: placed, files: request.files },
        summary: `${films.length} ${films.length === 1 ? 'movie' : 'movies'}${latest.service.rehearsal ? ' (rehearsal)' : ''}, ${new Date(clock()).toISOString().slice(0, 10)}`,
        table: bundleTable(placed, { columns: request.columns, currencies }),
      }),
  };
}

interface Found {
  readonly subject: BundleSubject;
  /** The batch, or the newest one of the campaign. */
  readonly latest: BatchView;
}

async function find(
  { ledger, service }: Pick<OperationDeps, 'ledger' | 'service'>,
  { actor, subject: name }: BundleRequest,
): Promise<Found> {
  const sight = await sightOf(ledger.db, actor);
  const batch = await readBatch(ledger, name).catch((error: unknown) => {
    if (error instanceof LedgerError && error.code === 'unknown_batch') return null;
    throw error;
  });
  if (batch) {
    await assertSeesBatch(ledger.db, actor, name);
    return { subject: { kind: 'batch', batchId: name }, latest: batch };
  }
  const [latest] = await listBatches(ledger, { ...sight, service, campaign: name, limit: 1 });
  if (latest) return { subject: { kind: 'campaign', campaign: name, service }, latest };
  throw new LedgerError(
    'unknown_batch',
    `Cannot find ${name}: it is neither a batch nor a campaign that you may see; greenlight status lists them`,
  );
}

/** By batch: a campaign may have been paid from budgets of several currencies. */
async function currenciesOf(
  { ledger }: Pick<OperationDeps, 'ledger'>,
  movies: readonly BundleMovie[],
): Promise<ReadonlyMap<string, string>> {
  const currencies = new Map<string, string>();
  for (const batchId of new Set(movies.map(({ paid, batchId: own }) => paid?.batchId ?? own))) {
    currencies.set(batchId, (await readBatch(ledger, batchId)).money.currency);
  }
  return currencies;
}

/** The cells of the requested columns; empty when a row's sheet does not have one. */
async function ownCells(
  { ledger }: Pick<OperationDeps, 'ledger'>,
  movies: readonly BundleMovie[],
  { columns }: BundleRequest,
): Promise<(movie: BundleMovie) => readonly string[]> {
  const sheets = new Map<string, readonly string[]>();
  for (const batchId of new Set(columns.length === 0 ? [] : movies.map((movie) => movie.batchId))) {
    sheets.set(batchId, (await readBatch(ledger, batchId)).columns);
  }
  const known = [...sheets.values()].flat();
  const strange = columns.find((column) => !known.includes(column));
  if (strange !== undefined) {
    throw new LedgerError(
      'bad_argument',
      `Cannot bundle the column "${strange}": the sheet does not have it; it has ${[...new Set(known)].join(', ')}`,
    );
  }
  return ({ batchId, row }) => columns.map((column) => row.cells[(sheets.get(batchId) ?? []).indexOf(column)] ?? '');
}
