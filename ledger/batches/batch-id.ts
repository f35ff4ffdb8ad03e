import type { Tx } from '../ledger.js';

/** The campaign's name and the next of its numbers, e.g. `spring-launch-3`. Takes the campaign's lock. */
export async function nextBatchId(
  tx: Tx,
  campaign: string,
): Promise<{ readonly batchId: string; readonly number: number }> {
  const { last_number: number } = await tx
    .insertInto('campaigns')
    .values({ campaign, last_number: 1 })
    .onConflict((conflict) =>
      conflict.column('campaign').doUpdateSet((eb) => ({ last_number: eb('campaigns.last_number', '+', 1) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return { batchId: `${campaign}-${number}`, number };
}
