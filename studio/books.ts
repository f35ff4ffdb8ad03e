import type Database from 'better-sqlite3';
import type { OperationName } from './faults/script.js';
import { type Movies, stateOf } from './movies.js';
import type { Outbox } from './webhooks/outbox.js';

/** What really happened, by the studio's own account. Tests and auditors read this, never the client's. */
export interface Books {
  /** Every request in the order of its answer; only kept with the option `books`. */
  readonly requests: readonly {
    readonly atMs: number;
    readonly requestId: string;
    readonly operation: OperationName;
    /** Short hash of the API key; null when the key is unknown. */
    readonly key: string | null;
    readonly idempotencyKey: string | null;
    /** SHA-256 (hex) of the body; for an upload, of its file. Null when it was not read. */
    readonly bodyDigest: string | null;
    readonly movieId: string | null;
    /** Null when the connection was broken and no answer was sent. */
    readonly status: number | null;
    /** The injected effect that the request met. */
    readonly fault: string | null;
  }[];
  /** Every billable create, in order. A replay is not one. */
  readonly creates: readonly {
    readonly movieId: string;
    readonly key: string;
    readonly idempotencyKey: string | null;
    readonly bodyDigest: string;
    readonly amountMinor: number;
    readonly currency: string;
    readonly atMs: number;
  }[];
  /** Every movie in its true state, whatever an injected fault shows of it. */
  readonly movies: readonly {
    readonly movieId: string;
    readonly status: string;
    readonly percent: number;
    readonly createdMs: number;
    readonly endedMs: number | null;
  }[];
  readonly deliveries: readonly {
    readonly movieId: string;
    readonly type: string;
    readonly attempts: number;
    readonly state: 'waiting' | 'delivered' | 'given_up';
  }[];
}

export interface RequestLog {
  insert(entry: Books['requests'][number]): void;
  all(): Books['requests'];
}

export function createRequestLog(db: Database.Database): RequestLog {
  const insert = db.prepare(`INSERT INTO requests
    (at_ms, request_id, operation, key_hash, idempotency_key, body_digest, movie_id, status, fault)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const all = db.prepare<[], Books['requests'][number]>(`SELECT at_ms AS atMs, request_id AS requestId, operation,
    key_hash AS key, idempotency_key AS idempotencyKey, body_digest AS bodyDigest, movie_id AS movieId, status, fault
    FROM requests ORDER BY serial`);
  return {
    insert({ atMs, requestId, operation, key, idempotencyKey, bodyDigest, movieId, status, fault }) {
      insert.run(atMs, requestId, operation, key, idempotencyKey, bodyDigest, movieId, status, fault);
    },
    all: () => all.all(),
  };
}

export interface BooksDeps {
  readonly requestLog: RequestLog;
  readonly movies: Movies;
  readonly outbox: Outbox;
  readonly nowMs: number;
}

export function readBooks({ requestLog, movies, outbox, nowMs }: BooksDeps): Books {
  const records = [...movies.all()];
  return {
    requests: requestLog.all(),
    creates: records.map(({ id, keyHash, idempotencyKey, bodyDigest, price, createdMs }) => {
      const { amountMinor, currency } = price;
      return { movieId: id, key: keyHash, idempotencyKey, bodyDigest, amountMinor, currency, atMs: createdMs };
    }),
    movies: records.map((movie) => {
      const { status, percent, endedMs } = stateOf(movie, nowMs);
      return { movieId: movie.id, status, percent, createdMs: movie.createdMs, endedMs };
    }),
    deliveries: outbox.all().map(({ movieId, type, attempts, state }) => ({ movieId, type, attempts, state })),
  };
}
