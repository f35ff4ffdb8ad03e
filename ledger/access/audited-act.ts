import { type Act, type Actor, mayAct, rolesFor } from '../../domain/roles.js';
import { type Ledger, LedgerError, type LedgerErrorCode, type Tx } from '../ledger.js';
import { appendAudit } from './audit.js';

/** Somebody's attempt to do something to a batch, a budget or a person. */
export interface Deed {
  readonly actor: Actor;
  readonly act: Act;
  readonly object: string;
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
        if (!mayAct(actor, act)) throw new LedgerError('not_allowed', refusalOf(deed));
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

function refusalOf({ actor, act, object }: Deed): string {
  const has = actor.roles.length === 0 ? 'no role' : actor.roles.join(', ');
  return `Cannot ${act} ${object}: ${actor.name} has ${has}; ${rolesFor(act).join(' or ')} may`;
}
