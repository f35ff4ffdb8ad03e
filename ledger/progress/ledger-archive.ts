import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import type { Ledger } from '../ledger.js';

/** An archive as a ledger remembers it. */
export interface LedgerArchive {
  readonly id: string;
  /** Where it was found, for people; it may have moved. */
  readonly url: string;
}

/** The archive that this ledger's movies go to; null before its first worker. */
export async function archiveOf(ledger: Pick<Ledger, 'db'>): Promise<LedgerArchive | null> {
  const { archive_id: id, archive_url: url } = await ledger.db
    .selectFrom('ledger')
    .select(['archive_id', 'archive_url'])
    .executeTakeFirstOrThrow();
  return id === null ? null : { id, url: url ?? '' };
}

/**
 * Remembers the archive of the first worker.
 *
 * @returns the archive that the ledger remembers: this one, or the one that was there first.
 */
export async function claimArchive(ledger: Ledger, archive: LedgerArchive): Promise<LedgerArchive> {
  await ledger.write(
    (tx) =>
      tx
        .updateTable('ledger')
        .set({ archive_id: archive.id, archive_url: archive.url })
        .where((eb) => eb.or([eb('archive_id', 'is', null), eb('archive_id', '=', archive.id)]))
        .execute(),
    { durable: true },
  );
  return (await archiveOf(ledger)) ?? archive;
}

/** A person says that movies go to this archive from now on. What the other one has stays there. */
export async function useArchive(
  ledger: Ledger,
  deed: { readonly archive: LedgerArchive; readonly actor: Actor; readonly reason: string; readonly nowMs: number },
): Promise<void> {
  const { archive, actor, reason, nowMs } = deed;
  const words = 'change the archive';
  await auditedAct(ledger, { actor, act: 'reconcile', object: 'ledger', words, nowMs }, async (tx) => {
    const before = await tx.selectFrom('ledger').select(['archive_id', 'archive_url']).executeTakeFirstOrThrow();
    await tx.updateTable('ledger').set({ archive_id: archive.id, archive_url: archive.url }).execute();
    const detail = { reason, archive_id: archive.id, archive_url: archive.url, before };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'use_archive', object: 'ledger', detail });
  });
}
