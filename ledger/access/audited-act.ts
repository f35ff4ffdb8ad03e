import { type Act, type Actor, mayAct, mayActOnOwn, rolesFor, roleWords } from '../../domain/roles.js';
import { type Ledger, LedgerError, type LedgerErrorCode, type Tx } from '../ledger.js';
import { appendAudit } from './audit.js';
import { lockPeople, rolesOf } from './registration.js';
import { standingOf } from './standing.js';

/** Somebody's attempt to do something to a batch, a budget or a person. */
export interface Deed {
  readonly actor: Actor;
  readonly act: Act;
  readonly object: string;
  /** The attempt as a refusal names it, where act and object do not read well: `remove ana`. */
  readonly words?: string;
  /** Beyond the role: whoever comes first to a ledger where nobody is registered, or the person whom the act is about. */
  readonly alsoOpenTo?: 'first' | 'self';
  readonly nowMs: number;
}

/** Slips of the hand; what is refused for any other reason is worth a line in the audit. */
const slips: readonly LedgerErrorCode[] = [
  'bad_argument',
  'unknown_batch',
  'unknown_row',
  'unknown_budget',
  'unknown_person',
];

/**
 * Runs a person's decision in one durable transaction, which begins with the check of their role. A refusal changes
 * nothing and is audited.
 *
 * @throws LedgerError of code `not_allowed` without the role, and whatever the work throws.
 */
export async function auditedAct<T>(ledger: Ledger, deed: Deed, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { actor, act, object, nowMs } = deed;
  try {
    return await ledger.write(
      async (tx) => {
        const refusal = await refusalOf(tx, deed);
        if (refusal !== null) {
          throw new LedgerError('not_allowed', `Cannot ${deed.words ?? `${act} ${object}`}: ${refusal}`);
        }
        return work(tx);
      },
      { durable: true },
    );
  } catch (error) {
    if (error instanceof LedgerError && !slips.includes(error.code)) {
      const detail = { code: error.code, reason: error.message };
      await ledger.write((tx) => appendAudit(tx, { atMs: nowMs, actor, act: `${act}_refused`, object, detail }));
    }
    throw error;
  }
}

/** Why the person may not, by their roles at this moment; null when they may. */
async function refusalOf(tx: Tx, { actor, act, object, alsoOpenTo }: Deed): Promise<string | null> {
  const isPerson = actor.channel === 'terminal' || actor.channel === 'web';
  if (!isPerson) return mayAct(actor, act) ? null : `${actor.name} may not`;
  if (act === 'people') await lockPeople(tx);
  const { registration, roles, isRegistered, barred } = await standingOf(tx, actor);
  if (mayAct({ ...actor, roles }, act)) return null;
  if (alsoOpenTo === 'self' && actor.name === object && isRegistered) return null;
  const isFirst = registration === 'nobody' && actor.channel === 'terminal' && !actor.alone;
  if (alsoOpenTo === 'first' && isFirst) return null;
  if (barred !== null) return barred;
  const mayIfOwn = mayActOnOwn({ ...actor, roles }, act);
  if (mayIfOwn && (await submitterOf(tx, object)) === actor.name) return null;
  const own = mayIfOwn ? ', and did not submit it' : '';
  return `${actor.name} does not have ${roleWords(act)}${own}${await holdersWords(tx, act)}`;
}

const shownHolders = 3;

/** As `; oli or kim may`: whom to ask. Empty where nobody has the role. */
async function holdersWords(tx: Tx, act: Act): Promise<string> {
  const people = await tx.selectFrom('people').select(['name', 'roles']).where('removed_ms', 'is', null).execute();
  const names = people
    .filter((person) => rolesOf(person).some((role) => rolesFor(act).includes(role)))
    .map(({ name }) => name)
    .sort();
  if (names.length === 0) return '';
  const more = names.length > shownHolders ? ` or ${names.length - shownHolders} more` : '';
  return `; ${names.slice(0, shownHolders).join(' or ')}${more} may`;
}

async function submitterOf(tx: Tx, batchId: string): Promise<string | undefined> {
  const batch = await tx
    .selectFrom('batches')
    .select('submitted_by')
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  return batch?.submitted_by;
}
