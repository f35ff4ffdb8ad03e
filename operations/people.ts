import type { Policy } from '../domain/policy.js';
import type { Actor, Role } from '../domain/roles.js';
import * as people from '../ledger/access/people.js';
import { setPolicy as changePolicy, type PolicyInForce, readPolicy } from '../ledger/access/policies.js';
import type { OperationDeps } from './deps.js';

/** Registers somebody; the token is told this once. The first person must be an admin, and ends working alone. */
export function addPerson(
  { ledger, clock }: OperationDeps,
  input: { readonly name: string; readonly roles: readonly Role[]; readonly actor: Actor },
): Promise<{ readonly token: string }> {
  return people.addPerson(ledger, { ...input, nowMs: clock() });
}

/** Takes effect with the next thing that they try. */
export function removePerson(
  { ledger, clock }: OperationDeps,
  input: { readonly name: string; readonly actor: Actor },
): Promise<void> {
  return people.removePerson(ledger, { ...input, nowMs: clock() });
}

/** Who is registered, by name. */
export function listPeople({ ledger }: OperationDeps): Promise<readonly people.Person[]> {
  return people.listPeople(ledger);
}

/** The rules in force, and how often they were changed. */
export function showPolicy({ ledger }: OperationDeps): Promise<PolicyInForce> {
  return readPolicy(ledger.db);
}

/** Changes rules; plans that are sealed under the old ones are sealed again before anybody approves them. */
export function setPolicy(
  { ledger, clock }: OperationDeps,
  input: { readonly change: Partial<Policy>; readonly actor: Actor },
): Promise<PolicyInForce> {
  return changePolicy(ledger, { ...input, nowMs: clock() });
}
