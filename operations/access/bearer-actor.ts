import type { Actor } from '../../domain/roles.js';
import { registrationOf } from '../../ledger/access/registration.js';
import { holderOf, recordRefusedToken } from '../../ledger/access/tokens.js';
import type { OperationDeps } from '../deps.js';

export type Bearer =
  | { readonly kind: 'person'; readonly actor: Actor; readonly expiresAtMs: number | null }
  /** The token belongs to nobody, or nobody is registered. */
  | { readonly kind: 'unknown' | 'nobody registered' }
  | { readonly kind: 'removed' | 'expired' };

/** The form of tokens from `newToken`; others are not looked up. */
const tokenShape = /^glt_[A-Za-z0-9_-]{32}$/;

/**
 * Finds who acts through a program: the person whose token it sends, with their current roles. An attempt with an
 * invalid token is audited.
 *
 * @param from the address of the caller
 */
export async function bearerActor(
  { ledger, clock }: Pick<OperationDeps, 'ledger' | 'clock'>,
  { token, from }: { readonly token: string; readonly from: string },
): Promise<Bearer> {
  if (!tokenShape.test(token)) return { kind: 'unknown' };
  const nowMs = clock();
  const holder = await holderOf(ledger, token, nowMs);
  if (holder.kind === 'person') {
    const { name, roles, expiresAtMs } = holder;
    return { kind: 'person', actor: { name, roles, channel: 'web' }, expiresAtMs };
  }
  await recordRefusedToken(ledger, { holder, account: from, nowMs });
  if (holder.kind !== 'nobody') return { kind: holder.kind };
  return { kind: (await registrationOf(ledger.db)) === 'people' ? 'unknown' : 'nobody registered' };
}
