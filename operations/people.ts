import { maySpend } from '../domain/four-eyes.js';
import type { Policy } from '../domain/policy.js';
import type { Actor, Role } from '../domain/roles.js';
import * as people from '../ledger/access/people.js';
import { setPolicy as changePolicy, type PolicyInForce, readPolicy, spendingRules } from '../ledger/access/policies.js';
import { type Registration, registrationOf } from '../ledger/access/registration.js';
import { sightOf } from '../ledger/access/sight.js';
import type { OperationDeps } from './deps.js';

const dayMs = 24 * 60 * 60 * 1_000;

/** How long a token is valid; null: forever. */
export interface TokenTime {
  readonly tokenDays: number | null;
}

/**
 * Registers somebody; the token is returned only once. The first person must be an admin, and ends working alone.
 *
 * @throws LedgerError without the role, and for an invalid name or role.
 */
export function addPerson(
  { ledger, clock }: OperationDeps,
  input: { readonly name: string; readonly roles: readonly Role[]; readonly actor: Actor } & Partial<TokenTime>,
): Promise<{ readonly token: string; readonly expiresAtMs: number | null }> {
  const { tokenDays = null, ...person } = input;
  return withEnd(clock(), tokenDays, (times) => people.addPerson(ledger, { ...person, ...times }));
}

/** Takes effect with the person's next request. */
export function removePerson(
  { ledger, clock }: OperationDeps,
  input: { readonly name: string; readonly actor: Actor },
): Promise<void> {
  return people.removePerson(ledger, { ...input, nowMs: clock() });
}

/**
 * Gives somebody a new token and invalidates the old one. Everybody may renew their own.
 *
 * @throws LedgerError for somebody else's token without the role, and for an unknown name.
 */
export function renewToken(
  { ledger, clock }: OperationDeps,
  { tokenDays, ...person }: { readonly name: string; readonly actor: Actor } & TokenTime,
): Promise<{ readonly token: string; readonly expiresAtMs: number | null }> {
  return withEnd(clock(), tokenDays, (times) => people.renewToken(ledger, { ...person, ...times }));
}

async function withEnd(
  nowMs: number,
  tokenDays: number | null,
  give: (times: { readonly nowMs: number; readonly tokenExpiresAtMs: number | null }) => Promise<{ token: string }>,
): Promise<{ readonly token: string; readonly expiresAtMs: number | null }> {
  const expiresAtMs = tokenDays === null ? null : nowMs + tokenDays * dayMs;
  return { ...(await give({ nowMs, tokenExpiresAtMs: expiresAtMs })), expiresAtMs };
}

export interface Registered {
  /** By name. */
  readonly people: readonly people.Person[];
  /** What somebody without a token may do here. */
  readonly registration: Registration;
}

/** Who is registered. Anybody who can open the ledger may know: these are the people to ask. */
export async function listPeople({ ledger }: Pick<OperationDeps, 'ledger'>): Promise<Registered> {
  return { people: await people.listPeople(ledger), registration: await registrationOf(ledger.db) };
}

export interface WhoIAm {
  readonly actor: Actor;
  readonly registration: Registration;
  /** Expiry of the token used. */
  readonly expiresAtMs: number | null;
}

/** The person as recorded now. */
export async function whoAmI({ ledger }: Pick<OperationDeps, 'ledger'>, actor: Actor): Promise<WhoIAm> {
  const { people: registered, registration } = await listPeople({ ledger });
  const person = registered.find(({ name }) => name === actor.name);
  return { actor, registration, expiresAtMs: person?.tokenExpiresAtMs ?? null };
}

/** Who may approve a batch now. */
export interface Deciders {
  readonly isActor: boolean;
  /** Other registered people who may, by name. */
  readonly others: readonly string[];
}

/** By their roles and the rule of four eyes, whatever the budget has available. */
export async function whoApproves(
  { ledger }: Pick<OperationDeps, 'ledger'>,
  { submittedBy, actor }: { readonly submittedBy: string; readonly actor: Actor },
): Promise<Deciders> {
  const rules = await spendingRules(ledger.db);
  const may = (one: Actor) => maySpend(one, { act: 'approve', askedBy: submittedBy, rules }).allowed;
  const others = (await people.listPeople(ledger)).filter(
    ({ name, roles }) => name !== actor.name && may({ name, roles, channel: 'terminal' }),
  );
  return { isActor: may(actor), others: others.map(({ name }) => name) };
}

/** The rules in force, and how often they were changed; for everybody with any role. */
export async function showPolicy(
  { ledger }: OperationDeps,
  { actor }: { readonly actor: Actor },
): Promise<PolicyInForce> {
  await sightOf(ledger.db, actor);
  return readPolicy(ledger.db);
}

/** Changes rules; plans sealed under the old ones are sealed again before they can be approved. */
export function setPolicy(
  { ledger, clock }: OperationDeps,
  input: { readonly change: Partial<Policy>; readonly actor: Actor },
): Promise<PolicyInForce> {
  return changePolicy(ledger, { ...input, nowMs: clock() });
}
