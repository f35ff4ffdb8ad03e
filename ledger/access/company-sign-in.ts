import { sql } from 'kysely';
import type { Ledger } from '../ledger.js';
import { rolesOfPerson } from './registration.js';
import { type NewSession, openSession } from './sign-in.js';

export interface CompanyIdentity {
  /** Where the identity comes from. */
  readonly issuer: string;
  /** An address that the provider says it has verified. */
  readonly email: string;
  /** When the provider says that the person signed in there; null where it does not say. */
  readonly provedMs: number | null;
}

/**
 * Signs in the person whose name is the e-mail address that a provider vouches for. Nobody is registered by this, and
 * roles are those of the books.
 *
 * @returns null where nobody of that name is registered any more, or ever was.
 */
export function signInByCompany(
  ledger: Ledger,
  { issuer, email, provedMs, nowMs }: CompanyIdentity & { readonly nowMs: number },
): Promise<NewSession | null> {
  return ledger.write(
    async (tx) => {
      const person = await tx
        .selectFrom('people')
        .select('name')
        .where(sql`lower(name)`, '=', email.toLowerCase())
        .executeTakeFirst();
      if (!person || ((await rolesOfPerson(tx, person.name)) ?? []).length === 0) return null;
      const proved = provedMs === null ? null : Math.min(provedMs, nowMs); // its clock is another one
      return openSession(tx, { name: person.name, alone: 0, nowMs, provedMs: proved, detail: { issuer } });
    },
    { durable: true },
  );
}
