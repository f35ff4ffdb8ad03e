import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../../ledger/access/audit.js';
import type { OperationDeps } from '../deps.js';

/** Records that an approval was attempted by a browser whose sign-in is too old. It decides nothing. */
export async function recordStaleSignIn(
  { ledger, clock }: Pick<OperationDeps, 'ledger' | 'clock'>,
  { batchId, actor }: { readonly batchId: string; readonly actor: Actor },
): Promise<void> {
  const detail = { code: 'stale_sign_in', reason: `${actor.name} has to sign in again before this amount` };
  const record = { atMs: clock(), actor, act: 'approve_refused', object: batchId, detail };
  await ledger.write((tx) => appendAudit(tx, record), { durable: true });
}
