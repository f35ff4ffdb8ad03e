import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { readBatchRecord } from '../batches/batch-record.js';
import type { Tables } from '../database/tables.js';
import { type Ledger, LedgerError } from '../ledger.js';

export interface ShareLink {
  readonly linkId: string;
  readonly batchId: string;
  readonly by: string;
  readonly atMs: number;
  readonly untilMs: number;
  readonly revokedAtMs: number | null;
}

export interface ShareRequest {
  readonly batchId: string;
  readonly untilMs: number;
  readonly actor: Actor;
  readonly nowMs: number;
}

const longestMs = 90 * 24 * 60 * 60 * 1_000;

/**
 * Makes a link that opens the gallery of one batch to whoever has it, until a time. The token is told this once; the
 * books keep its hash.
 *
 * @throws LedgerError without the role, for a batch that is not there, and for a time that is over or too far away.
 */
export function createShareLink(
  ledger: Ledger,
  { batchId, untilMs, actor, nowMs }: ShareRequest,
): Promise<{ readonly link: ShareLink; readonly token: string }> {
  const token = `gls_${randomBytes(24).toString('base64url')}`;
  const deed = { actor, act: 'share', object: batchId, words: `share ${batchId}`, nowMs } as const;
  return auditedAct(ledger, deed, async (tx) => {
    await readBatchRecord(tx, batchId);
    if (untilMs <= nowMs || untilMs > nowMs + longestMs) {
      throw new LedgerError('bad_argument', `Cannot share ${batchId}: a link is open for up to 90 days from now`);
    }
    const linkId = randomBytes(6).toString('hex');
    const values = { link_id: linkId, token_hash: hashOf(token), batch_id: batchId, by_name: actor.name };
    await tx
      .insertInto('share_links')
      .values({ ...values, at_ms: nowMs, until_ms: untilMs, revoked_ms: null })
      .execute();
    const detail = { link: linkId, until_ms: untilMs };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'share', object: batchId, detail });
    return { token, link: { linkId, batchId, by: actor.name, atMs: nowMs, untilMs, revokedAtMs: null } };
  });
}

export interface RevokeRequest {
  readonly batchId: string;
  readonly linkId: string;
  readonly actor: Actor;
  readonly nowMs: number;
}

/** From the commit on the link opens nothing. Repeated, it changes nothing. */
export function revokeShareLink(ledger: Ledger, { batchId, linkId, actor, nowMs }: RevokeRequest): Promise<void> {
  const deed = { actor, act: 'share', object: batchId, words: `revoke a link to ${batchId}`, nowMs } as const;
  return auditedAct(ledger, deed, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('share_links')
      .set({ revoked_ms: nowMs })
      .where('link_id', '=', linkId)
      .where('batch_id', '=', batchId)
      .where('revoked_ms', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(numUpdatedRows) === 0) return;
    await appendAudit(tx, { atMs: nowMs, actor, act: 'share_revoke', object: batchId, detail: { link: linkId } });
  });
}

/** All that were ever made for a batch, the newest first. */
export async function listShareLinks({ db }: Pick<Ledger, 'db'>, batchId: string): Promise<readonly ShareLink[]> {
  const links = await db
    .selectFrom('share_links')
    .selectAll()
    .where('batch_id', '=', batchId)
    .orderBy('at_ms', 'desc')
    .orderBy('link_id')
    .execute();
  return links.map(linkOf);
}

/** What a token opens now; null for one that was never given, has expired or was revoked, or whose giver was removed. */
export async function findShareLink(
  db: Kysely<Tables>,
  { token, nowMs }: { readonly token: string; readonly nowMs: number },
): Promise<ShareLink | null> {
  const link = await db
    .selectFrom('share_links')
    .selectAll()
    .where('token_hash', '=', hashOf(token))
    .where('revoked_ms', 'is', null)
    .where('until_ms', '>', nowMs)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('people')
            .select('name')
            .whereRef('people.name', '=', 'share_links.by_name')
            .where('people.removed_ms', 'is not', null),
        ),
      ),
    )
    .executeTakeFirst();
  return link ? linkOf(link) : null;
}

function linkOf(link: {
  readonly link_id: string;
  readonly batch_id: string;
  readonly by_name: string;
  readonly at_ms: number;
  readonly until_ms: number;
  readonly revoked_ms: number | null;
}): ShareLink {
  const { link_id: linkId, batch_id: batchId, by_name: by } = link;
  return { linkId, batchId, by, atMs: link.at_ms, untilMs: link.until_ms, revokedAtMs: link.revoked_ms };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
