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
  /** To be signed with a secret that nobody gave. */
  readonly forged: boolean;
  readonly dueMs: number;
  /** When the first attempt was due. */
  readonly firstMs: number;
  readonly attempts: number;
  readonly state: 'waiting' | 'delivered' | 'given_up';
}

/**
 * Events that are to be delivered. Written in the transaction of the change that they tell of, so that none is lost
 * and none tells of what did not happen.
 */
export interface Outbox {
  /** At creation: the first event, and for a timed job, whose future is known, all of them, each due at its time. */
  open(movie: MovieRecord): void;
  announce(movie: MovieRecord, state: MovieState): void;
  /** Takes back the events of a future that a cancellation has changed. */
  withdraw(movieId: string, afterMs: number): void;
  due(nowMs: number, limit: number): Delivery[];
  nextDueMs(): number | null;
  /** Rises with every change, so that nobody has to ask again while nothing has. */
  version(): number;
  settle(delivery: Delivery, outcome: Pick<Delivery, 'state' | 'dueMs'>): void;
  all(): Delivery[];
}

const never = Number.MAX_SAFE_INTEGER;

type Row = Omit<Delivery, 'forged'> & { readonly forged: 0 | 1 };

const columns = `serial, id, movie_id AS movieId, type, url, body, forged, due_ms AS dueMs, first_ms AS firstMs, attempts,
  state`;

export function createOutbox(db: Database.Database): Outbox {
  const insert = db.prepare(`INSERT INTO deliveries
    (id, movie_id, type, url, body, forged, due_ms, first_ms, attempts, state)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 'waiting')`);
  const release = db.prepare(
    `UPDATE deliveries SET due_ms = ? + (SELECT MAX(serial) FROM deliveries) - serial, first_ms = ?
      WHERE movie_id = ? AND state = 'waiting' AND due_ms = ?`,
  );
  const withdraw = db.prepare(
    "DELETE FROM deliveries WHERE movie_id = ? AND state = 'waiting' AND attempts = 0 AND forged = 0 AND due_ms > ?",
  );
  const due = db.prepare<[number, number], Row>(
    `SELECT ${columns} FROM deliveries WHERE state = 'waiting' AND due_ms <= ? ORDER BY due_ms, serial LIMIT ?`,
  );
  const nextDue = db.prepare("SELECT MIN(due_ms) FROM deliveries WHERE state = 'waiting'").pluck();
  const settle = db.prepare('UPDATE deliveries SET attempts = attempts + 1, state = ?, due_ms = ? WHERE serial = ?');
  const all = db.prepare<[], Row>(`SELECT ${columns} FROM deliveries ORDER BY serial`);
  let version = 0;
  const deliveryOf = (row: Row): Delivery => ({ ...row, forged: row.forged === 1 });

  function add(movie: MovieRecord, state: MovieState, { dueMs, forged = false }: { dueMs: number; forged?: boolean }) {
    version += 1;
    const id = newId('msg');
    const body = JSON.stringify(eventBody(id, movie, state));
    const type = `movie.${state.status}`;
    insert.run(id, movie.id, type, movie.request.webhook_url, body, forged ? 1 : 0, dueMs, dueMs);
    if (modeOf(movie) === 'twice') {
      insert.run(id, movie.id, type, movie.request.webhook_url, body, 0, dueMs, dueMs);
    }
  }

  function announce(movie: MovieRecord, state: MovieState): void {
    const mode = modeOf(movie);
    if (movie.request.webhook_url === undefined || mode === 'none') return;
    const held = mode === 'out_of_order' && state.endedMs === null;
    add(movie, state, { dueMs: held ? never : state.updatedMs });
    // The last event goes out first, and then the held ones backwards.
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
    due: (nowMs, limit) => due.all(nowMs, limit).map(deliveryOf),
    nextDueMs() {
      const dueMs = nextDue.get() as number | null;
      return dueMs === null || dueMs === never ? null : dueMs;
    },
    settle({ serial }, { state, dueMs }) {
      version += 1;
      settle.run(state, dueMs, serial);
    },
    version: () => version,
    all: () => all.all().map(deliveryOf),
  };
}

function modeOf(movie: MovieRecord) {
  return movie.quirks.find((quirk) => quirk.effect === 'webhook')?.mode ?? null;
}

function eventBody(id: string, movie: MovieRecord, state: MovieState) {
  const created_at = new Date(state.updatedMs).toISOString();
  return { id, type: `movie.${state.status}`, created_at, data: movieBody(movie, state) };
}
