export const roles = ['submitter', 'operator', 'finance', 'auditor', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Who acts, and through which door. */
export interface Actor {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly channel: 'terminal' | 'web' | 'policy' | 'system';
  /** Has their roles because nobody was ever registered in the ledger; void as soon as somebody is. */
  readonly alone?: boolean;
}

/**
 * Who may do what. `admin` decides on people and policy and on nothing that costs money; `auditor` only looks.
 * Who retries becomes the submitter of a new plan, which somebody else has to approve.
 */
const mayDo = {
  submit: ['submitter'],
  cancel: ['operator'],
  pause: ['operator'],
  resume: ['operator'],
  continue: ['operator'],
  retry: ['operator'],
  refetch: ['operator'],
  approve: ['finance'],
  reject: ['finance'],
  budget: ['finance'],
  reconcile: ['finance'],
  resolve: ['finance'],
  verify: ['auditor', 'finance', 'admin'],
  see_all: ['operator', 'finance', 'auditor'],
  people: ['admin'],
  policy: ['admin'],
} as const satisfies Record<string, readonly Role[]>;

/** What a role may do beyond that to a batch that the person submitted. Ending their own stop is not theirs. */
const mayDoToOwn: Partial<Record<Act, readonly Role[]>> = {
  cancel: ['submitter'],
  pause: ['submitter'],
};

export type Act = keyof typeof mayDo;
export const acts = Object.keys(mayDo) as readonly Act[]; // the keys of the table above

export function rolesFor(act: Act): readonly Role[] {
  return mayDo[act];
}

/** As `the finance or admin role`. */
export function roleWords(act: Act): string {
  return `the ${rolesFor(act).join(' or ')} role`;
}

/** The product itself (`system`) may stop and cancel, never spend; `policy` approves where its rules say so. */
export function mayAct(actor: Actor, act: Act): boolean {
  if (actor.channel === 'system') return act === 'cancel' || act === 'pause';
  if (actor.channel === 'policy') return act === 'approve';
  return rolesFor(act).some((role) => actor.roles.includes(role));
}

/** Whether the role is enough for a batch that the person submitted. */
export function mayActOnOwn(actor: Actor, act: Act): boolean {
  return (mayDoToOwn[act] ?? []).some((role) => actor.roles.includes(role));
}

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
 * 2. Who works alone may approve their own plan, at the terminal; it is recorded so.
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
  if (rules.solo && actor.channel === 'terminal') return { allowed: true, selfApproved: true };
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
