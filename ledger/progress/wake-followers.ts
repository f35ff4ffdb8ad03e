import { sql } from 'kysely';
import type { Ledger, Tx } from '../ledger.js';
import type { SliceOf } from './due-rows.js';

export interface Nudge {
  readonly movieIds: readonly string[];
  readonly nowMs: number;
}

/**
 * The service told of movies: the rows that run them are to be looked at now. What was told is believed no further,
 * and a movie that no running row has changes nothing.
 *
 * @returns the slices whose follower sleeps past it. Each is named once: from then on it counts as awake, until it
 *   says itself that it sleeps again, so that any number of events wakes a follower once.
 */
export async function nudgeMovies(ledger: Ledger, { movieIds, nowMs }: Nudge): Promise<readonly SliceOf[]> {
  if (movieIds.length === 0) return [];
  // Read first: what is not ours costs the database no write.
  const rows = await ledger.db
    .selectFrom('rows')
    .select((eb) => ['batch_id as batchId', eb.ref('slice').$notNull().as('slice')])
    .distinct()
    .where('movie_id', 'in', movieIds)
    .where('state', '=', 'running')
    .where('slice', 'is not', null)
    .orderBy('batch_id')
    .orderBy('slice')
    .execute();
  if (rows.length === 0) return [];
  return ledger.write(async (tx) => {
    await tx
      .updateTable('rows')
      .set({ follow_ms: nowMs })
      .where('movie_id', 'in', movieIds)
      .where('state', '=', 'running')
      .where('follow_ms', '>', nowMs)
      .execute();
    const asleep: SliceOf[] = [];
    for (const slice of rows) if (await wakes(tx, slice, nowMs)) asleep.push(slice);
    return asleep;
  });
}

/** Marks the follower as awake. Every slice is written, also one that is awake: that waits for `setWakeUp` to commit. */
async function wakes(tx: Tx, { batchId, slice }: SliceOf, nowMs: number): Promise<boolean> {
  const marked = await tx
    .updateTable('slices')
    .set((eb) => ({
      wake_ms: sql<number>`case when ${eb.ref('wake_ms')} > ${nowMs} then ${nowMs} else ${eb.ref('wake_ms')} end`,
    }))
    .where('batch_id', '=', batchId)
    .where('slice', '=', slice)
    .returning('wake_ms')
    .executeTakeFirst();
  return marked?.wake_ms === nowMs;
}
