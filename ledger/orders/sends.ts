import { sql } from 'kysely';
import type { CreateAnswer } from '../../domain/answers/create-answer.js';
import { type ColumnOf, insertReturning } from '../database/insert-many.js';
import { amongRecords } from '../database/json-records.js';
import { prepared, preparedForMany } from '../database/prepared-query.js';
import type { Tx } from '../ledger.js';
import type { SendOf } from '../money/orders.js';

interface NewSend extends SendOf {
  readonly batchId: string;
  readonly nowMs: number;
}

const sendColumns: readonly ColumnOf<NewSend>[] = [
  ['lineage_no', 'int', ({ lineageNo }) => lineageNo],
  ['row_key', 'text', ({ rowKey }) => rowKey],
  ['attempt', 'int', ({ attempt }) => attempt],
  ['batch_id', 'text', ({ batchId }) => batchId],
  ['at_ms', 'int', ({ nowMs }) => nowMs],
  ['answered_ms', null],
  ['answer', null],
  ['request_id', null],
];

/** Counts sends of one lineage before they leave, one of a row. @returns their numbers, in the order of the sends. */
export async function countSends(tx: Tx, sends: readonly NewSend[]): Promise<readonly number[]> {
  const counted = await insertReturning<NewSend, { readonly send_id: number; readonly row_key: string }>(tx, 'sends', {
    ...{ rows: sends, columns: sendColumns, returning: 'send_id, row_key' },
  });
  const numbers = new Map(counted.map(({ send_id, row_key }) => [row_key, send_id]));
  return sends.map(({ batchId, rowKey }) => {
    const number = numbers.get(rowKey);
    if (number !== undefined) return number;
    throw new Error(`Cannot count a send of ${batchId} ${rowKey}: the database gave it no number`);
  });
}

const sendsOf = prepared((db, { lineageNo, rowKey, attempt }: SendOf) =>
  db
    .selectFrom('sends')
    .select(['send_id', 'answered_ms', 'answer'])
    .where('lineage_no', '=', lineageNo)
    .where('row_key', '=', rowKey)
    .where('attempt', '=', attempt)
    .orderBy('send_id', 'desc'),
);

interface SendAnswer {
  readonly send: number;
  readonly answer: string;
  readonly requestId: string | null;
}

const writeAnswers = preparedForMany<
  { readonly send_id: number; readonly said: string; readonly request: string | null },
  { readonly nowMs: number },
  unknown
>(
  { send_id: 'int', said: 'text', request: 'text' },
  (db, { nowMs }) => sql`
    update sends set answered_ms = ${nowMs}, answer = own.said, request_id = own.request from own
    where sends.send_id = own.send_id and sends.answered_ms is null
      and ${amongRecords(db, 'sends.send_id', 'send_id')}`,
);

/** Keeps answers with their sends; the first one of a send stays. */
export async function noteAnswers(tx: Tx, answers: readonly SendAnswer[], nowMs: number): Promise<void> {
  const records = answers.map(({ send, answer, requestId }) => ({ send_id: send, said: answer, request: requestId }));
  await writeAnswers(tx, records, { nowMs });
}

export interface NoteAnswer extends SendOf, Omit<SendAnswer, 'send'> {
  readonly nowMs: number;
  /** Without it, the newest send of the order that has no answer. */
  readonly send: number | undefined;
}

/** Keeps the answer with its send. @returns how many sends the order has had that were not held back. */
export async function noteAnswer(
  tx: Tx,
  { send: named, answer, requestId, nowMs, ...of }: NoteAnswer,
): Promise<number> {
  const sends = await sendsOf(tx, of);
  const send = named ?? sends.find(({ answered_ms }) => answered_ms === null)?.send_id;
  if (send !== undefined) await noteAnswers(tx, [{ send, answer, requestId }], nowMs);
  const withheld = sends.filter((each) => isWithheld(each.send_id === send ? answer : each.answer));
  return sends.length - withheld.length;
}

function isWithheld(answer: string | null): boolean {
  return answer !== null && (JSON.parse(answer) as CreateAnswer).kind === 'withheld'; // written by recordAnswer
}

/** Whether the service itself answered a send of the order with this movie. */
export async function namedByService(tx: Tx, order: SendOf, movieId: string): Promise<boolean> {
  const sends = await sendsOf(tx, order);
  return sends.some(({ answer }) => {
    const said = answer === null ? null : (JSON.parse(answer) as CreateAnswer); // written by recordAnswer
    return said?.kind === 'movie' && said.movieId === movieId;
  });
}
