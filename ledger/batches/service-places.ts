import type { Kysely } from 'kysely';
import type { Service } from '../../domain/service.js';
import { inTheirCampaigns } from '../access/sight.js';
import type { Tables } from '../database/tables.js';
import { ofService } from './service-filter.js';

/** A batch with movies in progress at a service. */
export interface Holder {
  readonly batchId: string;
  readonly rows: number;
}

/** Who holds the places of a service, the most first. */
export interface Holders {
  readonly seen: readonly Holder[];
  /** Places of batches that the person may not see, or that are too many to name. */
  readonly others: number;
}

const named = 3;

/** @param inCampaignsOf only their batches are named; null for all */
export async function holdersOf(
  db: Kysely<Tables>,
  { batchId, inCampaignsOf }: { readonly batchId: string; readonly inCampaignsOf: string | null },
): Promise<Holders> {
  const ofService = db
    .selectFrom('batches')
    .where('batches.in_flight', '>', 0)
    .where('batches.service_no', '=', (eb) =>
      eb.selectFrom('batches as asked').select('asked.service_no').where('asked.batch_id', '=', batchId),
    );
  const { all } = await ofService
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('batches.in_flight'), eb.val(0)).as('all'))
    .executeTakeFirstOrThrow();
  const seen = await ofService
    .select(['batches.batch_id', 'batches.in_flight'])
    .$if(inCampaignsOf !== null, (query) => query.where((eb) => inTheirCampaigns(eb, inCampaignsOf ?? '')))
    .orderBy('batches.in_flight', 'desc')
    .orderBy('batches.batch_id')
    .limit(named)
    .execute();
  const holders = seen.map(({ batch_id, in_flight }) => ({ batchId: batch_id, rows: in_flight }));
  return { seen: holders, others: Number(all) - holders.reduce((sum, { rows }) => sum + rows, 0) };
}

/** The places of a service, and the batches that have some, the most first. */
export interface Places {
  /** Null: as many as come. */
  readonly limit: number | null;
  readonly taken: number;
  readonly holders: readonly Holder[];
}

/** Null for a service that these books do not know yet. */
export async function placesOf(db: Kysely<Tables>, service: Pick<Service, 'name' | 'baseUrl'>): Promise<Places | null> {
  const found = await db
    .selectFrom('services')
    .select(['service_no', 'in_flight', 'max_in_flight'])
    .where(ofService(service))
    .executeTakeFirst();
  if (!found) return null;
  const batches = await db
    .selectFrom('batches')
    .select(['batch_id as batchId', 'in_flight as rows'])
    .where('service_no', '=', found.service_no)
    .where('in_flight', '>', 0)
    .orderBy('in_flight', 'desc')
    .orderBy('batch_id')
    .limit(20)
    .execute();
  return { limit: found.max_in_flight, taken: found.in_flight, holders: batches };
}

/** Until when the service of a batch asked for no create; 0 when it did not. */
export async function pausedUntil(db: Kysely<Tables>, batchId: string): Promise<number> {
  const { not_before_ms } = await db
    .selectFrom('batches')
    .innerJoin('services', 'services.service_no', 'batches.service_no')
    .select('services.not_before_ms')
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  return not_before_ms;
}

/** Since when the first of its rows waits for a place; null where none does. */
export async function waitsForPlaceSince(db: Kysely<Tables>, batchId: string): Promise<number | null> {
  const { since } = await db
    .selectFrom('rows')
    .select((eb) => eb.fn.min('blocked_ms').as('since'))
    .where('batch_id', '=', batchId)
    .where('state', '=', 'blocked')
    .where('blocked_reason', '=', 'in_flight')
    .executeTakeFirstOrThrow();
  return since;
}
