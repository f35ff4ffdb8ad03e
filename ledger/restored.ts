import { type Kysely, sql } from 'kysely';
import type { Actor } from '../domain/roles.js';
import { acting } from './acting.js';
import { appendAudit } from './audit.js';
import type { Ledger } from './ledger.js';
import type { Tables } from './tables.js';

/** Which ledger filled an archive, and how far it was then. Kept beside the files. */
export interface LedgerMark {
  readonly ledgerId: string;
  /** The number of the last money entry: every admission makes one. */
  readonly sequence: number;
}

export async function ledgerMark(ledger: Ledger): Promise<LedgerMark> {
  return markOf(ledger.db);
}

async function markOf(db: Kysely<Tables>): Promise<LedgerMark> {
  const { ledger_id: ledgerId } = await db.selectFrom('ledger').select('ledger_id').executeTakeFirstOrThrow();
  const { last } = await db
    .selectFrom('entries')
    .select(sql<number>`coalesce(max(entry_id), 0)`.as('last'))
    .executeTakeFirstOrThrow();
  return { ledgerId, sequence: last };
}

/**
 * Holds the mark of an archive against this ledger. Where the archive is another ledger's, or knows of orders that
 * this one does not (it was restored from a backup), nothing is ordered until a person has looked: movies may exist
 * that these books would order again.
 *
 * @returns why nothing is ordered, or null.
 */
export async function checkArchiveMark(
  ledger: Ledger,
  { mark, nowMs }: { readonly mark: LedgerMark; readonly nowMs: number },
): Promise<string | null> {
  return ledger.write(
    async (tx) => {
      const { halted } = await tx.selectFrom('ledger').select('halted').executeTakeFirstOrThrow();
      if (halted !== null) return halted;
      const own = await markOf(tx);
      const reason = whyHalt(own, mark);
      if (reason === null) return null;
      await tx.updateTable('ledger').set({ halted: reason }).execute();
      const actor = { name: 'greenlight', channel: 'system' } as const;
      await appendAudit(tx, {
        atMs: nowMs,
        actor,
        act: 'halt',
        object: 'ledger',
        detail: { reason, own, archive: mark },
      });
      return reason;
    },
    { durable: true },
  );
}

function whyHalt(own: LedgerMark, mark: LedgerMark): string | null {
  if (mark.ledgerId !== own.ledgerId) return 'the archive belongs to another ledger';
  if (mark.sequence <= own.sequence) return null;
  return `the archive is ahead of this ledger by ${mark.sequence - own.sequence} entries: it was restored from a backup`;
}

/**
 * A person has compared archive and books and takes responsibility: ordering goes on. The archive's mark is to be
 * written anew afterwards, or the next start halts again.
 */
export async function reconcileRestored(
  ledger: Ledger,
  { actor, reason, nowMs }: { readonly actor: Actor; readonly reason: string; readonly nowMs: number },
): Promise<void> {
  await acting(ledger, { actor, act: 'reconcile', object: 'ledger', nowMs }, async (tx) => {
    const { halted } = await tx.selectFrom('ledger').select('halted').executeTakeFirstOrThrow();
    if (halted === null) return;
    await tx.updateTable('ledger').set({ halted: null }).execute();
    await appendAudit(tx, {
      atMs: nowMs,
      actor,
      act: 'reconcile_restored',
      object: 'ledger',
      detail: { reason, halted },
    });
  });
}
