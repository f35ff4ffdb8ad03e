import { type Kysely, sql } from 'kysely';
import { type BatchState, openBatchStates } from '../../domain/batch-state.js';
import { type ArchiveMark, aheadOf, type LedgerMark, whyNotToOrder } from '../../domain/ledger-mark.js';
import type { Actor } from '../../domain/roles.js';
import type { Service } from '../../domain/service.js';
import { appendAudit, auditEnd } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import type { Tables } from '../database/tables.js';
import type { Ledger, Tx } from '../ledger.js';
import { keepRecovered, type Recovered } from '../plan/recovered-movies.js';

/** How far this ledger is. */
export async function ledgerMark(ledger: Ledger): Promise<LedgerMark> {
  return markOf(ledger.db);
}

async function markOf(db: Kysely<Tables>): Promise<LedgerMark> {
  const { ledger_id: ledgerId } = await db.selectFrom('ledger').select('ledger_id').executeTakeFirstOrThrow();
  const { last } = await db
    .selectFrom('entries')
    .select(sql<number>`coalesce(max(entry_id), 0)`.as('last'))
    .executeTakeFirstOrThrow();
  const { audit_length: length, audit_head: head } = await auditEnd(db);
  return { ledgerId, sequence: last, sends: await lastSend(db), audit: { length, head } };
}

/** Of batches that were archived, the sends are in a file. */
async function lastSend(db: Kysely<Tables>): Promise<number> {
  const { kept } = await db
    .selectFrom('sends')
    .select(sql<number | null>`max(send_id)`.as('kept'))
    .executeTakeFirstOrThrow();
  const { archived } = await db
    .selectFrom('archived_batches')
    .select(sql<number | null>`max(last_send)`.as('archived'))
    .executeTakeFirstOrThrow();
  return Math.max(kept ?? 0, archived ?? 0);
}

/** Why nothing is ordered from this ledger until somebody has looked; null where it may order. */
export async function haltedBecause(ledger: Ledger): Promise<string | null> {
  const { halted } = await ledger.db.selectFrom('ledger').select('halted').executeTakeFirstOrThrow();
  return halted;
}

export interface MarksToCheck {
  readonly marks: readonly ArchiveMark[];
  /** The service that would be ordered from. */
  readonly service: Service;
  readonly nowMs: number;
}

/**
 * Holds the marks of an archive against this ledger. Where the archive knows of orders that it does not, nothing is
 * ordered any more until a person has looked: movies may exist that these books would order again. That no send of an
 * order can have arrived was true when the ledger was copied; it may have been sent since, so it no longer counts. Nor
 * does it count of a row of a restored ledger that it had not been ordered.
 *
 * @returns why nothing is ordered, or null.
 */
export async function checkArchiveMarks(
  ledger: Ledger,
  { marks, service, nowMs }: MarksToCheck,
): Promise<string | null> {
  return ledger.write(
    async (tx) => {
      const { halted } = await tx.selectFrom('ledger').select('halted').executeTakeFirstOrThrow();
      if (halted !== null) return halted;
      const own = await markOf(tx);
      const reason = whyNotToOrder(own, marks, service);
      if (reason === null) return null;
      await tx.updateTable('ledger').set({ halted: reason }).execute();
      const proved = tx.updateTable('rows').where('state', '=', 'ordering').where('uncertain_sends', '=', 0);
      const { numUpdatedRows: admitted } = await proved.set({ uncertain_sends: 1 }).executeTakeFirstOrThrow();
      const uncertain = Number(admitted) + (aheadOf(own, marks) ? await doubtWaitingRows(tx) : 0);
      const actor = { name: 'greenlight', channel: 'system' } as const;
      const detail = { reason, own, archive: marks, uncertain };
      await appendAudit(tx, { atMs: nowMs, actor, act: 'halt', object: 'ledger', detail });
      return reason;
    },
    { durable: true },
  );
}

/**
 * Whatever waited when the ledger was copied may have been ordered since, whatever its batch was waiting for. The
 * service's memory of its key then began after the last thing that this ledger knows of.
 *
 * @returns how many rows.
 */
async function doubtWaitingRows(tx: Tx): Promise<number> {
  const { entry, act } = await tx
    .selectFrom('ledger')
    .select((eb) => [
      eb
        .selectFrom('entries')
        .select(sql<number | null>`max(at_ms)`.as('last'))
        .as('entry'),
      eb
        .selectFrom('audit')
        .select(sql<number | null>`max(at_ms)`.as('last'))
        .as('act'),
    ])
    .executeTakeFirstOrThrow();
  const { numUpdatedRows } = await tx
    .updateTable('rows')
    .set({ uncertain_sends: 1, first_sent_ms: Math.max(entry ?? 0, act ?? 0) })
    .where('uncertain_sends', '=', 0)
    .where((eb) => {
      const of = (states: readonly BatchState[]) =>
        eb('batch_id', 'in', eb.selectFrom('batches').select('batch_id').where('state', 'in', states));
      // What a plan without a decision leaves out now may be in it when it is made again.
      return eb.or([
        eb.and([eb('state', 'in', ['planned', 'blocked']), of(openBatchStates)]),
        eb.and([eb('state', 'in', ['left_out', 'open_elsewhere', 'unchanged']), of(['preparing', 'waiting'])]),
      ]);
    })
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

const idsAtOnce = 500;

/** Of these movies, the ones that no order of this ledger names. */
export async function moviesNotInBooks(ledger: Ledger, movieIds: readonly string[]): Promise<ReadonlySet<string>> {
  const unknown = new Set(movieIds);
  for (let from = 0; from < movieIds.length; from += idsAtOnce) {
    const known = await ledger.db
      .selectFrom('orders')
      .select('movie_id')
      .where('movie_id', 'in', movieIds.slice(from, from + idsAtOnce))
      .execute();
    for (const { movie_id } of known) if (movie_id !== null) unknown.delete(movie_id);
  }
  return unknown;
}

interface Lift {
  readonly actor: Actor;
  readonly reason: string;
  readonly nowMs: number;
  /** What the archive has and the books do not: none of it is ordered again unasked. */
  readonly recovered?: Recovered;
}

/**
 * A person has compared archive and books and takes responsibility: ordering goes on. The archive's marks are to be
 * written anew afterwards, or the next start halts again.
 *
 * @returns what was lifted; null where nothing was halted.
 */
export async function reconcileRestored(
  ledger: Ledger,
  { actor, reason, nowMs, recovered }: Lift,
): Promise<string | null> {
  const words = 'let ordering go on';
  return auditedAct(ledger, { actor, act: 'reconcile', object: 'ledger', words, nowMs }, async (tx) => {
    const { halted } = await tx.selectFrom('ledger').select('halted').executeTakeFirstOrThrow();
    if (halted === null) return null;
    await tx.updateTable('ledger').set({ halted: null }).execute();
    if (recovered) await keepRecovered(tx, recovered, nowMs);
    const detail = { reason, halted, ...(recovered && { recovered: recovered.movies.length }) };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'reconcile_restored', object: 'ledger', detail });
    return halted;
  });
}
