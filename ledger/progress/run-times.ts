import type { Kysely } from 'kysely';
import { type RunTime, runTimesKept } from '../../domain/run-times.js';
import type { BatchRecord } from '../batches/batch-record.js';
import { prepared } from '../database/prepared-query.js';
import type { Tables } from '../database/tables.js';
import type { Ledger, Tx } from '../ledger.js';

/** Of so many other batches of a service, the newest, the ends are looked at while a batch has few of its own. */
const batchesAsked = 4;

export interface KnownRunTimes {
  /** Of the batch itself, the newest first. */
  readonly own: string;
  /** Of the service's other batches, those of the newest batch first. */
  readonly others: readonly string[];
  /** Movies of the batch in progress. */
  readonly inFlight: number;
}

const ofBatch = prepared((db, { batchId }: { readonly batchId: string }) =>
  db
    .selectFrom('batches')
    .leftJoin('run_times', 'run_times.batch_id', 'batches.batch_id')
    .select(['batches.in_flight', 'batches.service_no', 'run_times.ends'])
    .where('batches.batch_id', '=', batchId),
);

const ofService = prepared((db, { batchId, serviceNo }: { readonly batchId: string; readonly serviceNo: number }) =>
  db
    .selectFrom('run_times')
    .select('ends')
    .where('service_no', '=', serviceNo)
    .where('batch_id', '!=', batchId)
    .orderBy('at_ms', 'desc')
    .limit(batchesAsked),
);

export async function readRunTimes({ db }: Ledger, batchId: string): Promise<KnownRunTimes> {
  const [batch] = await ofBatch(db, { batchId });
  if (!batch) return { own: '[]', others: [], inFlight: 0 };
  const others = await ofService(db, { batchId, serviceNo: batch.service_no });
  return { own: batch.ends ?? '[]', others: others.map(({ ends }) => ends), inFlight: batch.in_flight };
}

/** What was read, as a sample: the batch's own ends come first, and no more than are kept. */
export function sampleOf({ own, others }: Pick<KnownRunTimes, 'own' | 'others'>): readonly RunTime[] {
  return [own, ...others].flatMap(parsed).slice(0, runTimesKept);
}

function parsed(ends: string): RunTime[] {
  return JSON.parse(ends) as RunTime[]; // written below
}

/** Adds the ends of movies that finished, under the batch's lock. */
export async function keepRunTimes(
  tx: Tx,
  { batch_id, service_no }: BatchRecord,
  { runTimes, nowMs }: { readonly runTimes: readonly RunTime[]; readonly nowMs: number },
): Promise<void> {
  if (runTimes.length === 0) return;
  const [before] = await ofBatch(tx, { batchId: batch_id });
  const ends = JSON.stringify([...runTimes, ...parsed(before?.ends ?? '[]')].slice(0, runTimesKept));
  await put(tx, { batch_id, service_no, ends, at_ms: nowMs });
}

const put = prepared((db: Kysely<Tables>, values: Tables['run_times']) =>
  db
    .insertInto('run_times')
    .values({ batch_id: values.batch_id, service_no: values.service_no, ends: values.ends, at_ms: values.at_ms })
    .onConflict((conflict) => conflict.column('batch_id').doUpdateSet({ ends: values.ends, at_ms: values.at_ms })),
);
