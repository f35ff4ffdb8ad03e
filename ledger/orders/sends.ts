import type { CreateAnswer } from '../../domain/answers/create-answer.js';
import { prepared } from '../database/prepared-query.js';
import type { Tx } from '../ledger.js';
import type { SendOf } from '../money/orders.js';

interface NewSend extends SendOf {
  readonly batchId: string;
  readonly nowMs: number;
}

const insertSend = prepared((db, { lineageNo, rowKey, attempt, batchId, nowMs }: NewSend) =>
  db
    .insertInto('sends')
    .values({
      ...{ lineage_no: lineageNo, row_key: rowKey, attempt, batch_id: batchId, at_ms: nowMs },
      ...{ answered_ms: null, answer: null, request_id: null },
    })
    .returning('send_id'),
);

/** Counts a send before it leaves. @returns its number. */
export async function countSend(tx: Tx, send: NewSend): Promise<number> {
  const [counted] = await insertSend(tx, send);
  if (counted) return counted.send_id;
  throw new Error(`Cannot count a send of ${send.batchId} ${send.rowKey}: the database gave it no number`);
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
  readonly nowMs: number;
}

const writeAnswer = prepared((db, { send, answer, requestId, nowMs }: SendAnswer) =>
  db
    .updateTable('sends')
    .set({ answered_ms: nowMs, answer, request_id: requestId })
    .where('send_id', '=', send)
    .where('answered_ms', 'is', null),
);

export interface NoteAnswer extends SendOf, Omit<SendAnswer, 'send'> {
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
  if (send !== undefined) await writeAnswer(tx, { send, answer, requestId, nowMs });
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
