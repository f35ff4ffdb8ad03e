import { type Actor, mayAct, mayActOnOwn } from '../../domain/roles.js';
import { assertSeesBatch } from '../../ledger/access/sight.js';
import { type BatchView, readBatch } from '../../ledger/batches/batches.js';
import type { FileView } from '../../ledger/batches/rows.js';
import { LedgerError } from '../../ledger/ledger-error.js';
import { marketsOf } from '../../ledger/movie-reviews/markets.js';
import * as movies from '../../ledger/movie-reviews/movies.js';
import * as reviews from '../../ledger/movie-reviews/reviews.js';
import * as links from '../../ledger/movie-reviews/share-links.js';
import type { OperationDeps } from '../deps.js';

export type { Movie, MovieFilter } from '../../ledger/movie-reviews/movies.js';

/** A viewer: a person, or a guest with a link. */
export type Viewer = { readonly actor: Actor; readonly batchId: string } | { readonly token: string };

export interface Gallery {
  readonly batch: BatchView;
  readonly counts: movies.MovieCounts;
  /** Counts of the market shown; the same as `counts` for all. */
  readonly shownCounts: movies.MovieCounts;
  /** Markets to choose from, in alphabetical order: the sheet's own, at most one more than fit in a list. */
  readonly markets: readonly string[];
  readonly movies: readonly movies.Movie[];
  /** The guest's link; null for a person. */
  readonly link: links.ShareLink | null;
}

export type GalleryPage = Omit<movies.MoviePage, 'batchId'>;

/** More markets do not fit in a list. */
export const mostMarkets = 100;

/** A page of the movies that a batch delivered, for a person who may see it or a guest whose link is open. */
export async function showGallery(deps: OperationDeps, viewer: Viewer, page: GalleryPage): Promise<Gallery> {
  const { ledger } = deps;
  const { batchId, link } = await placeOf(deps, viewer);
  const { market } = page;
  const counts = await movies.countMovies(ledger, { batchId, market: null });
  return {
    ...{ batch: await readBatch(ledger, batchId), link, counts },
    shownCounts: market === null ? counts : await movies.countMovies(ledger, { batchId, market }),
    markets: await marketsOf(ledger, batchId, mostMarkets + 1),
    movies: await movies.listMovies(ledger, { ...page, batchId }),
  };
}

/** Finds a file of a movie that the viewer may see; null when there is none. */
export async function findFilm(
  deps: OperationDeps,
  viewer: Viewer,
  { rowKey, assetId }: { readonly rowKey: string; readonly assetId: string },
): Promise<FileView | null> {
  const { batchId } = await placeOf(deps, viewer);
  return movies.findMovieFile(deps.ledger, { batchId, rowKey, assetId });
}

async function placeOf(
  { ledger, clock }: OperationDeps,
  viewer: Viewer,
): Promise<{ readonly batchId: string; readonly link: links.ShareLink | null }> {
  if ('actor' in viewer) {
    await assertSeesBatch(ledger.db, viewer.actor, viewer.batchId);
    return { batchId: viewer.batchId, link: null };
  }
  const link = await links.findShareLink(ledger.db, { token: viewer.token, nowMs: clock() });
  if (link) return { batchId: link.batchId, link };
  throw new LedgerError('not_allowed', 'Cannot show it: the link has expired or was revoked; ask for another');
}

export interface ReviewInput {
  readonly viewer: Viewer;
  readonly rowKey: string;
  readonly verdict: reviews.ReviewVerdict;
  readonly note: string | null;
  /** The name that a guest gave. */
  readonly guest?: string;
}

/** Reviews a delivered movie as good or to be made again. Spends nothing; a redo waits for a retry. */
export function review(
  { ledger, clock }: OperationDeps,
  { viewer, rowKey, verdict, note, guest = '' }: ReviewInput,
): Promise<reviews.Review> {
  const said = { rowKey, verdict, note, nowMs: clock() };
  if ('token' in viewer) return reviews.reviewAsGuest(ledger, { ...said, token: viewer.token, guest });
  return reviews.reviewMovie(ledger, { ...said, ...viewer });
}

/** Whether the person may review the batch and share it. */
export function mayReview(actor: Actor, { submittedBy }: Pick<BatchView, 'submittedBy'>): boolean {
  return mayAct(actor, 'review') || (mayActOnOwn(actor, 'review') && submittedBy === actor.name);
}
