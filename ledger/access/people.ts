import { createHash, randomBytes } from 'node:crypto';
import { type Actor, type Role, roles } from '../../domain/roles.js';
import { type Ledger, LedgerError } from '../ledger.js';
import { appendAudit } from './audit.js';
import { auditedAct } from './audited-act.js';

export interface Person {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly addedAtMs: number;
  readonly addedBy: string;
}

/** Names that the books themselves act under. */
const reserved = ['greenlight', 'policy', 'temporal'];

/**
 * Registers somebody. The token is shown here once; the books keep its hash. The first person of a ledger must be an
 * admin, and ends the time of working alone.
 *
 * @throws LedgerError without the role, for a name that is taken or no name, and for a first person who is no admin.
 */
export async function addPerson(
  ledger: Ledger,
  {
    name,
    roles: given,
    actor,
    nowMs,
  }: { readonly name: string; readonly roles: readonly Role[]; readonly actor: Actor; readonly nowMs: number },
): Promise<{ readonly token: string }> {
  assertPerson(name, given);
  const token = `glt_${randomBytes(24).toString('base64url')}`;
  return auditedAct(ledger, { actor, act: 'people', object: name, nowMs }, async (tx) => {
    const known = await tx.selectFrom('people').select(['name', 'removed_ms']).execute();
    const first = known.every(({ removed_ms }) => removed_ms !== null);
    if (first && !given.includes('admin')) {
      throw new LedgerError(
        'bad_argument',
        `Cannot add ${name}: the first person of a ledger must be an admin, as --role admin`,
      );
    }
    if (known.some((person) => person.name === name)) {
      throw new LedgerError(
        'bad_argument',
        `Cannot add ${name}: the name is taken, also by somebody removed; use another`,
      );
    }
    const record = { name, token_hash: hashOf(token), roles: JSON.stringify(given) };
    await tx
      .insertInto('people')
      .values({ ...record, added_ms: nowMs, added_by: actor.name, removed_ms: null })
      .execute();
    await appendAudit(tx, { atMs: nowMs, actor, act: 'people_add', object: name, detail: { roles: given } });
    return { token };
  });
}

/** Takes effect with the next thing that they try. Their name stays in the books and is not given again. */
export async function removePerson(
  ledger: Ledger,
  { name, actor, nowMs }: { readonly name: string; readonly actor: Actor; readonly nowMs: number },
): Promise<void> {
  await auditedAct(ledger, { actor, act: 'people', object: name, nowMs }, async (tx) => {
    const others = await tx.selectFrom('people').select(['name', 'roles']).where('removed_ms', 'is', null).execute();
    if (!others.some((person) => person.name === name)) {
      throw new LedgerError('unknown_person', `Cannot remove ${name}: nobody of that name is registered`);
    }
    const adminsLeft = others.some((person) => person.name !== name && rolesOf(person).includes('admin'));
    if (!adminsLeft && others.length > 1) {
      throw new LedgerError('wrong_state', `Cannot remove ${name}: nobody else is admin; add another admin first`);
    }
    await tx.updateTable('people').set({ removed_ms: nowMs }).where('name', '=', name).execute();
    await appendAudit(tx, { atMs: nowMs, actor, act: 'people_remove', object: name, detail: {} });
  });
}

/** Who is registered, by name. */
export async function listPeople(ledger: Ledger): Promise<readonly Person[]> {
  const people = await ledger.db
    .selectFrom('people')
    .selectAll()
    .where('removed_ms', 'is', null)
    .orderBy('name')
    .execute();
  return people.map((person) => ({
    name: person.name,
    roles: rolesOf(person),
    addedAtMs: person.added_ms,
    addedBy: person.added_by,
  }));
}

/** The person whose token this is, or null. Roles are as they are now. */
export async function authenticate(ledger: Ledger, token: string): Promise<Pick<Person, 'name' | 'roles'> | null> {
  const person = await ledger.db
    .selectFrom('people')
    .select(['name', 'roles'])
    .where('token_hash', '=', hashOf(token))
    .where('removed_ms', 'is', null)
    .executeTakeFirst();
  return person ? { name: person.name, roles: rolesOf(person) } : null;
}

function assertPerson(name: string, given: readonly Role[]): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(name) || reserved.includes(name.toLowerCase())) {
    throw new LedgerError(
      'bad_argument',
      `Cannot add ${name}: a name is letters, digits and . _ @ -, and not ${reserved.join(', ')}`,
    );
  }
  if (given.length === 0 || !given.every((role) => roles.includes(role))) {
    throw new LedgerError('bad_argument', `Cannot add ${name}: their role must be of ${roles.join(', ')}`);
  }
}

function rolesOf(person: { readonly roles: string }): readonly Role[] {
  return JSON.parse(person.roles) as Role[]; // written by addPerson
}

/** A token is 24 random bytes: nobody guesses it from a fast hash. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
