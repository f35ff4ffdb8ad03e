import type { Role } from '../../domain/roles.js';

/** Whom a notice is for: everybody with a role, and the submitter of its batch. */
export interface Audience {
  readonly roles: readonly Role[];
  readonly submitter: boolean;
}

const finance: Audience = { roles: ['finance'], submitter: false };
const operators: Audience = { roles: ['operator'], submitter: false };
const submitter: Audience = { roles: [], submitter: true };

/** Finance decides on money, operators keep batches running, and the submitter gets the outcome. */
const audiences: Readonly<Record<string, Audience>> = {
  ...{ approval: finance, approval_due: finance, budget_used: finance, budget_stopped: finance },
  ...{ halted: { roles: ['finance', 'operator'], submitter: false } },
  ...{ stopped: operators, unknown: operators, lost: operators, no_worker: operators, channel_off: operators },
  ...{ approved: submitter, rejected: submitter, expired: submitter, finished: submitter, plan_refused: submitter },
  ...{ unsettled: { roles: ['operator'], submitter: true } },
};

/** Unknown kinds go to operators. */
export function audienceOf(kind: string): Audience {
  return audiences[kind] ?? operators;
}

/** The mail address under which a person is registered; null if the name is not one. */
export function addressOfPerson(name: string): string | null {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(name) ? name : null;
}
