import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { canonicalJson } from '../../domain/digests/canonical.js';
import type { Actor } from '../../domain/roles.js';
import { byPages } from '../database/paging.js';
import type { AuditTable, Tables } from '../database/tables.js';
import type { Ledger, Tx } from '../ledger.js';
import { noteAct } from '../notices/note.js';
import { type AuditFilter, recordsOf } from './audit-filter.js';

/** A decision, or an attempt at one that was refused. Who, what and on what; amounts and reasons in `detail`. */
export interface AuditEvent {
  readonly atMs: number;
  readonly actor: Pick<Actor, 'name' | 'channel'>;
  readonly act: string;
  /** A batch, a budget path, a person. */
  readonly object: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AuditRecord extends AuditEvent {
  readonly seq: number;
  /** The last money entry and the last send that were in the books before this. */
  readonly afterEntry: number;
  readonly afterSend: number;
  readonly hash: string;
}

/**
 * Adds to the chain: each link's hash covers the one before it. Belongs at the end of the transaction that makes the
 * change, since the chain's end stays locked until the commit.
 */
export async function appendAudit(tx: Tx, { atMs, actor, act, object, detail }: AuditEvent): Promise<void> {
  const { audit_length: seq, audit_head: previousHash } = await tx
    .updateTable('ledger')
    .set((eb) => ({ audit_length: eb('audit_length', '+', 1) }))
    .returning(['audit_length', 'audit_head'])
    .executeTakeFirstOrThrow();
  const { after_entry, after_send } = await lastNumbers(tx);
  const link: Omit<AuditTable, 'hash'> = {
    ...{ seq, at_ms: atMs, actor: actor.name, channel: actor.channel, act, object },
    ...{ detail: canonicalJson(detail), after_entry, after_send, previous_hash: previousHash },
  };
  const hash = hashOf(link);
  await tx
    .insertInto('audit')
    .values({ ...link, hash })
    .execute();
  await tx.updateTable('ledger').set({ audit_head: hash }).execute();
  await noteAct(tx, { atMs, actor, act, object, detail });
}

const pageSize = 1_000;

export interface AuditPaging extends AuditFilter {
  /** Records before this number. */
  readonly before?: number;
  readonly limit: number;
}

/** The newest records first. */
export async function listAudit(
  { db }: Pick<Ledger, 'db'>,
  { before, limit, ...filter }: AuditPaging,
): Promise<readonly AuditRecord[]> {
  const query = recordsOf(db, filter).orderBy('seq', 'desc').limit(limit);
  const found = await query.$if(before !== undefined, (all) => all.where('seq', '<', before ?? 0)).execute();
  return found.map(recordOf);
}

/** Every record in the order in which it was made, a page in memory at a time. */
export function eachAudit(
  { db }: Pick<Ledger, 'db'>,
  filter: AuditFilter = {},
): AsyncGenerator<AuditRecord, void, undefined> {
  const read = async (after: number) => {
    const page = await recordsOf(db, filter).where('seq', '>', after).orderBy('seq').limit(pageSize).execute();
    return page.map(recordOf);
  };
  return byPages({ pageSize, first: 0, keyOf: ({ seq }) => seq, read });
}

/** Whether a record has text beyond ASCII. */
export async function auditHasForeignText(ledger: Ledger): Promise<boolean> {
  const found = await ledger.db
    .selectFrom('audit')
    .select('seq')
    .where(sql<boolean>`length(detail || object || actor) <> octet_length(detail || object || actor)`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export type AuditVerdict =
  | { readonly ok: true; readonly length: number; readonly head: string }
  | { readonly ok: false; readonly brokenAt: number };

/** Recomputes every link. `brokenAt` is the first record that is missing, changed or out of its place. */
export async function verifyAudit({ db }: Pick<Ledger, 'db'>): Promise<AuditVerdict> {
  const { audit_length: length, audit_head: head } = await auditEnd(db);
  let seq = 0;
  let previous = '';
  for (;;) {
    const page = await db
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>', seq)
      .where('seq', '<=', length)
      .orderBy('seq')
      .limit(pageSize)
      .execute();
    for (const { hash, ...link } of page) {
      if (link.seq !== seq + 1 || link.previous_hash !== previous || hashOf(link) !== hash) {
        return { ok: false, brokenAt: seq + 1 };
      }
      seq = link.seq;
      previous = hash;
    }
    if (page.length < pageSize) break;
  }
  return seq === length && previous === head ? { ok: true, length, head } : { ok: false, brokenAt: seq + 1 };
}

/** Length and last hash of the chain. */
export async function auditEnd(
  db: Kysely<Tables>,
): Promise<{ readonly audit_length: number; readonly audit_head: string }> {
  return db.selectFrom('ledger').select(['audit_length', 'audit_head']).executeTakeFirstOrThrow();
}

/** The numbers of the last entry and the last send, 0 before the first: what stands before a decision. */
async function lastNumbers(tx: Tx): Promise<{ readonly after_entry: number; readonly after_send: number }> {
  const { entry, send, archived } = await tx
    .selectNoFrom((eb) => [
      eb
        .selectFrom('entries')
        .select(sql<number | null>`max(entry_id)`.as('last'))
        .as('entry'),
      eb
        .selectFrom('sends')
        .select(sql<number | null>`max(send_id)`.as('last'))
        .as('send'),
      eb
        .selectFrom('archived_batches')
        .select(sql<number | null>`max(last_send)`.as('last'))
        .as('archived'),
    ])
    .executeTakeFirstOrThrow();
  return { after_entry: entry ?? 0, after_send: Math.max(send ?? 0, archived ?? 0) };
}

function hashOf(link: Omit<AuditTable, 'hash'>): string {
  const { previous_hash: previous, ...event } = link;
  return createHash('sha256').update(previous).update(canonicalJson(event)).digest('hex');
}

function recordOf(row: AuditTable): AuditRecord {
  const {
    seq,
    at_ms: atMs,
    actor: name,
    channel,
    act,
    object,
    after_entry: afterEntry,
    after_send: afterSend,
    hash,
  } = row;
  const actor = { name, channel: channel as Actor['channel'] }; // written by appendAudit only
  return { seq, atMs, actor, act, object, detail: JSON.parse(row.detail), afterEntry, afterSend, hash };
}
