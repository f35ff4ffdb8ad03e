import { text } from 'node:stream/consumers';
import type { ArchiveStore } from './archive-store.js';
import { isRecordName, type OrderedContent, parseRecord } from './movie-record.js';

/** A movie in an archive, by its own record. */
export interface ArchivedMovie {
  readonly batchId: string;
  readonly rowKey: string;
  readonly movieId: string;
  /** Null in records older than this field. */
  readonly order: OrderedContent | null;
}

/** Every movie of an archive, as its records say, whatever any ledger knows; sorted by batch and row. */
export async function* archivedMovies(store: ArchiveStore): AsyncGenerator<ArchivedMovie, void, undefined> {
  for (const batch of await store.folders()) {
    for (const path of await store.list(batch)) {
      const [batchId, rowKey, name, ...deeper] = path.split('/');
      if (!batchId || !rowKey || !name || deeper.length > 0 || !isRecordName(name)) continue;
      const record = parseRecord(await text(await store.open(path)));
      if (!record) continue;
      const { movie_id: movieId, order } = record;
      const ordered = order && { service: order.service, contentDigest: order.content_digest };
      yield { batchId, rowKey, movieId, order: ordered ?? null };
    }
  }
}
