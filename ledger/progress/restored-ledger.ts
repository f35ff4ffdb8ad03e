import { type Kysely, sql } from 'kysely';
import { type ArchiveMark, type LedgerMark, whyNotToOrder } from '../../domain/ledger-mark.js';
import type { Actor } from '../../domain/roles.js';
import type { Service } from '../../domain/service.js';
import { appendAudit, auditEnd } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import type { Tables } from '../database/tables.js';
import type { Ledger } from '../ledger.js';

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
  return { ledgerId, sequence: last, audit: { length, head } };
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
 * order can have arrived was true when the ledger was copied; it may have been sent since, so it no longer counts.
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
      const { numUpdatedRows } = await proved.set({ uncertain_sends: 1 }).executeTakeFirstOrThrow();
      const actor = { name: 'greenlight', channel: 'system' } as const;
      const detail = { reason, own, archive: marks, uncertain: Number(numUpdatedRows) };
      await appendAudit(tx, { atMs: nowMs, actor, act: 'halt', object: 'ledger', detail });
      return reason;
    },
    { durable: true },
  );
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

/**
 * A person has compared archive and books and takes responsibility: ordering goes on. The archive's marks are to be
 * written anew afterwards, or the next start halts again.
 *
 * @returns what was lifted; null where nothing was halted.
 */
export async function reconcileRestored(
  ledger: Ledger,
  { actor, reason, nowMs }: { readonly actor: Actor; readonly reason: string; readonly nowMs: number },
): Promise<string | null> {
  const words = 'let ordering go on';
  return auditedAct(ledger, { actor, act: 'reconcile', object: 'ledger', words, nowMs }, async (tx) => {
    const { halted } = await tx.selectFrom('ledger').select('halted').executeTakeFirstOrThrow();
    if (halted === null) return null;
    await tx.updateTable('ledger').set({ halted: null }).execute();
    const detail = { reason, halted };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'reconcile_restored', object: 'ledger', detail });
    return halted;
  });
}
