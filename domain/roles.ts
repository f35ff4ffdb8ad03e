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
  limits: ['operator'],
  retry: ['operator'],
  refetch: ['operator'],
  approve: ['finance'],
  reject: ['finance'],
  budget: ['finance'],
  reconcile: ['finance'],
  resolve: ['finance'],
  review: ['operator'],
  share: ['operator'],
  verify: ['auditor', 'finance', 'admin'],
  health: ['operator', 'admin'],
  see_all: ['operator', 'finance', 'auditor'],
  people: ['admin'],
  policy: ['admin'],
  archive: ['admin'],
} as const satisfies Record<string, readonly Role[]>;

/** What a role may do beyond that to a batch that the person submitted. Ending their own stop is not theirs. */
const mayDoToOwn: Partial<Record<Act, readonly Role[]>> = {
  cancel: ['submitter'],
  pause: ['submitter'],
  review: ['submitter'],
  share: ['submitter'],
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
