import { type Actor, type Role, roles } from '../../domain/roles.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { appendAudit } from './audit.js';
import { auditedAct } from './audited-act.js';
import { rolesOf } from './registration.js';
import { newToken } from './tokens.js';

export interface Person {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly addedAtMs: number;
  readonly addedBy: string;
  /** Null: their token does not end. */
  readonly tokenExpiresAtMs: number | null;
}

export interface NewPerson {
  readonly name: string;
  readonly roles: readonly Role[];
  /** From when on the token opens nothing; null or left out: it does not end. */
  readonly tokenExpiresAtMs?: number | null;
  readonly actor: Actor;
  readonly nowMs: number;
}

/** Names that the books themselves act under. */
const reserved = ['greenlight', 'policy', 'temporal'];

/**
 * Registers somebody. The token is shown here once; the books keep its hash. The first person of a ledger must be an
 * admin, and ends the time of working alone for good. Where nobody is registered, whoever can open a shared ledger may
 * do this one thing.
 *
 * @throws LedgerError without the role, for a name that is taken or not valid, and for a first person who is no admin.
 */
export async function addPerson(ledger: Ledger, person: NewPerson): Promise<{ readonly token: string }> {
  const { name, roles: given, tokenExpiresAtMs = null, actor, nowMs } = person;
  assertPerson(name, given);
  const { token, hash } = newToken();
  const deed = { actor, act: 'people', object: name, words: `add ${name}`, alsoOpenTo: 'first', nowMs } as const;
  return auditedAct(ledger, deed, async (tx) => {
    const cannot = (why: string) => new LedgerError('bad_argument', `Cannot add ${name}: ${why}`);
    const known = await tx.selectFrom('people').select(['name', 'removed_ms']).execute();
    const first = known.every(({ removed_ms }) => removed_ms !== null);
    if (first && !given.includes('admin')) {
      throw cannot('the first person of a ledger must be an admin; use --role admin');
    }
    if (known.some((one) => one.name.toLowerCase() === name.toLowerCase())) {
      throw cannot('the name is taken, possibly by someone removed; use another');
    }
    const record = { name, token_hash: hash, roles: JSON.stringify(given), token_expires_ms: tokenExpiresAtMs };
    await tx
      .insertInto('people')
      .values({ ...record, added_ms: nowMs, added_by: actor.name, removed_ms: null })
      .execute();
    await assertAnAdminStays(tx, `add ${name}`);
    const detail = { roles: given, token_expires_ms: tokenExpiresAtMs };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'people_add', object: name, detail });
    return { token };
  });
}

/** Takes effect with the next thing that they try. Their name stays in the books and is not given again. */
export async function removePerson(
  ledger: Ledger,
  { name, actor, nowMs }: { readonly name: string; readonly actor: Actor; readonly nowMs: number },
): Promise<void> {
  await auditedAct(ledger, { actor, act: 'people', object: name, words: `remove ${name}`, nowMs }, async (tx) => {
    await assertRegistered(tx, `remove ${name}`, name);
    await tx.updateTable('people').set({ removed_ms: nowMs }).where('name', '=', name).execute();
    await assertAnAdminStays(tx, `remove ${name}`);
    await appendAudit(tx, { atMs: nowMs, actor, act: 'people_remove', object: name, detail: {} });
  });
}

export interface TokenRenewal {
  readonly name: string;
  readonly tokenExpiresAtMs: number | null;
  readonly actor: Actor;
  readonly nowMs: number;
}

/**
 * Gives somebody another token; the one before opens nothing from then on. Everybody may renew their own.
 *
 * @throws LedgerError for another's token without the role, and for a name that nobody has.
 */
export async function renewToken(ledger: Ledger, renewal: TokenRenewal): Promise<{ readonly token: string }> {
  const { name, tokenExpiresAtMs, actor, nowMs } = renewal;
  const words = `renew the token of ${name}`;
  const { token, hash } = newToken();
  return auditedAct(ledger, { actor, act: 'people', object: name, words, alsoOpenTo: 'self', nowMs }, async (tx) => {
    await assertRegistered(tx, words, name);
    await tx
      .updateTable('people')
      .set({ token_hash: hash, token_expires_ms: tokenExpiresAtMs })
      .where('name', '=', name)
      .execute();
    await assertAnAdminStays(tx, words);
    const detail = { token_expires_ms: tokenExpiresAtMs };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'people_token', object: name, detail });
    return { token };
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
    tokenExpiresAtMs: person.token_expires_ms,
  }));
}

async function assertRegistered(tx: Tx, words: string, name: string): Promise<void> {
  const person = await tx
    .selectFrom('people')
    .select('name')
    .where('name', '=', name)
    .where('removed_ms', 'is', null)
    .executeTakeFirst();
  if (person) return;
  throw new LedgerError('unknown_person', `Cannot ${words}: no one of that name is registered`);
}

/** Without an admin whose token does not end, a ledger could be left with nobody who may act on it. */
async function assertAnAdminStays(tx: Tx, words: string): Promise<void> {
  const people = await tx
    .selectFrom('people')
    .select(['name', 'roles'])
    .where('removed_ms', 'is', null)
    .where('token_expires_ms', 'is', null)
    .execute();
  if (people.some((person) => rolesOf(person).includes('admin'))) return;
  throw new LedgerError(
    'wrong_state',
    `Cannot ${words}: no other admin has a token that does not expire; add another admin first`,
  );
}

function assertPerson(name: string, given: readonly Role[]): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(name) || reserved.includes(name.toLowerCase())) {
    throw new LedgerError(
      'bad_argument',
      `Cannot add ${name}: a name is letters, digits and . _ @ -, and not ${reserved.join(', ')}`,
    );
  }
  if (given.length === 0 || !given.every((role) => roles.includes(role))) {
    throw new LedgerError('bad_argument', `Cannot add ${name}: the role must be one of ${roles.join(', ')}`);
  }
}
