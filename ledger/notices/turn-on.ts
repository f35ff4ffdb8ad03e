import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { type Ledger, LedgerError } from '../ledger.js';

/**
 * Has a channel tried again at once, one that was turned off too; what it was to tell is still there.
 *
 * @throws LedgerError without the role, and for a channel that was never told anything.
 */
export async function turnOnChannel(
  ledger: Ledger,
  { channel, actor, nowMs }: { readonly channel: string; readonly actor: Actor; readonly nowMs: number },
): Promise<void> {
  const words = `turn on the notices by ${channel}`;
  await auditedAct(ledger, { actor, act: 'resume', object: channel, words, nowMs }, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('notice_channels')
      .set({ off_ms: null, not_before_ms: 0, tries: 0, failing_ms: null, error: null })
      .where('channel', '=', channel)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) {
      throw new LedgerError('bad_argument', `Cannot ${words}: there is no such channel; see greenlight doctor`);
    }
    await appendAudit(tx, { atMs: nowMs, actor, act: 'notices_on', object: channel, detail: {} });
  });
}
