import type Database from 'better-sqlite3';
import type { AcceptedRequest } from './movies.js';
import { Problem } from './problem.js';

/** How a repeated key is treated: it returns the same movie, is refused, or is ignored. */
export type IdempotencyMode = 'replay' | 'conflict' | 'none';

interface KeyedRequest {
  readonly keyHash: string;
  readonly idempotencyKey: string | null;
  readonly nowMs: number;
}

/** Call both inside the transaction of the create. */
export interface IdempotencyKeys {
  /**
   * Finds the movie that this key made before.
   *
   * @throws Problem when the key is taken: by another request, or in mode `conflict` by any.
   */
  find(request: KeyedRequest, brief: AcceptedRequest): string | null;
  keep(request: KeyedRequest, brief: AcceptedRequest, movieId: string): void;
}

/** So long a key makes no second movie. */
export const keyKeptMs = 30 * 24 * 3600 * 1000;

export function createIdempotencyKeys(db: Database.Database, mode: IdempotencyMode): IdempotencyKeys {
  const find = db.prepare<[string, string], { movieId: string; request: string; createdMs: number }>(
    `SELECT movie_id AS movieId, request, created_ms AS createdMs FROM idempotency
      WHERE key_hash = ? AND idempotency_key = ?`,
  );
  const keep = db.prepare('INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?)');
  return {
    find({ keyHash, idempotencyKey, nowMs }, brief) {
      if (idempotencyKey === null || mode === 'none') return null;
      const earlier = find.get(keyHash, idempotencyKey);
      if (!earlier || nowMs - earlier.createdMs > keyKeptMs) return null;
      if (mode === 'replay' && earlier.request === JSON.stringify(brief)) return earlier.movieId;
      const state = mode === 'conflict' ? 'was used before' : 'was used before with another request';
      throw new Problem(
        'idempotency_conflict',
        `Cannot create movie: the Idempotency-Key ${state}, a new order needs a new key`,
      );
    },
    keep({ keyHash, idempotencyKey, nowMs }, brief, movieId) {
      if (idempotencyKey === null || mode === 'none') return;
      keep.run(keyHash, idempotencyKey, movieId, JSON.stringify(brief), nowMs);
    },
  };
}
