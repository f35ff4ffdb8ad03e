import { sql } from 'kysely';
import type { Tx } from '../ledger.js';
import type { BookedMovie } from './billed-movies.js';

/** What all invoices say of one movie in one currency. */
export interface Invoiced {
  /** Lines that charge, be it nothing; a credit alone does not say what the movie costs. */
  readonly charges: number;
  readonly sumMinor: number;
}

/** How an invoice names a movie, and in which currency. */
export interface InvoicedName {
  readonly movieId: string | null;
  readonly idempotencyKey: string | null;
  readonly currency: string;
}

export interface NamedAmount extends InvoicedName, Invoiced {}

/** The sums of every invoice that was read, as their lines name the movies. */
export async function invoicedBefore(tx: Tx, serviceNo: number): Promise<readonly NamedAmount[]> {
  const sums = await tx
    .selectFrom('invoice_lines')
    .select(['movie_id', 'idempotency_key', 'currency'])
    .select(sql<number>`cast(sum(amount_minor) as bigint)`.as('sum'))
    .select(sql<number>`cast(sum(case when amount_minor >= 0 then 1 else 0 end) as bigint)`.as('charges'))
    .where('service_no', '=', serviceNo)
    .groupBy(['movie_id', 'idempotency_key', 'currency'])
    .execute();
  return sums.map(({ movie_id: movieId, idempotency_key: idempotencyKey, currency, sum: sumMinor, charges }) => ({
    ...{ movieId, idempotencyKey, currency, sumMinor, charges },
  }));
}

/**
 * What a movie costs by all its invoices, whatever their order. Until one charges it, what was posted stands for the
 * charge: then a credit lowers that, and a refund that was assumed is not booked a second time.
 */
export function owedMinor(
  { postedMinor, refundedMinor }: Pick<BookedMovie, 'postedMinor' | 'refundedMinor'>,
  { charges, sumMinor }: Invoiced,
): number {
  if (charges > 0) return sumMinor;
  return Math.min(postedMinor - refundedMinor, postedMinor + sumMinor);
}

/** Whether an invoice charges the movie: then nothing is assumed about it any more. */
export async function isCharged(
  tx: Tx,
  { serviceNo, movieId }: { readonly serviceNo: number; readonly movieId: string },
): Promise<boolean> {
  const order = tx
    .selectFrom('orders')
    .select('idempotency_key')
    .where('service_no', '=', serviceNo)
    .where('movie_id', '=', movieId);
  const line = await tx
    .selectFrom('invoice_lines')
    .select('line')
    .where('service_no', '=', serviceNo)
    .where('amount_minor', '>=', 0)
    .where((eb) => eb.or([eb('movie_id', '=', movieId), eb('idempotency_key', 'in', order)]))
    .limit(1)
    .executeTakeFirst();
  return line !== undefined;
}
