import { sql } from 'kysely';

/*
 * One counter of attempts for a key of a lineage, over all batches: a key that was ordered once never starts again at
 * one, so no two orders have the same idempotency key.
 */

/** Of `rows`, in the query that reads one: the number of the last order of its key, null before the first. */
export const lastAttempt = sql`(select max(orders.attempt) from orders
  where orders.lineage_no = rows.lineage_no and orders.row_key = rows.row_key)`;

export function nextAttempt({ last_attempt }: { readonly last_attempt: number | null }): number {
  return (last_attempt ?? 0) + 1;
}
