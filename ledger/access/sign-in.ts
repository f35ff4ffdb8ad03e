import { createHash, randomBytes } from 'node:crypto';
import { type Actor, roles as allRoles, type Role } from '../../domain/roles.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { appendAudit } from './audit.js';
import { auditedAct } from './audited-act.js';
import { registrationOf, rolesOfPerson } from './registration.js';

const codeLifeMs = 10 * 60_000;
const sessionLifeMs = 12 * 60 * 60_000;
/** Without the letters that are read as digits: 60 bits in 12 of them, of which nobody guesses one in ten minutes. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export interface SignInCode {
  /** As `7Q2K-04XM-9DPA`; shown this once, the books keep its hash. */
  readonly code: string;
  readonly untilMs: number;
}

/**
 * A code that signs somebody in once, within ten minutes. Everybody may have one for themselves; an admin gives one to
 * anybody who is registered.
 *
 * @throws LedgerError for another's code without the role, and for a name that nobody has.
 */
export async function giveSignInCode(
  ledger: Ledger,
  { name, actor, nowMs }: { readonly name: string; readonly actor: Actor; readonly nowMs: number },
): Promise<SignInCode> {
  const words = `give ${name} a sign-in code`;
  const deed = { actor, act: 'people', object: name, words, alsoOpenTo: 'self', nowMs } as const;
  return auditedAct(ledger, deed, async (tx) => {
    const alone = actor.alone === true && actor.name === name && (await registrationOf(tx)) === 'alone';
    if (!alone && ((await rolesOfPerson(tx, name)) ?? []).length === 0) {
      throw new LedgerError('unknown_person', `Cannot ${words}: no one of that name is registered`);
    }
    const code = newCode();
    const untilMs = nowMs + codeLifeMs;
    await tx.deleteFrom('sign_in_codes').where('until_ms', '<=', nowMs).execute();
    await tx
      .insertInto('sign_in_codes')
      .values({ code_hash: hashOf(bare(code)), name, alone: alone ? 1 : 0, until_ms: untilMs })
      .execute();
    await appendAudit(tx, { atMs: nowMs, actor, act: 'people_code', object: name, detail: { until_ms: untilMs } });
    return { code, untilMs };
  });
}

export interface NewSession {
  /** What the browser keeps; the books have its hash. */
  readonly id: string;
  readonly name: string;
  readonly untilMs: number;
}

/** Uses a code up. Null for one that was used, is too old, or never was. */
export async function signInByCode(
  ledger: Ledger,
  { code, nowMs }: { readonly code: string; readonly nowMs: number },
): Promise<NewSession | null> {
  return ledger.write(
    async (tx) => {
      const found = await tx
        .deleteFrom('sign_in_codes')
        .where('code_hash', '=', hashOf(bare(code)))
        .returningAll()
        .executeTakeFirst();
      if (!found || nowMs >= found.until_ms) return null;
      return openSession(tx, { name: found.name, alone: found.alone, nowMs, provedMs: nowMs, detail: {} });
    },
    { durable: true },
  );
}

interface Opening {
  readonly name: string;
  readonly alone: number;
  readonly nowMs: number;
  /** When; null where it may have been long ago. */
  readonly provedMs: number | null;
  /** How they proved who they are. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** For somebody who has proved who they are. */
export async function openSession(tx: Tx, { name, alone, nowMs, provedMs, detail }: Opening): Promise<NewSession> {
  const id = randomBytes(32).toString('base64url');
  const untilMs = nowMs + sessionLifeMs;
  await tx.deleteFrom('sessions').where('until_ms', '<=', nowMs).execute();
  await tx
    .insertInto('sessions')
    .values({ id_hash: hashOf(id), name, alone, since_ms: nowMs, until_ms: untilMs, proved_ms: provedMs })
    .execute();
  await appendAudit(tx, { atMs: nowMs, actor: { name, channel: 'web' }, act: 'sign_in', object: name, detail });
  return { id, name, untilMs };
}

/** Somebody at a browser, with the roles that they have at this moment. */
export interface SignedIn {
  readonly name: string;
  readonly roles: readonly Role[];
  /** Works alone: void once somebody is registered. */
  readonly alone: boolean;
  readonly sinceMs: number;
  /** When they proved who they are; null where nobody said so. */
  readonly provedMs: number | null;
}

/** Null for a session that ended, and for one whose person was removed. */
export async function personBehind(
  ledger: Ledger,
  { id, nowMs }: { readonly id: string; readonly nowMs: number },
): Promise<SignedIn | null> {
  const session = await ledger.db
    .selectFrom('sessions')
    .selectAll()
    .where('id_hash', '=', hashOf(id))
    .executeTakeFirst();
  if (!session || nowMs >= session.until_ms) return null;
  const { name, since_ms: sinceMs, proved_ms: provedMs } = session;
  if (session.alone === 1) {
    const isAlone = (await registrationOf(ledger.db)) === 'alone';
    return isAlone ? { name, roles: allRoles, alone: true, sinceMs, provedMs } : null;
  }
  const roles = (await rolesOfPerson(ledger.db, name)) ?? [];
  return roles.length === 0 ? null : { name, roles, alone: false, sinceMs, provedMs };
}

/** Ends a session; the cookie opens nothing from then on. */
export async function endSession(ledger: Ledger, { id }: { readonly id: string }): Promise<void> {
  await ledger.write((tx) => tx.deleteFrom('sessions').where('id_hash', '=', hashOf(id)).execute(), { durable: true });
}

function newCode(): string {
  const drawn = [...randomBytes(12)].map((byte) => letters[byte % letters.length]).join('');
  return drawn.replace(/(.{4})(?=.)/g, '$1-');
}

/** As somebody types it: in small letters, with or without dashes. */
function bare(code: string): string {
  return code.toUpperCase().replace(/[^0-9A-Z]/g, '');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
