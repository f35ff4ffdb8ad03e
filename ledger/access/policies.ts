import type { Kysely } from 'kysely';
import type { Policy } from '../../domain/policy.js';
import type { Actor, SpendingRules } from '../../domain/roles.js';
import { onPostgres } from '../database/postgres.js';
import { prepared } from '../database/prepared-query.js';
import type { Tables } from '../database/tables.js';
import { type Ledger, LedgerError } from '../ledger.js';
import { appendAudit } from './audit.js';
import { auditedAct } from './audited-act.js';

export interface PolicyInForce {
  readonly policy: Policy;
  /** Grows with each change; part of what an approval is bound to. */
  readonly version: number;
}

const policyQuery = prepared((db, _: object) => db.selectFrom('ledger').select(['policy', 'policy_version']));

export async function readPolicy(db: Kysely<Tables>): Promise<PolicyInForce> {
  const [found] = await policyQuery(db, {});
  if (!found) throw new LedgerError('corrupt_books', 'Cannot read the policy: the ledger has none');
  return { policy: JSON.parse(found.policy) as Policy, version: found.policy_version }; // written here and by the migration
}

/** Working alone ends as soon as somebody is registered, and does not begin where several machines share the books. */
export async function spendingRules(db: Kysely<Tables>): Promise<SpendingRules> {
  const { policy } = await readPolicy(db);
  return { solo: policy.solo && !onPostgres(db) && !(await somebodyIsRegistered(db)) };
}

/** @throws LedgerError for who may not, and for solo work where it cannot be. */
export async function setPolicy(
  ledger: Ledger,
  { change, actor, nowMs }: { readonly change: Partial<Policy>; readonly actor: Actor; readonly nowMs: number },
): Promise<PolicyInForce> {
  return auditedAct(ledger, { actor, act: 'policy', object: 'policy', nowMs }, async (tx) => {
    const { policy: before, version } = await readPolicy(tx);
    const after = { ...before, ...change };
    if (change.solo && (onPostgres(tx) || (await somebodyIsRegistered(tx)))) {
      throw new LedgerError(
        'wrong_state',
        'Cannot set solo: people are registered or the ledger is shared; who submits does not approve there',
      );
    }
    await tx
      .updateTable('ledger')
      .set({ policy: JSON.stringify(after), policy_version: version + 1 })
      .execute();
    if (change.maxInFlight !== undefined) {
      await tx.updateTable('services').set({ max_in_flight: change.maxInFlight }).execute();
    }
    await appendAudit(tx, { atMs: nowMs, actor, act: 'policy', object: 'policy', detail: { before, after } });
    return { policy: after, version: version + 1 };
  });
}

async function somebodyIsRegistered(db: Kysely<Tables>): Promise<boolean> {
  const person = await db
    .selectFrom('people')
    .select('name')
    .where('removed_ms', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return person !== undefined;
}
