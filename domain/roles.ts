export const roles = ['submitter', 'operator', 'finance', 'auditor', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Who acts, and through which door. */
export interface Actor {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly channel: 'terminal' | 'web' | 'policy' | 'system';
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

export type Act = keyof typeof mayDo;
export const acts = Object.keys(mayDo) as readonly Act[]; // the keys of the table above

export function rolesFor(act: Act): readonly Role[] {
  return mayDo[act];
}

/** The product itself (`system`) may stop and cancel, never spend; `policy` approves where its rules say so. */
export function mayAct(actor: Actor, act: Act): boolean {
  if (actor.channel === 'system') return act === 'cancel' || act === 'pause';
  if (actor.channel === 'policy') return act === 'approve';
  return rolesFor(act).some((role) => actor.roles.includes(role));
}

export interface SpendingRules {
  /** One person works alone: only on an embedded ledger where nobody is registered. */
  readonly solo: boolean;
}

export type Permission =
  | { readonly allowed: true; readonly selfApproved: boolean }
  | { readonly allowed: false; readonly reason: string };

/**
 * Four eyes: whoever asked for money to be spent does not also release it, whatever else they may do. Every door that
 * can start spending asks here, inside the transaction that opens it.
 */
export function maySpend(
  actor: Actor,
  { act, askedBy, rules }: { readonly act: Act; readonly askedBy: string; readonly rules: SpendingRules },
): Permission {
  if (!mayAct(actor, act)) return { allowed: false, reason: `${rolesFor(act).join(' or ')} may, you may not` };
  if (actor.name !== askedBy) return { allowed: true, selfApproved: false };
  if (rules.solo && actor.channel === 'terminal') return { allowed: true, selfApproved: true };
  const elsewhere = rules.solo ? ' at the terminal' : '';
  return {
    allowed: false,
    reason: `you asked for it yourself; somebody else with the role ${rolesFor(act).join(' or ')} may${elsewhere}`,
  };
}
