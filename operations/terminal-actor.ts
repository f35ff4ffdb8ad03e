import { type Actor, roles } from '../domain/roles.js';
import { authenticate, listPeople } from '../ledger/access/people.js';
import { type Ledger, LedgerError } from '../ledger/ledger.js';

export interface AtTerminal {
  /** Of a registered person. */
  readonly token: string | undefined;
  /** Of the machine's account: the name in the books where nobody is registered. */
  readonly loginName: string;
}

/**
 * Who acts at a terminal: the person whose token is given, or, where nobody is registered, whoever can open the ledger,
 * with every role.
 *
 * @throws LedgerError `not_allowed` when people are registered and no valid token is given.
 */
export async function terminalActor(ledger: Ledger, { token, loginName }: AtTerminal): Promise<Actor> {
  if (token !== undefined) {
    const person = await authenticate(ledger, token);
    if (person) return { name: person.name, roles: person.roles, channel: 'terminal' };
    throw new LedgerError('not_allowed', 'Cannot act: GREENLIGHT_TOKEN is not the token of a registered person');
  }
  const people = await listPeople(ledger);
  if (people.length === 0) return { name: loginName, roles, channel: 'terminal' };
  throw new LedgerError(
    'not_allowed',
    'Cannot act: people are registered in this ledger; set GREENLIGHT_TOKEN to the token that you were given',
  );
}
