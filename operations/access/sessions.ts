import type { Actor } from '../../domain/roles.js';
import { type CompanyIdentity, signInByCompany as enterByCompany } from '../../ledger/access/company-sign-in.js';
import * as signIn from '../../ledger/access/sign-in.js';
import { recordRefusedToken } from '../../ledger/access/tokens.js';
import type { OperationDeps } from '../deps.js';

type Deps = Pick<OperationDeps, 'ledger' | 'clock'>;

/** Makes a code that signs somebody in once; people make their own, admins anybody's. */
export function giveSignInCode(
  { ledger, clock }: Deps,
  input: { readonly name: string; readonly actor: Actor },
): Promise<signIn.SignInCode> {
  return signIn.giveSignInCode(ledger, { ...input, nowMs: clock() });
}

/** Null for an invalid or expired code; the attempt is audited, at most once a minute. */
export async function signInByCode(
  { ledger, clock }: Deps,
  { code, from }: { readonly code: string; readonly from: string },
): Promise<signIn.NewSession | null> {
  const nowMs = clock();
  const session = await signIn.signInByCode(ledger, { code, nowMs });
  if (!session) await recordRefusedToken(ledger, { holder: { kind: 'nobody' }, account: `browser at ${from}`, nowMs });
  return session;
}

/** Null when nobody is registered under the address that the provider confirms. */
export function signInByCompany({ ledger, clock }: Deps, identity: CompanyIdentity): Promise<signIn.NewSession | null> {
  return enterByCompany(ledger, { ...identity, nowMs: clock() });
}

/** A person at a browser, and since when. */
export interface WebSession {
  readonly actor: Actor;
  readonly sinceMs: number;
  /** When they proved who they are; null if unknown. */
  readonly provedMs: number | null;
}

/** The person of a session as recorded now; null when it ended or they were removed. */
export async function personBehind({ ledger, clock }: Deps, id: string): Promise<WebSession | null> {
  const person = await signIn.personBehind(ledger, { id, nowMs: clock() });
  if (!person) return null;
  const { name, roles, alone, sinceMs, provedMs } = person;
  return { actor: { name, roles, channel: 'web', ...(alone && { alone }) }, sinceMs, provedMs };
}

export async function signOut({ ledger }: Deps, id: string): Promise<void> {
  await signIn.endSession(ledger, { id });
}
