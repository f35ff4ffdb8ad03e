import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../../domain/roles.js';
import type { Ledger } from '../ledger.js';
import { appendAudit } from './audit.js';

/** A token and what the books keep of it. Its 24 random bytes are not guessed from a fast hash. */
export function newToken(): { readonly token: string; readonly hash: string } {
  const token = `glt_${randomBytes(24).toString('base64url')}`;
  return { token, hash: hashOf(token) };
}

/** What a token opens: the person's roles as they are now, or nothing, and then whose it was if it was anybody's. */
export type TokenHolder =
  | {
      readonly kind: 'person';
      readonly name: string;
      readonly roles: readonly Role[];
      readonly expiresAtMs: number | null;
    }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'removed' | 'expired'; readonly name: string };

export async function holderOf(ledger: Ledger, token: string, nowMs: number): Promise<TokenHolder> {
  const person = await ledger.db
    .selectFrom('people')
    .select(['name', 'roles', 'removed_ms', 'token_expires_ms'])
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst();
  if (!person) return { kind: 'nobody' };
  const { name, removed_ms, token_expires_ms: expiresAtMs } = person;
  if (removed_ms !== null) return { kind: 'removed', name };
  if (expiresAtMs !== null && nowMs >= expiresAtMs) return { kind: 'expired', name };
  return { kind: 'person', name, roles: JSON.parse(person.roles) as Role[], expiresAtMs }; // written by addPerson
}

/** A stranger who tries tokens without end gets one record a minute in the audit, with how many tries it stands for. */
const recordEveryMs = 60_000;

export interface RefusedToken {
  readonly holder: Exclude<TokenHolder, { readonly kind: 'person' }>;
  /** The machine's account from which it was tried. */
  readonly account: string;
  readonly nowMs: number;
}

/** Keeps a try with a token that opens nothing. */
export async function recordRefusedToken(ledger: Ledger, { holder, account, nowMs }: RefusedToken): Promise<void> {
  const owner = holder.kind === 'nobody' ? '' : holder.name;
  await ledger.write(async (tx) => {
    const { recorded_ms, unrecorded } = await tx
      .insertInto('refused_tokens')
      .values({ owner, recorded_ms: 0, unrecorded: 1 })
      .onConflict((conflict) =>
        conflict.column('owner').doUpdateSet((eb) => ({ unrecorded: eb('refused_tokens.unrecorded', '+', 1) })),
      )
      .returning(['recorded_ms', 'unrecorded'])
      .executeTakeFirstOrThrow();
    if (nowMs < recorded_ms + recordEveryMs) return;
    const actor = { name: 'greenlight', channel: 'system' } as const;
    const detail = { token: holder.kind === 'nobody' ? 'unknown' : holder.kind, account, tries: unrecorded };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'token_refused', object: owner || 'token', detail });
    await tx
      .updateTable('refused_tokens')
      .set({ recorded_ms: nowMs, unrecorded: 0 })
      .where('owner', '=', owner)
      .execute();
  });
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
