import type { Kysely, Selectable } from 'kysely';
import { canonicalJson } from '../../domain/digests/canonical.js';
import type { BatchesTable, DecisionsTable, Tables } from '../database/tables.js';
import { eventsOf, newestByObject, type RecordedEvent } from './audit-events.js';
import { type BookFault, batchFault, differences, type Stored } from './ledger-fault.js';

type Batch = Selectable<BatchesTable>;
type Decision = Selectable<DecisionsTable>;

/** Compares submissions, decisions and ends of batches with the audit, in both directions. */
export async function checkDecisions(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const batches = await db.selectFrom('batches').selectAll().orderBy('batch_id').execute();
  const decisions = await db.selectFrom('decisions').selectAll().orderBy('batch_id').execute();
  const submitted = newestByObject(await eventsOf(db, ['submit']));
  const decided = newestByObject(await eventsOf(db, ['approve', 'reject']));
  const sealed = newestByObject(await eventsOf(db, ['seal']));
  const ended = newestByObject(await eventsOf(db, ['close', 'unsettled']));
  const rows = await rowsByState(db);
  const batchIds = new Set(batches.map(({ batch_id }) => batch_id));
  const byBatch = new Map(decisions.map((decision) => [decision.batch_id, decision]));
  return [
    ...[...submitted.keys()]
      .filter((id) => !batchIds.has(id))
      .map((id) => batchFault('batch_missing', id, 'it was submitted')),
    ...[...decided.keys()]
      .filter((id) => !byBatch.has(id))
      .map((id) => batchFault('decision_missing', id, `the audit has its ${decided.get(id)?.act}`)),
    ...decisions.flatMap((decision) => decisionFaults(decision, decided.get(decision.batch_id))),
    ...batches.flatMap((batch) => [
      ...submissionFaults(batch, submitted.get(batch.batch_id)),
      ...planFaults(batch, byBatch.get(batch.batch_id), sealed.get(batch.batch_id)),
      ...endFaults(batch, { decision: byBatch.get(batch.batch_id), end: ended.get(batch.batch_id), rows }),
    ]),
  ];
}

function decisionFaults(decision: Decision, event: RecordedEvent | undefined): readonly BookFault[] {
  const { batch_id: batchId, kind } = decision;
  const act = kind === 'approved' ? 'approve' : 'reject';
  if (event?.act !== act)
    return [batchFault('decision_without_record', batchId, `it is ${kind}, and the audit has no ${act}`)];
  const pairs: readonly Stored[] = [
    ['by', decision.by_name, event.actor],
    ['channel', decision.channel, event.channel],
    ['at', decision.at_ms, event.at_ms],
    ...(kind === 'approved'
      ? approvalPairs(decision, event)
      : ([['reason', decision.reason, event.detail.reason]] as const)),
  ];
  return differences(pairs).map((detail) => batchFault('decision_changed', batchId, detail));
}

function approvalPairs(decision: Decision, { detail }: RecordedEvent): readonly Stored[] {
  return [
    ['plan digest', decision.plan_digest, detail.plan_digest],
    ['total', decision.total_minor, detail.total_minor],
    ['self-approved', decision.self_approved === 1, detail.self_approved],
  ];
}

function submissionFaults(batch: Batch, event: RecordedEvent | undefined): readonly BookFault[] {
  if (!event) return [batchFault('batch_without_record', batch.batch_id, 'the audit has no submit')];
  const pairs: readonly Stored[] = [
    ['submitted by', batch.submitted_by, event.actor],
    ['submitted at', batch.submitted_ms, event.at_ms],
    ['budget', batch.budget_path, event.detail.budget],
    ['manifest', batch.manifest_name, event.detail.manifest],
    ['rows', batch.rows_in_sheet, event.detail.rows],
  ];
  return differences(pairs).map((detail) => batchFault('submission_changed', batch.batch_id, detail));
}

/** What was decided on is what was sealed last. */
function planFaults(
  batch: Batch,
  decision: Decision | undefined,
  seal: RecordedEvent | undefined,
): readonly BookFault[] {
  if (!decision && batch.state !== 'waiting') return [];
  const pairs: Stored[] = [
    ['plan digest', batch.plan_digest, seal?.detail.plan_digest],
    ['total', batch.total_minor, seal?.detail.total_minor],
  ];
  if (decision) {
    pairs.push(['decided plan digest', decision.plan_digest, batch.plan_digest]);
    pairs.push(['decided total', decision.total_minor, batch.total_minor]);
    pairs.push(['decided currency', decision.currency, batch.currency]);
  }
  return differences(pairs).map((detail) => batchFault('plan_changed', batch.batch_id, detail));
}

interface End {
  readonly decision: Decision | undefined;
  readonly end: RecordedEvent | undefined;
  /** Of every batch, by state. */
  readonly rows: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

/** A batch that was made, and is over, has a record of how it and its rows ended. */
function endFaults(batch: Batch, { decision, end, rows }: End): readonly BookFault[] {
  if (decision?.kind !== 'approved') return [];
  if (!['closed', 'canceled', 'unsettled'].includes(batch.state)) return [];
  const counts = canonicalJson(rows.get(batch.batch_id) ?? {});
  const pairs: readonly Stored[] = [
    ['state', batch.state, end?.detail.state],
    // A row of an unsettled batch may end before the batch does.
    ...(batch.state === 'unsettled' ? [] : ([['rows', counts, canonicalJson(end?.detail.rows ?? {})]] as const)),
  ];
  return differences(pairs).map((detail) => batchFault('end_without_record', batch.batch_id, detail));
}

async function rowsByState(db: Kysely<Tables>): Promise<End['rows']> {
  const counts = await db
    .selectFrom('rows')
    .select((eb) => ['batch_id', 'state', eb.fn.countAll<number>().as('count')])
    .groupBy(['batch_id', 'state'])
    .execute();
  const byBatch = new Map<string, Record<string, number>>();
  for (const { batch_id, state, count } of counts) byBatch.set(batch_id, { ...byBatch.get(batch_id), [state]: count });
  return byBatch;
}
