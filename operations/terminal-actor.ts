import { type Actor, roles } from '../domain/roles.js';
import { howToBegin, registrationOf } from '../ledger/access/registration.js';
import { holderOf, recordRefusedToken, type TokenHolder } from '../ledger/access/tokens.js';
import { LedgerError } from '../ledger/ledger.js';
import type { OperationDeps } from './deps.js';

export interface AtTerminal {
  /** The token of a registered person. */
  readonly token: string | undefined;
  /** The machine's account: the name in the books while nobody is registered. */
  readonly loginName: string;
}

/**
 * Finds who acts at a terminal: the person whose token is given. On an embedded ledger where nobody was ever
 * registered, anybody who can open it acts with every role; on any other without people, a stranger without a role, who
 * may register the first admin.
 *
 * @throws LedgerError `not_allowed` when people are registered and no valid token is given; an attempt with a wrong one
 * is audited.
 */
export async function terminalActor(
  { ledger, clock }: Pick<OperationDeps, 'ledger' | 'clock'>,
  { token, loginName }: AtTerminal,
): Promise<Actor> {
  const registration = await registrationOf(ledger.db);
  if (token !== undefined && token !== '') {
    const nowMs = clock();
    const holder = await holderOf(ledger, token, nowMs);
    if (holder.kind === 'person') return { name: holder.name, roles: holder.roles, channel: 'terminal' };
    await recordRefusedToken(ledger, { holder, account: loginName, nowMs });
    throw cannotAct(registration === 'nobody' ? `${howToBegin}, without GREENLIGHT_TOKEN` : whyRefused(holder));
  }
  switch (registration) {
    case 'alone':
      return { name: loginName, roles, channel: 'terminal', alone: true };
    case 'nobody':
      return { name: loginName, roles: [], channel: 'terminal' };
    case 'people':
      throw cannotAct(
        `people are registered in this ledger; set GREENLIGHT_TOKEN to the token you were given, or ${anotherToken()}`,
      );
    default:
      return registration satisfies never;
  }
}

function whyRefused(holder: Exclude<TokenHolder, { readonly kind: 'person' }>): string {
  switch (holder.kind) {
    case 'nobody':
      return `GREENLIGHT_TOKEN is not the token of a registered person, or was replaced; ${anotherToken()}`;
    case 'removed':
      return `GREENLIGHT_TOKEN is of ${holder.name}, who was removed; an admin registers people: greenlight people add`;
    case 'expired':
      return `the token of ${holder.name} has expired; ${anotherToken(holder.name)}`;
    default:
      return holder satisfies never;
  }
}

function anotherToken(name = '<name>'): string {
  return `ask an admin for another: greenlight people token ${name}`;
}

function cannotAct(why: string): LedgerError {
  return new LedgerError('not_allowed', `Cannot act: ${why}`);
}
