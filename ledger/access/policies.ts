import type { Kysely } from 'kysely';
import type { SpendingRules } from '../../domain/four-eyes.js';
import { changedRules, defaultPolicy, type Policy } from '../../domain/policy.js';
import type { Actor } from '../../domain/roles.js';
import { prepared } from '../database/prepared-query.js';
import type { Tables } from '../database/tables.js';
import { type Ledger, LedgerError } from '../ledger.js';
import { appendAudit } from './audit.js';
import { auditedAct } from './audited-act.js';
import { registrationOf } from './registration.js';

export interface PolicyInForce {
  readonly policy: Policy;
  /** Grows with each change; part of what an approval is bound to. */
  readonly version: number;
}

const policyQuery = prepared((db, _: object) => db.selectFrom('ledger').select(['policy', 'policy_version']));

export async function readPolicy(db: Kysely<Tables>): Promise<PolicyInForce> {
  const [found] = await policyQuery(db, {});
  if (!found) throw new LedgerError('corrupt_books', 'Cannot read the policy: the ledger has none');
  // Written here and by the migration; rules that are newer than the ledger have their default.
  const policy = { ...defaultPolicy, ...(JSON.parse(found.policy) as Partial<Policy>) };
  return { policy, version: found.policy_version };
}

/** What `maySpend` goes by. */
export async function spendingRules(db: Kysely<Tables>): Promise<SpendingRules> {
  const { policy } = await readPolicy(db);
  const registration = await registrationOf(db);
  const solo = policy.solo && registration === 'alone';
  const policyBy = policy.approveBelow === null ? [] : await whoSetApproveBelow(db);
  if (registration !== 'people') return { solo, policyBy, policyIsTheirs: true };
  const registered = await db
    .selectFrom('people')
    .select('name')
    .where('name', 'in', [...policyBy, ''])
    .execute();
  return { solo, policyBy, policyIsTheirs: policyBy.length > 0 && registered.length === policyBy.length };
}

/** Everybody who set or changed the amount since it was last `none`. */
async function whoSetApproveBelow(db: Kysely<Tables>): Promise<readonly string[]> {
  const changes = await db.selectFrom('policy_changes').selectAll().orderBy('version', 'desc').execute();
  const names = new Set<string>();
  for (const { by_name, ...change } of changes) {
    const { approveBelow: before } = JSON.parse(change.before) as Policy;
    const { approveBelow: after } = JSON.parse(change.after) as Policy;
    if (JSON.stringify(before) !== JSON.stringify(after)) names.add(by_name);
    if (before === null) break;
  }
  return [...names];
}

/** @throws LedgerError for who may not, and for solo work where it cannot be. */
export async function setPolicy(
  ledger: Ledger,
  { change, actor, nowMs }: { readonly change: Partial<Policy>; readonly actor: Actor; readonly nowMs: number },
): Promise<PolicyInForce> {
  const deed = { actor, act: 'policy', object: 'policy', words: 'change the policy', nowMs } as const;
  return auditedAct(ledger, deed, async (tx) => {
    if (change.solo && (await registrationOf(tx)) !== 'alone') {
      throw new LedgerError(
        'wrong_state',
        'Cannot set solo: people are registered or the ledger is shared; a submitter cannot approve there',
      );
    }
    // Takes the lock of the rules: two changes at once are two versions.
    const { policy: stored, policy_version: version } = await tx
      .updateTable('ledger')
      .set((eb) => ({ policy_version: eb('policy_version', '+', 1) }))
      .returning(['policy', 'policy_version'])
      .executeTakeFirstOrThrow();
    const before = JSON.parse(stored) as Policy;
    const after = { ...before, ...change };
    await tx
      .updateTable('ledger')
      .set({ policy: JSON.stringify(after) })
      .execute();
    await tx
      .insertInto('policy_changes')
      .values({ version, at_ms: nowMs, by_name: actor.name, before: stored, after: JSON.stringify(after) })
      .execute();
    if (change.maxInFlight !== undefined) {
      await tx.updateTable('services').set({ max_in_flight: change.maxInFlight }).execute();
    }
    await appendAudit(tx, { atMs: nowMs, actor, act: 'policy', object: 'policy', detail: { before, after } });
    return { policy: after, version };
  });
}

/**
 * What changed in the rules since a version, in words: `approve-below none is now 50.00 USD (by ana)`.
 *
 * @returns null when that version is in force.
 */
export async function policyChangedSince(tx: Kysely<Tables>, version: number): Promise<string | null> {
  const changes = await tx
    .selectFrom('policy_changes')
    .selectAll()
    .where('version', '>', version)
    .orderBy('version')
    .execute();
  const [first] = changes;
  if (!first) return null;
  const { policy: now } = await readPolicy(tx);
  const changed = changedRules(JSON.parse(first.before) as Policy, now);
  const names = [...new Set(changes.map(({ by_name }) => by_name))].join(', ');
  if (changed.length === 0) return `the policy was set again (by ${names})`;
  return `${changed.map(({ name, before, after }) => `${name} ${before} is now ${after}`).join(', ')} (by ${names})`;
}
