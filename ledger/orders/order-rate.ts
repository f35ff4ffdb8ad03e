import { sql } from 'kysely';
import { prepared } from '../database/prepared-query.js';
import type { Tx } from '../ledger.js';

/*
 * Orders of all workers keep to one rate. Each takes the next moment at which one may leave, under the lock of the
 * service: so in any second there is at most one more than the rate. Temporal's own rate is kept by each part of a queue for itself,
 * and only spares workers the asking.
 */

/** One order, at a rate. */
export interface OrderMoment {
  readonly serviceNo: number;
  readonly nowMs: number;
  /** Null: as fast as there are orders; the moment that others took is kept all the same. */
  readonly ordersPerSecond: number | null;
}

/** What a statement that takes the moment is told; microseconds, since a rate of 3 has no whole milliseconds. */
export interface Taking {
  readonly serviceNo: number;
  readonly nowMs: number;
  readonly nowUs: number;
  /** When the next order may leave. */
  readonly nextUs: number;
}

export function takingOf({ serviceNo, nowMs, ordersPerSecond }: OrderMoment): Taking {
  const nowUs = nowMs * 1_000;
  return { serviceNo, nowMs, nowUs, nextUs: ordersPerSecond === null ? 0 : nowUs + Math.ceil(1e6 / ordersPerSecond) };
}

/** `next_order_us` after an order. */
export function laterMoment(nextUs: number) {
  return sql<number>`case when next_order_us > ${nextUs} then next_order_us else ${nextUs} end`;
}

const takeMoment = prepared((db, { serviceNo, nowMs, nowUs, nextUs }: Taking) =>
  db
    .updateTable('services')
    .set({ next_order_us: laterMoment(nextUs) })
    .where('service_no', '=', serviceNo)
    .where('next_order_us', '<=', nowUs)
    .where('not_before_ms', '<=', nowMs)
    .returning('service_no'),
);

/**
 * Takes the moment for a repeated send, which the service counts as well.
 *
 * @returns how long to wait; 0 when it may leave.
 */
export async function takeOrderMoment(tx: Tx, moment: OrderMoment): Promise<number> {
  const { serviceNo, nowMs } = moment;
  const [taken] = await takeMoment(tx, takingOf(moment));
  return taken ? 0 : pauseOf(tx, serviceNo, nowMs);
}

/** How long the service, or the rate, wants no order; at least a millisecond where it did a moment ago. */
export async function pauseOf(tx: Tx, serviceNo: number, nowMs: number): Promise<number> {
  const service = await tx
    .selectFrom('services')
    .select(['not_before_ms', 'next_order_us'])
    .where('service_no', '=', serviceNo)
    .executeTakeFirstOrThrow();
  return pauseMsOf(service, nowMs);
}

/** When a service takes its next order. */
export interface NextOrder {
  readonly not_before_ms: number;
  readonly next_order_us: number;
}

/** @returns 0 when it takes one now. */
export function pauseMsOf({ not_before_ms, next_order_us }: NextOrder, nowMs: number): number {
  return Math.max(0, not_before_ms - nowMs, Math.ceil(next_order_us / 1_000) - nowMs);
}
