import { type Act, type Actor, mayAct, rolesFor } from './roles.js';

export interface SpendingRules {
  /** One person works alone: only on an embedded ledger where nobody was ever registered. */
  readonly solo: boolean;
  /** Who set or changed the amount that policy approves below, since it was last `none`. */
  readonly policyBy: readonly string[];
  /** Where people are registered, whether all of those are or were. */
  readonly policyIsTheirs: boolean;
}

export type Permission =
  | { readonly allowed: true; readonly selfApproved: boolean }
  | { readonly allowed: false; readonly reason: string };

/**
 * Four eyes: whoever asked for money to be spent does not also release it, whatever else they may do. Every door that
 * can start spending asks here, inside the transaction that opens it.
 *
 * 1. The approver is not the submitter, and has the role.
 * 2. Who works alone may approve their own plan, at the terminal or at a page of this machine that the terminal opened
 *    for them; it is recorded so.
 * 3. Policy releases nothing for somebody who had a hand in its amount: neither who set it nor who changed it since it
 *    was last `none`. Where people are registered, an amount that somebody else left behind counts for nobody.
 */
export function maySpend(
  actor: Actor,
  { act, askedBy, rules }: { readonly act: Act; readonly askedBy: string; readonly rules: SpendingRules },
): Permission {
  if (!mayAct(actor, act)) return { allowed: false, reason: `${rolesFor(act).join(' or ')} may, you may not` };
  if (actor.channel === 'policy') return policyMaySpend(askedBy, rules);
  if (actor.name !== askedBy) return { allowed: true, selfApproved: false };
  if (rules.solo && (actor.channel === 'terminal' || actor.alone)) return { allowed: true, selfApproved: true };
  const elsewhere = rules.solo ? ' at the terminal' : '';
  return {
    allowed: false,
    reason: `you submitted it yourself; someone else with the role ${rolesFor(act).join(' or ')} may${elsewhere}`,
  };
}

function policyMaySpend(askedBy: string, { solo, policyBy, policyIsTheirs }: SpendingRules): Permission {
  if (solo) return { allowed: true, selfApproved: false };
  if (policyBy.includes(askedBy)) {
    return { allowed: false, reason: `${askedBy} set or changed the amount that policy approves below` };
  }
  if (!policyIsTheirs) {
    return { allowed: false, reason: 'nobody who is registered set the amount that policy approves below' };
  }
  return { allowed: true, selfApproved: false };
}
