import type { Tx } from '../ledger.js';

/**
 * The campaign's name and the next of its numbers, e.g. `spring-launch-3`. Takes the campaign's lock. A number whose
 * folder the archive has from before the ledger was restored is passed over: films and certificate in it stay.
 */
export async function nextBatchId(
  tx: Tx,
  campaign: string,
): Promise<{ readonly batchId: string; readonly number: number }> {
  for (;;) {
    const number = await nextNumber(tx, campaign);
    const batchId = `${campaign}-${number}`;
    if (!(await isRecovered(tx, batchId))) return { batchId, number };
  }
}

async function nextNumber(tx: Tx, campaign: string): Promise<number> {
  const { last_number } = await tx
    .insertInto('campaigns')
    .values({ campaign, last_number: 1 })
    .onConflict((conflict) =>
      conflict.column('campaign').doUpdateSet((eb) => ({ last_number: eb('campaigns.last_number', '+', 1) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return last_number;
}

/** Whether the archive has movies of a batch of this id that these books do not know. */
async function isRecovered(tx: Tx, batchId: string): Promise<boolean> {
  const movies = tx.selectFrom('recovered_movies').select('movie_id').where('batch_id', '=', batchId).limit(1);
  return (await movies.executeTakeFirst()) !== undefined;
}
