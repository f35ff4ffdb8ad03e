import type { Kysely } from 'kysely';
import { canonicalJson } from '../../domain/digests/canonical.js';
import type { Tables } from '../database/tables.js';
import { eventsOf, newestByObject } from './audit-events.js';
import { type BookFault, differences, otherFault, type Stored } from './ledger-fault.js';

/** Compares limits, people and policy with the audit: whoever may change them leaves a record. */
export async function checkSettings(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  return [...(await budgetFaults(db)), ...(await peopleFaults(db)), ...(await policyFaults(db))];
}

async function budgetFaults(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const set = newestByObject(await eventsOf(db, ['budget_set']));
  const stopped = newestByObject(await eventsOf(db, ['budget_stop', 'budget_start']));
  const budgets = await db.selectFrom('budgets').selectAll().orderBy('path').execute();
  const paths = new Set(budgets.map(({ path }) => path));
  const missing = [...set.keys()].filter((path) => !paths.has(path));
  return [
    ...missing.map((path) => otherFault('budget_missing', `budget ${path}`, 'the audit has it')),
    ...budgets.flatMap(({ path, currency, limit_minor, stopped_ms }) => {
      const detail = set.get(path)?.detail;
      const stop = stopped.get(path);
      const pairs: readonly Stored[] = [
        ['limit', limit_minor, detail?.limit_minor],
        ['currency', currency, detail?.currency],
        ['stopped at', stopped_ms, stop?.act === 'budget_stop' ? stop.at_ms : null],
      ];
      return differences(pairs).map((words) => otherFault('budget_changed', `budget ${path}`, words));
    }),
  ];
}

async function peopleFaults(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const added = newestByObject(await eventsOf(db, ['people_add']));
  const removed = newestByObject(await eventsOf(db, ['people_remove']));
  const people = await db.selectFrom('people').selectAll().orderBy('name').execute();
  const names = new Set(people.map(({ name }) => name));
  const missing = [...added.keys()].filter((name) => !names.has(name));
  return [
    ...missing.map((name) => otherFault('person_missing', `person ${name}`, 'the audit has them')),
    ...people.flatMap(({ name, roles, added_by, removed_ms }) => {
      const event = added.get(name);
      const pairs: readonly Stored[] = [
        ['roles', canonicalJson(JSON.parse(roles)), canonicalJson(event?.detail.roles ?? null)],
        ['added by', added_by, event?.actor],
        ['removed at', removed_ms, removed.get(name)?.at_ms ?? null],
      ];
      return differences(pairs).map((words) => otherFault('person_changed', `person ${name}`, words));
    }),
  ];
}

async function policyFaults(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const changes = await eventsOf(db, ['policy']);
  const { policy, policy_version } = await db
    .selectFrom('ledger')
    .select(['policy', 'policy_version'])
    .executeTakeFirstOrThrow();
  const last = changes.at(-1);
  const pairs: Stored[] = [['version', policy_version, changes.length + 1]];
  if (last) pairs.push(['policy', canonicalJson(JSON.parse(policy)), canonicalJson(last.detail.after)]);
  return differences(pairs).map((words) => otherFault('policy_changed', 'policy', words));
}
