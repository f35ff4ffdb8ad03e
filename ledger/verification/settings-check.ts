import type { Kysely } from 'kysely';
import { canonicalJson } from '../../domain/digests/canonical.js';
import type { Tables } from '../database/tables.js';
import { eventsOf, newestByObject, type RecordedEvent } from './audit-events.js';
import { budgetName } from './counter-check.js';
import { type BookFault, differences, otherFault, type Stored } from './ledger-fault.js';

/** Compares limits, people and policy with the audit: whoever may change them leaves a record. */
export async function checkSettings(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  return [...(await budgetFaults(db)), ...(await peopleFaults(db)), ...(await policyFaults(db))];
}

async function budgetFaults(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const set = limitRecords(await eventsOf(db, ['budget_set']));
  const stopped = newestByObject(await eventsOf(db, ['budget_stop', 'budget_start']));
  const budgets = await db.selectFrom('budgets').selectAll().orderBy('path').execute();
  const names = new Set(budgets.map(budgetName));
  // Of an older record nobody knows whether a rehearsal came of it.
  const missing = [...set].filter(
    ([name, { detail, object }]) => !names.has(name) && (detail.rehearsal === true || name === `budget ${object}`),
  );
  return [
    ...missing.map(([name]) => otherFault('budget_missing', name, 'the audit has it')),
    ...budgets.flatMap(({ path, rehearsal, currency, limit_minor, stopped_ms }) => {
      const name = budgetName({ path, rehearsal });
      const detail = set.get(name)?.detail;
      const stop = stopped.get(path);
      const pairs: readonly Stored[] = [
        ['limit', limit_minor, detail?.limit_minor],
        ['currency', currency, detail?.currency],
        ['stopped at', stopped_ms, stop?.act === 'budget_stop' ? stop.at_ms : null],
      ];
      return differences(pairs).map((words) => otherFault('budget_changed', name, words));
    }),
  ];
}

/** The newest record of each level. Older records do not say of which money they are: then both kinds have that limit. */
function limitRecords(events: readonly RecordedEvent[]): ReadonlyMap<string, RecordedEvent> {
  const records = new Map<string, RecordedEvent>();
  for (const event of events) {
    const { rehearsal } = event.detail;
    for (const kind of typeof rehearsal === 'boolean' ? [Number(rehearsal)] : [0, 1]) {
      records.set(budgetName({ path: event.object, rehearsal: kind }), event);
    }
  }
  return records;
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
