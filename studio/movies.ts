import type Database from 'better-sqlite3';
import type { z } from 'zod';
import type { Movie, MovieRequest } from '../api/contract.js';
import type { MovieQuirk } from './faults/script.js';
import type { Price } from './price.js';
import { type MovieState, stateAt, type TimedJob } from './timeline.js';

type ParsedRequest = z.output<typeof MovieRequest>;

/** A request with the studio's own choices filled in. */
export interface AcceptedRequest extends ParsedRequest {
  readonly aspect_ratio: NonNullable<ParsedRequest['aspect_ratio']>;
  readonly references: NonNullable<ParsedRequest['references']>;
}

export function acceptRequest(request: ParsedRequest): AcceptedRequest {
  return { ...request, aspect_ratio: request.aspect_ratio ?? '16:9', references: request.references ?? [] };
}

export type Preset = 'film' | 'draft' | 'stub';

export interface MovieRecord {
  readonly serial: number;
  readonly id: string;
  readonly keyHash: string;
  /** Id of the request that created it. */
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** SHA-256 (hex) of the request's bytes. */
  readonly bodyDigest: string;
  readonly request: AcceptedRequest;
  readonly price: Price;
  readonly preset: Preset;
  /** How long the job takes by the clock; null when it takes as long as rendering takes. */
  readonly jobMs: number | null;
  readonly quirks: readonly MovieQuirk[];
  readonly createdMs: number;
  readonly stored: MovieState;
}

export type NewMovie = Omit<MovieRecord, 'serial' | 'stored'>;

export interface Movies {
  insert(movie: NewMovie): MovieRecord;
  find(id: string): MovieRecord | null;
  /** Advances the movie, unless it has ended or is already further. True when this changed it. */
  advance(id: string, state: MovieState): boolean;
  /** The movies to render rather than time that have not ended, oldest first. */
  toRender(): MovieRecord[];
  all(): IterableIterator<MovieRecord>;
}

export function createMovies(db: Database.Database): Movies {
  const insert = db.prepare(`INSERT INTO movies
    (id, key_hash, request_id, idempotency_key, body_digest, request, credits, amount_minor, currency, preset, job_ms,
     quirks, created_ms, status, percent, updated_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', 0, ?)`);
  const find = db.prepare<[string], MovieRow>('SELECT * FROM movies WHERE id = ?');
  const advance = db.prepare(`UPDATE movies
    SET status = ?, percent = ?, updated_ms = ?, ended_ms = ?, error_code = ?, error_message = ?
    WHERE id = ? AND ended_ms IS NULL`);
  const toRender = db.prepare<[], MovieRow>(
    'SELECT * FROM movies WHERE job_ms IS NULL AND ended_ms IS NULL ORDER BY serial',
  );
  const all = db.prepare<[], MovieRow>('SELECT * FROM movies ORDER BY serial');

  return {
    insert(movie) {
      const { lastInsertRowid } = insert.run(...columnsOf(movie));
      const stored = { status: 'queued', percent: 0, updatedMs: movie.createdMs, endedMs: null, error: null } as const;
      return { ...movie, serial: Number(lastInsertRowid), stored };
    },
    find(id) {
      const row = find.get(id);
      return row ? recordOf(row) : null;
    },
    advance(id, { status, percent, updatedMs, endedMs, error }) {
      const values = [status, percent, updatedMs, endedMs, error?.code ?? null, error?.message ?? null, id];
      return advance.run(...values).changes === 1;
    },
    toRender: () => toRender.all().map(recordOf),
    *all() {
      for (const row of all.iterate()) yield recordOf(row);
    },
  };
}

/** The movie's current state. A timed job's progress is computed; only its cancellation is stored. */
export function stateOf(movie: MovieRecord, nowMs: number): MovieState {
  const timed = timedJobOf(movie);
  return movie.stored.endedMs !== null || timed === null ? movie.stored : stateAt(timed, nowMs);
}

export function timedJobOf({ createdMs, jobMs, quirks }: NewMovie): TimedJob | null {
  if (jobMs === null) return null;
  const stuck = quirks.find((quirk) => quirk.effect === 'stuck');
  const failure = quirks.find((quirk) => quirk.effect === 'fail');
  return { createdMs, jobMs, stuckAt: stuck?.at ?? null, failure: failure ?? null };
}

/** The movie as the interface shows it. */
export function movieBody(movie: MovieRecord, state: MovieState): Movie {
  return {
    id: movie.id,
    status: state.status,
    prompt: movie.request.prompt,
    duration_seconds: movie.request.duration_seconds,
    aspect_ratio: movie.request.aspect_ratio,
    progress: { percent: state.percent, stage: state.status },
    error: state.error && { ...state.error, request_id: movie.requestId },
    created_at: new Date(movie.createdMs).toISOString(),
    updated_at: new Date(state.updatedMs).toISOString(),
  };
}

interface MovieRow {
  readonly serial: number;
  readonly id: string;
  readonly key_hash: string;
  readonly request_id: string;
  readonly idempotency_key: string | null;
  readonly body_digest: string;
  readonly request: string;
  readonly credits: number;
  readonly amount_minor: number;
  readonly currency: string;
  readonly preset: Preset;
  readonly job_ms: number | null;
  readonly quirks: string | null;
  readonly created_ms: number;
  readonly status: MovieState['status'];
  readonly percent: number;
  readonly updated_ms: number;
  readonly ended_ms: number | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
}

function columnsOf(movie: NewMovie): readonly (string | number | null)[] {
  return [
    movie.id,
    movie.keyHash,
    movie.requestId,
    movie.idempotencyKey,
    movie.bodyDigest,
    JSON.stringify(movie.request),
    movie.price.credits,
    movie.price.amountMinor,
    movie.price.currency,
    movie.preset,
    movie.jobMs,
    movie.quirks.length === 0 ? null : JSON.stringify(movie.quirks),
    movie.createdMs,
    movie.createdMs,
  ];
}

function recordOf(row: MovieRow): MovieRecord {
  const { error_code: code, error_message: message } = row;
  return {
    serial: row.serial,
    id: row.id,
    keyHash: row.key_hash,
    requestId: row.request_id,
    idempotencyKey: row.idempotency_key,
    bodyDigest: row.body_digest,
    request: JSON.parse(row.request),
    price: { credits: row.credits, amountMinor: row.amount_minor, currency: row.currency },
    preset: row.preset,
    jobMs: row.job_ms,
    quirks: row.quirks === null ? [] : JSON.parse(row.quirks),
    createdMs: row.created_ms,
    stored: {
      status: row.status,
      percent: row.percent,
      updatedMs: row.updated_ms,
      endedMs: row.ended_ms,
      error: code === null ? null : { code, message: message ?? '' },
    },
  };
}
