import { type Kysely, sql } from 'kysely';
import type { Role } from '../../domain/roles.js';
import { onPostgres } from '../database/postgres.js';
import type { Tables } from '../database/tables.js';

/**
 * Who may act on a ledger at all.
 *
 * | | embedded | shared (PostgreSQL) |
 * |---|---|---|
 * | nobody was ever registered | `alone`: whoever opens it, with every role | `nobody` |
 * | somebody is registered | `people`: they, by their tokens | `people` |
 * | everybody was removed | `nobody` | `nobody` |
 *
 * `nobody`: the first admin can be registered, and nothing else can be done.
 */
export type Registration = 'alone' | 'nobody' | 'people';

export async function registrationOf(db: Kysely<Tables>): Promise<Registration> {
  const people = await db.selectFrom('people').select('removed_ms').execute();
  if (people.some(({ removed_ms }) => removed_ms === null)) return 'people';
  return people.length > 0 || onPostgres(db) ? 'nobody' : 'alone';
}

/** Two changes of who is registered come one after the other: of two strangers one is the first. */
export async function lockPeople(db: Kysely<Tables>): Promise<void> {
  if (onPostgres(db)) await sql`lock table people in share row exclusive mode`.execute(db);
}

/** The roles that somebody has now: none once they are removed, null for who was never registered. */
export async function rolesOfPerson(db: Kysely<Tables>, name: string): Promise<readonly Role[] | null> {
  const person = await db
    .selectFrom('people')
    .select(['roles', 'removed_ms'])
    .where('name', '=', name)
    .executeTakeFirst();
  if (!person) return null;
  return person.removed_ms === null ? rolesOf(person) : [];
}

export function rolesOf({ roles }: { readonly roles: string }): readonly Role[] {
  return JSON.parse(roles) as Role[]; // written by addPerson
}

export const howToBegin =
  'nobody is registered in this ledger; register the first admin with "greenlight people add <name> --role admin"';
