import type { Actor } from '../../domain/roles.js';
import { registrationOf } from '../../ledger/access/registration.js';
import { holderOf, recordRefusedToken } from '../../ledger/access/tokens.js';
import type { OperationDeps } from '../deps.js';

export type Bearer =
  | { readonly kind: 'person'; readonly actor: Actor; readonly expiresAtMs: number | null }
  /** The token never was anybody's, or nobody is registered who could have one. */
  | { readonly kind: 'unknown' | 'nobody registered' }
  | { readonly kind: 'removed' | 'expired' };

/** As `newToken` makes them; what does not look so is not looked up. */
const tokenShape = /^glt_[A-Za-z0-9_-]{32}$/;

/**
 * Who acts by a program: the person whose token it sends, with the roles that they have now. A try with a token that
 * opens nothing is audited.
 *
 * @param from the address that it came from
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
