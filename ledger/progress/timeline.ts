import type { Kysely } from 'kysely';
import type { CreateAnswer } from '../../domain/answers/create-answer.js';
import { type RowState, terminalStates } from '../../domain/row-state.js';
import type { Tables } from '../database/tables.js';

/** Something that the books have of a batch, at its time. */
export type TimelineItem = { readonly key: string; readonly atMs: number } & (
  | {
      readonly kind: 'act';
      readonly actor: string;
      readonly act: string;
      readonly detail: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'answer';
      readonly rowKey: string;
      readonly answer: CreateAnswer;
      readonly requestId: string | null;
    }
  | {
      readonly kind: 'end';
      readonly rowKey: string;
      readonly state: RowState;
      readonly reason: string | null;
      readonly verdict: string | null;
    }
);

export interface TimelinePage {
  /** Only what happened at or after this. */
  readonly fromMs?: number;
  readonly order: 'oldest first' | 'newest first';
  /** Items of each kind. */
  readonly limit: number;
}

/** What happened to a batch, in the order that is asked for: acts, answers to orders, ends of rows. */
export async function timeline(
  db: Kysely<Tables>,
  batchId: string,
  { fromMs = 0, order, limit }: TimelinePage,
): Promise<readonly TimelineItem[]> {
  const way = order === 'oldest first' ? 'asc' : 'desc';
  const acts = await db
    .selectFrom('audit')
    .select(['seq', 'at_ms', 'actor', 'act', 'detail'])
    .where('object', '=', batchId)
    .where('at_ms', '>=', fromMs)
    .orderBy('at_ms', way)
    .orderBy('seq', way)
    .limit(limit)
    .execute();
  const answers = await db
    .selectFrom('sends')
    .select(['send_id', 'row_key', 'answered_ms', 'answer', 'request_id'])
    // By the lineage first, which has an index.
    .where('lineage_no', '=', (eb) => eb.selectFrom('batches').select('lineage_no').where('batch_id', '=', batchId))
    .where('batch_id', '=', batchId)
    .where('answered_ms', '>=', fromMs)
    .orderBy('answered_ms', way)
    .orderBy('send_id', way)
    .limit(limit)
    .execute();
  const ends = await db
    .selectFrom('rows')
    .select(['row_key', 'ended_ms', 'state', 'reason', 'verdict'])
    .where('batch_id', '=', batchId)
    .where('state', 'in', [...terminalStates])
    .where('ended_ms', '>=', fromMs)
    .orderBy('ended_ms', way)
    .orderBy('position', way)
    .limit(limit)
    .execute();
  const items: TimelineItem[] = [
    ...acts.map(({ seq, at_ms, actor, act, detail }) => ({
      ...({ kind: 'act', key: `act ${seq}`, atMs: at_ms, actor, act } as const),
      detail: JSON.parse(detail) as Record<string, unknown>, // written by appendAudit
    })),
    ...answers.map(({ send_id, row_key, answered_ms, answer, request_id }) => ({
      ...({ kind: 'answer', key: `answer ${send_id}`, atMs: answered_ms ?? 0, rowKey: row_key } as const),
      ...{ answer: JSON.parse(answer ?? '{"kind":"lost"}') as CreateAnswer, requestId: request_id }, // by recordAnswer
    })),
    ...ends.map(({ row_key, ended_ms, state, reason, verdict }) => ({
      ...({ kind: 'end', key: `end ${row_key} ${state}`, atMs: ended_ms ?? 0, rowKey: row_key } as const),
      ...{ state, reason, verdict },
    })),
  ];
  const sign = order === 'oldest first' ? 1 : -1;
  return items.sort((one, other) => sign * (one.atMs - other.atMs || rank[one.kind] - rank[other.kind]));
}

/** Of one moment: an answer comes before the end that it brings. */
const rank = { act: 0, answer: 1, end: 2 } as const;
