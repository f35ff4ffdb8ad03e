import { sql } from 'kysely';
import { inTurn } from '../database/in-turn.js';
import { prepared } from '../database/prepared-query.js';
import type { Tx } from '../ledger.js';
import { AdmissionBlocked } from './hold.js';
import {
  laterMoment,
  type NextOrder,
  type OrderMoment,
  pauseMsOf,
  pauseOf,
  type Taking,
  takingOf,
} from './order-rate.js';
import { isHalted } from './stop-in-force.js';

/*
 * How many movies may be in progress at once. The limit of a batch is a condition of `takeFromBatch`, under the lock
 * that it takes anyway; the limit of the service over all batches is here.
 */

interface Counted {
  readonly in_flight: number;
  readonly max_in_flight: number | null;
}

/** More than any slice has rows. */
export const unlimited = 1_000_000;

/** How many more rows a batch or a service takes. */
export function placesLeft({ in_flight, max_in_flight }: Counted): number {
  return max_in_flight === null ? unlimited : max_in_flight - in_flight;
}

/** What bars the way to a service, by a look without a lock. */
export interface ServicePlaces extends Counted, NextOrder {}

/** Whether the service takes so many orders now. Only `takePlacesInFlight` says so for certain. */
export function seemsOpen(service: ServicePlaces, places: number, nowMs: number): boolean {
  return placesLeft(service) >= places && pauseMsOf(service, nowMs) === 0;
}

interface Places {
  readonly places: number;
}

const takePlaces = prepared((db, { serviceNo, nowMs, nowUs, nextUs, places }: Taking & Places) =>
  db
    .updateTable('services')
    .set((eb) => ({ in_flight: eb('in_flight', '+', places), next_order_us: laterMoment(nextUs) }))
    .where('service_no', '=', serviceNo)
    .where(inTurn(db, 'service', 'service_no'))
    .where(sql<boolean>`(max_in_flight is null or in_flight + ${places} <= max_in_flight)`)
    .where('next_order_us', '<=', nowUs)
    .where('not_before_ms', '<=', nowMs)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('ledger').select('id').where('halted', 'is not', null))))
    .returning('service_no'),
);

/**
 * Takes places within the service's limit over all batches, once the pause that it asked for is over and the rate
 * allows one more order, in a ledger that may order at all. Under a rate, one place at a time.
 *
 * @throws AdmissionBlocked
 */
export async function takePlacesInFlight(tx: Tx, places: number, moment: OrderMoment): Promise<void> {
  const { serviceNo, nowMs } = moment;
  const [taken] = await takePlaces(tx, { ...takingOf(moment), places });
  if (taken) return;
  if (await isHalted(tx)) throw new AdmissionBlocked('restored');
  const pauseMs = await pauseOf(tx, serviceNo, nowMs);
  throw new AdmissionBlocked('in_flight', pauseMs > 0 ? pauseMs : null);
}
