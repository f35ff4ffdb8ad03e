import type { ExpressionBuilder, Kysely } from 'kysely';
import { type Act, type Actor, mayAct, roleWords } from '../../domain/roles.js';
import type { Tables } from '../database/tables.js';
import { LedgerError } from '../ledger-error.js';
import { standingOf } from './standing.js';

/** The campaigns that somebody may see: all, or those in which this person submitted. */
export interface Sight {
  readonly inCampaignsOf: string | null;
}

/** @throws LedgerError `not_allowed` for who may see nothing at all. */
export async function sightOf(db: Kysely<Tables>, actor: Actor): Promise<Sight> {
  const { roles, barred } = await standingOf(db, actor);
  if (barred !== null) throw new LedgerError('not_allowed', `Cannot look at the ledger: ${barred}`);
  return { inCampaignsOf: mayAct({ ...actor, roles }, 'see_all') ? null : actor.name };
}

/** A look that takes a role of its own. Looks are not audited. */
export interface GuardedLook {
  readonly act: Act;
  /** As a refusal names it: `verify the ledger`. */
  readonly words: string;
}

/** @throws LedgerError `not_allowed` without the role. */
export async function assertMay(db: Kysely<Tables>, actor: Actor, { act, words }: GuardedLook): Promise<void> {
  const { roles, barred } = await standingOf(db, actor);
  if (barred === null && mayAct({ ...actor, roles }, act)) return;
  throw new LedgerError('not_allowed', `Cannot ${words}: ${barred ?? `${actor.name} does not have ${roleWords(act)}`}`);
}

/** @throws LedgerError `not_allowed` without a role that sees everything. */
export async function assertSeesAll(db: Kysely<Tables>, actor: Actor, what: string): Promise<void> {
  await assertMay(db, actor, { act: 'see_all', words: `show ${what}` });
}

/** @throws LedgerError `unknown_batch` for an id that no batch has, `not_allowed` for a batch of another's campaign. */
export async function assertSeesBatch(db: Kysely<Tables>, actor: Actor, batchId: string): Promise<void> {
  const { inCampaignsOf } = await sightOf(db, actor);
  if (inCampaignsOf === null) return;
  const batch = await db
    .selectFrom('batches')
    .select((eb) => ['batch_id', inTheirCampaigns(eb, inCampaignsOf).as('seen')])
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  if (!batch || batch.seen) return; // that there is none is said by who reads it
  throw new LedgerError(
    'not_allowed',
    `Cannot show ${batchId}: ${actor.name} sees the campaigns in which they submitted, and does not have ${roleWords('see_all')}`,
  );
}

/** Whether a batch of the query belongs to a campaign in which the person submitted. */
export function inTheirCampaigns(eb: ExpressionBuilder<Tables, 'batches'>, name: string) {
  return eb(
    'batches.lineage_no',
    'in',
    eb.selectFrom('batches as theirs').select('theirs.lineage_no').where('theirs.submitted_by', '=', name),
  );
}
