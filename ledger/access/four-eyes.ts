import type { Kysely } from 'kysely';
import { maySpend, type Permission } from '../../domain/four-eyes.js';
import type { Act, Actor } from '../../domain/roles.js';
import type { Tables } from '../database/tables.js';
import { LedgerError, type Tx } from '../ledger.js';
import { spendingRules } from './policies.js';

/** A door that lets money be spent. */
export interface SpendingDoor {
  readonly actor: Actor;
  readonly act: Act;
  /** Who asked for the money. */
  readonly askedBy: string;
}

/**
 * Four eyes (the rule: `maySpend`). Every door that can start spending asks here, inside the transaction that opens it;
 * the answer says also whether somebody releases their own request, which solo work allows and records.
 */
export async function mayOpen(tx: Kysely<Tables>, { actor, act, askedBy }: SpendingDoor): Promise<Permission> {
  return maySpend(actor, { act, askedBy, rules: await spendingRules(tx) });
}

/**
 * @returns whether it is a self-approval.
 * @throws LedgerError of code `not_allowed`.
 */
export async function assertMayOpen(tx: Tx, door: SpendingDoor, what: string): Promise<boolean> {
  const permission = await mayOpen(tx, door);
  if (permission.allowed) return permission.selfApproved;
  throw new LedgerError('not_allowed', `Cannot ${door.act} ${what}: ${permission.reason}`);
}
