import type { Service } from '../../domain/service.js';
import { readPolicy } from '../access/policies.js';
import type { Tx } from '../ledger.js';

/** The number of a service in these books, given to it where it has none yet. */
export async function serviceNumber(tx: Tx, { name, baseUrl, rehearsal }: Service): Promise<number> {
  const { policy } = await readPolicy(tx);
  await tx
    .insertInto('services')
    .values({
      ...{ name, base_url: baseUrl, rehearsal: rehearsal ? 1 : 0, max_in_flight: policy.maxInFlight },
    })
    .onConflict((conflict) => conflict.columns(['name', 'base_url']).doNothing())
    .execute();
  const { service_no } = await tx
    .selectFrom('services')
    .select('service_no')
    .where('name', '=', name)
    .where('base_url', '=', baseUrl)
    .executeTakeFirstOrThrow();
  return service_no;
}
