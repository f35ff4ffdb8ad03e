import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import type { RowRecord } from '../batches/row-record.js';
import { readRowRecord } from '../batches/row-record.js';
import type { ClassDetail } from '../batches/rows.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { orderedLater } from './ordered-later.js';
import { findShareLink } from './share-links.js';

export type ReviewVerdict = 'ok' | 'redo';

export interface Review {
  readonly verdict: ReviewVerdict;
  readonly note: string | null;
  readonly by: string;
  readonly atMs: number;
}

export interface ReviewRequest {
  readonly batchId: string;
  readonly rowKey: string;
  readonly verdict: ReviewVerdict;
  /** What is to be other; a redo needs it. */
  readonly note: string | null;
  readonly actor: Actor;
  readonly nowMs: number;
}

const mostNote = 2_000;

/**
 * Says of a delivered movie that it is good, or to be made again. Orders nothing and costs nothing: a movie marked redo
 * may be planned again, and that plan is priced and approved like any other. Repeated, it changes nothing.
 *
 * @returns what now stands.
 * @throws LedgerError for a row without a movie, a redo that does not say why, and a movie that was ordered again since.
 */
export function reviewMovie(ledger: Ledger, request: ReviewRequest): Promise<Review> {
  const { actor, batchId, nowMs } = request;
  return auditedAct(ledger, { actor, act: 'review', object: batchId, nowMs }, (tx) => review(tx, request));
}

export interface GuestReview extends Omit<ReviewRequest, 'batchId' | 'actor'> {
  /** Of the link that they came by. */
  readonly token: string;
  /** As they call themselves. */
  readonly guest: string;
}

/** The same by somebody who has a link and no account. @throws LedgerError also for a link that opens nothing. */
export function reviewAsGuest(ledger: Ledger, { token, guest, ...request }: GuestReview): Promise<Review> {
  return ledger.write(
    async (tx) => {
      const link = await findShareLink(tx, { token, nowMs: request.nowMs });
      if (!link) throw new LedgerError('not_allowed', 'Cannot review: the link has expired or was revoked');
      // In brackets, which no name of a person has: nobody reads it as theirs.
      const actor: Actor = { name: `${cleanName(guest)} (link of ${link.by})`, roles: [], channel: 'web' };
      return review(tx, { ...request, batchId: link.batchId, actor });
    },
    { durable: true },
  );
}

function cleanName(guest: string): string {
  return (
    guest
      .replaceAll(/[^\p{L}\p{N} ._-]/gu, '')
      .trim()
      .slice(0, 60) || 'guest'
  );
}

async function review(tx: Tx, request: ReviewRequest): Promise<Review> {
  const { verdict, actor, nowMs } = request;
  const note = request.note?.trim() || null;
  assertNote(request, note);
  const row = await deliveredRow(tx, request);
  const place = { batch_id: row.batch_id, row_key: row.row_key };
  const before = await tx
    .selectFrom('reviews')
    .selectAll()
    .where('batch_id', '=', row.batch_id)
    .where('row_key', '=', row.row_key)
    .executeTakeFirst();
  if (before?.verdict === verdict && before.note === note) {
    return { verdict, note, by: before.by_name, atMs: before.at_ms };
  }
  const values = { verdict, note, by_name: actor.name, at_ms: nowMs };
  await tx
    .insertInto('reviews')
    .values({ ...place, ...values })
    .onConflict((conflict) => conflict.columns(['batch_id', 'row_key']).doUpdateSet(values))
    .execute();
  const detail = { row: row.row_key, verdict, note, before: before?.verdict ?? null };
  await appendAudit(tx, { atMs: nowMs, actor, act: 'review', object: row.batch_id, detail });
  return { verdict, note, by: actor.name, atMs: nowMs };
}

function assertNote({ batchId, rowKey, verdict }: ReviewRequest, note: string | null): void {
  const cannot = (why: string) => new LedgerError('bad_argument', `Cannot review ${batchId} ${rowKey}: ${why}`);
  if (verdict === 'redo' && note === null) throw cannot('say what is to be other');
  if (note !== null && note.length > mostNote) throw cannot(`the note has more than ${mostNote} characters`);
}

/** The row that has the movie: of an unchanged one, where it was delivered. */
async function deliveredRow(tx: Tx, { batchId, rowKey }: ReviewRequest): Promise<RowRecord> {
  const shown = await readRowRecord(tx, { batchId, rowKey });
  const of = shown.state === 'unchanged' && shown.class_of ? (JSON.parse(shown.class_of) as ClassDetail) : null;
  const row = of ? await readRowRecord(tx, { batchId: of.batchId, rowKey: of.rowKey ?? rowKey }) : shown;
  const cannot = (why: string) => new LedgerError('wrong_state', `Cannot review ${batchId} ${rowKey}: ${why}`);
  if (row.state !== 'delivered') throw cannot(`it has no movie, it is ${row.state.replaceAll('_', ' ')}`);
  const again = await tx
    .selectFrom('rows')
    .select('row_key')
    .where('batch_id', '=', row.batch_id)
    .where('row_key', '=', row.row_key)
    .where((eb) => orderedLater(eb))
    .executeTakeFirst();
  if (again) throw cannot('it was ordered again since; review that movie');
  return row;
}
