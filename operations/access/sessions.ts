import type { Actor } from '../../domain/roles.js';
import { type CompanyIdentity, signInByCompany as enterByCompany } from '../../ledger/access/company-sign-in.js';
import * as signIn from '../../ledger/access/sign-in.js';
import { recordRefusedToken } from '../../ledger/access/tokens.js';
import type { OperationDeps } from '../deps.js';

type Deps = Pick<OperationDeps, 'ledger' | 'clock'>;

/** A code that signs somebody in once; for oneself, or for anybody by an admin. */
export function giveSignInCode(
  { ledger, clock }: Deps,
  input: { readonly name: string; readonly actor: Actor },
): Promise<signIn.SignInCode> {
  return signIn.giveSignInCode(ledger, { ...input, nowMs: clock() });
}

/** Null for a code that is not good, or no more; the try is audited, once a minute at most. */
export async function signInByCode(
  { ledger, clock }: Deps,
  { code, from }: { readonly code: string; readonly from: string },
): Promise<signIn.NewSession | null> {
  const nowMs = clock();
  const session = await signIn.signInByCode(ledger, { code, nowMs });
  if (!session) await recordRefusedToken(ledger, { holder: { kind: 'nobody' }, account: `browser at ${from}`, nowMs });
  return session;
}

/** Null where nobody is registered under the address that a provider vouches for. */
export function signInByCompany({ ledger, clock }: Deps, identity: CompanyIdentity): Promise<signIn.NewSession | null> {
  return enterByCompany(ledger, { ...identity, nowMs: clock() });
}

/** Somebody at a browser, and since when. */
export interface WebSession {
  readonly actor: Actor;
  readonly sinceMs: number;
  /** When they proved who they are; null where it is not known. */
  readonly provedMs: number | null;
}

/** The person of a session as the books see them now; null where it ended or they were removed. */
export async function personBehind({ ledger, clock }: Deps, id: string): Promise<WebSession | null> {
  const person = await signIn.personBehind(ledger, { id, nowMs: clock() });
  if (!person) return null;
  const { name, roles, alone, sinceMs, provedMs } = person;
  return { actor: { name, roles, channel: 'web', ...(alone && { alone }) }, sinceMs, provedMs };
}

export async function signOut({ ledger }: Deps, id: string): Promise<void> {
  await signIn.endSession(ledger, { id });
}
