import type Database from 'better-sqlite3';
import { newId } from '../ids.js';
import { type MovieRecord, movieBody, timedJobOf } from '../movies.js';
import { changesOf, type MovieState } from '../timeline.js';

/** An event on its way to a callback address. */
export interface Delivery {
  readonly serial: number;
  readonly id: string;
  readonly movieId: string;
  readonly type: string;
  readonly url: string;
  readonly body: string;
  /** To be signed with a secret that is not the studio's. */
  readonly forged: boolean;
  readonly dueMs: number;
  /** When the first attempt was due. */
  readonly firstMs: number;
  readonly attempts: number;
  readonly state: 'waiting' | 'delivered' | 'given_up';
}

/**
 * Events to deliver. Written in the transaction of the change that they report, so that none is lost and none reports
 * what did not happen.
 */
export interface Outbox {
  /** At creation: the first event, and for a timed job, whose future is known, all of them, each due at its time. */
  open(movie: MovieRecord): void;
  announce(movie: MovieRecord, state: MovieState): void;
  /** Takes back the events of a future that a cancellation has changed. */
  withdraw(movieId: string, afterMs: number): void;
  /** The first due one whose receiver and movie are not busy. */
  nextDue(nowMs: number, busy: Busy): Delivery | null;
  /** When the next one that is not due yet becomes due. */
  dueAfter(nowMs: number): number | null;
  /** Rises with every change, so that nobody has to ask again while nothing has changed. */
  version(): number;
  settle(delivery: Delivery, outcome: Pick<Delivery, 'state' | 'dueMs'>): void;
  all(): Delivery[];
}

export interface Busy {
  /** By `receiverOf`. */
  readonly receivers: readonly string[];
  readonly movieIds: readonly string[];
}

const never = Number.MAX_SAFE_INTEGER;

type Row = Omit<Delivery, 'forged'> & { readonly forged: 0 | 1 };

const columns = `serial, id, movie_id AS movieId, type, url, body, forged, due_ms AS dueMs, first_ms AS firstMs, attempts,
  state`;

/** Scheme and host of a delivery's URL, as SQL: up to the first slash after them. */
const receiver = "substr(url, 1, 8 + instr(substr(url, 9), '/'))";

/** The same for a delivery at hand. */
export function receiverOf({ url }: Delivery): string {
  return url.slice(0, url.indexOf('/', 8) + 1);
}

export function createOutbox(db: Database.Database): Outbox {
  const { insert, release, withdraw, due, dueAfter, settle, all } = statementsOf(db);
  let version = 0;
  const deliveryOf = (row: Row): Delivery => ({ ...row, forged: row.forged === 1 });

  function add(movie: MovieRecord, state: MovieState, { dueMs, forged = false }: { dueMs: number; forged?: boolean }) {
    version += 1;
    const id = newId('msg');
    const body = JSON.stringify(eventBody(id, movie, state));
    const type = `movie.${state.status}`;
    const url = new URL(movie.request.webhook_url ?? '').href; // with a slash after its host
    insert.run(id, movie.id, type, url, body, forged ? 1 : 0, dueMs, dueMs);
    if (modeOf(movie) === 'twice') insert.run(id, movie.id, type, url, body, 0, dueMs, dueMs);
  }

  function announce(movie: MovieRecord, state: MovieState): void {
    const mode = modeOf(movie);
    if (movie.request.webhook_url === undefined || mode === 'none') return;
    const held = mode === 'out_of_order' && state.endedMs === null;
    add(movie, state, { dueMs: held ? never : state.updatedMs });
    // The last event goes out first, then the held ones backwards.
    if (mode === 'out_of_order' && !held) release.run(state.updatedMs + 1, state.updatedMs, movie.id, never);
  }

  return {
    announce,
    open(movie) {
      const timed = timedJobOf(movie);
      const queued = { ...movie.stored, status: 'queued' } as const;
      if (movie.request.webhook_url !== undefined && modeOf(movie) === 'forged') {
        const endedMs = movie.createdMs;
        const lie = { status: 'completed', percent: 100, updatedMs: endedMs, endedMs, error: null } as const;
        add(movie, lie, { dueMs: movie.createdMs, forged: true });
      }
      for (const change of timed ? changesOf(timed) : [queued]) announce(movie, change);
    },
    withdraw(movieId, afterMs) {
      version += 1;
      withdraw.run(movieId, afterMs);
    },
    nextDue(nowMs, { receivers, movieIds }) {
      const row = due.get(nowMs, JSON.stringify(movieIds), JSON.stringify(receivers));
      return row ? deliveryOf(row) : null;
    },
    dueAfter(nowMs) {
      const dueMs = dueAfter.get(nowMs) ?? null;
      return dueMs === never ? null : dueMs;
    },
    settle({ serial }, { state, dueMs }) {
      version += 1;
      settle.run(state, dueMs, serial);
    },
    version: () => version,
    all: () => all.all().map(deliveryOf),
  };
}

function statementsOf(db: Database.Database) {
  return {
    insert: db.prepare(`INSERT INTO deliveries
    (id, movie_id, type, url, body, forged, due_ms, first_ms, attempts, state)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 'waiting')`),
    release: db.prepare(
      `UPDATE deliveries SET due_ms = ? + (SELECT MAX(serial) FROM deliveries) - serial, first_ms = ?
      WHERE movie_id = ? AND state = 'waiting' AND due_ms = ?`,
    ),
    withdraw: db.prepare(
      "DELETE FROM deliveries WHERE movie_id = ? AND state = 'waiting' AND attempts = 0 AND forged = 0 AND due_ms > ?",
    ),
    due: db.prepare<[number, string, string], Row>(
      `SELECT ${columns} FROM deliveries WHERE state = 'waiting' AND due_ms <= ?
      AND movie_id NOT IN (SELECT value FROM json_each(?)) AND ${receiver} NOT IN (SELECT value FROM json_each(?))
      ORDER BY due_ms, serial LIMIT 1`,
    ),
    dueAfter: db
      .prepare<[number], number | null>("SELECT MIN(due_ms) FROM deliveries WHERE state = 'waiting' AND due_ms > ?")
      .pluck(),
    settle: db.prepare('UPDATE deliveries SET attempts = attempts + 1, state = ?, due_ms = ? WHERE serial = ?'),
    all: db.prepare<[], Row>(`SELECT ${columns} FROM deliveries ORDER BY serial`),
  };
}

function modeOf(movie: MovieRecord) {
  return movie.quirks.find((quirk) => quirk.effect === 'webhook')?.mode ?? null;
}

function eventBody(id: string, movie: MovieRecord, state: MovieState) {
  const created_at = new Date(state.updatedMs).toISOString();
  return { id, type: `movie.${state.status}`, created_at, data: movieBody(movie, state) };
}
