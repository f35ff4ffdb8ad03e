import type { Kysely } from 'kysely';
import type { Service } from '../../domain/service.js';
import { serviceNumber } from '../batches/services.js';
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
    await tx
      .insertInto('recovered_movies')
      .values(
        page.map(({ movieId, contentDigest, batchId, rowKey }) => ({
          ...{ service_no: serviceNo, movie_id: movieId, content_digest: contentDigest },
          ...{ batch_id: batchId, row_key: rowKey, at_ms: nowMs },
        })),
      )
      .onConflict((conflict) => conflict.columns(['service_no', 'movie_id']).doNothing())
      .execute();
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
