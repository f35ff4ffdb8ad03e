import type { Kysely } from 'kysely';
import type { Service } from '../../domain/service.js';
import { serviceNumber } from '../batches/services.js';
import { insertMany } from '../database/insert-many.js';
import type { Tables } from '../database/tables.js';
import type { Tx } from '../ledger.js';

/** A movie that lies in the archive and that no order of a restored ledger names. */
export interface RecoveredMovie {
  readonly movieId: string;
  readonly contentDigest: string;
  /** Where it lies in the archive; the ledger may know neither. */
  readonly batchId: string;
  readonly rowKey: string;
}

export interface Recovered {
  /** The service that made them. */
  readonly service: Service;
  readonly movies: readonly RecoveredMovie[];
}

const moviesAtOnce = 1_000;

/** Keeps what their contents were, so that none of them is ordered again unasked. A movie that is kept stays as it is. */
export async function keepRecovered(tx: Tx, { service, movies }: Recovered, nowMs: number): Promise<void> {
  if (movies.length === 0) return;
  const serviceNo = await serviceNumber(tx, service);
  for (let from = 0; from < movies.length; from += moviesAtOnce) {
    const page = movies.slice(from, from + moviesAtOnce);
    const known = await tx
      .selectFrom('recovered_movies')
      .select('movie_id')
      .where('service_no', '=', serviceNo)
      .where(
        'movie_id',
        'in',
        page.map(({ movieId }) => movieId),
      )
      .execute();
    const kept = new Set(known.map(({ movie_id }) => movie_id));
    await insertMany(tx, 'recovered_movies', {
      rows: [...new Map(page.map((movie) => [movie.movieId, movie])).values()].filter(
        ({ movieId }) => !kept.has(movieId),
      ),
      columns: [
        ['service_no', serviceNo],
        ['movie_id', 'text', ({ movieId }) => movieId],
        ['content_digest', 'text', ({ contentDigest }) => contentDigest],
        ['batch_id', 'text', ({ batchId }) => batchId],
        ['row_key', 'text', ({ rowKey }) => rowKey],
        ['at_ms', nowMs],
      ],
    });
  }
}

/** Of these contents, the ones that the archive has from before the ledger was restored. */
export async function recoveredOf(db: Kysely<Tables>, serviceNo: number, contents: readonly string[]) {
  return db
    .selectFrom('recovered_movies')
    .select(['content_digest', 'batch_id', 'row_key'])
    .where('content_digest', 'in', contents)
    .where('service_no', '=', serviceNo)
    .execute();
}
