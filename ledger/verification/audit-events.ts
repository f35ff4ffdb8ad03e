import type { Kysely } from 'kysely';
import type { AuditTable, Tables } from '../database/tables.js';

/** A record of the audit, its detail read. */
export interface RecordedEvent extends Pick<AuditTable, 'seq' | 'at_ms' | 'actor' | 'channel' | 'act' | 'object'> {
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The records of these acts, the oldest first. */
export async function eventsOf(db: Kysely<Tables>, acts: readonly string[]): Promise<readonly RecordedEvent[]> {
  const records = await db.selectFrom('audit').selectAll().where('act', 'in', acts).orderBy('seq').execute();
  return records.map(({ seq, at_ms, actor, channel, act, object, detail }) => ({
    ...{ seq, at_ms, actor, channel, act, object },
    detail: JSON.parse(detail) as RecordedEvent['detail'], // written by appendAudit
  }));
}

/** By object, the newest record of each. */
export function newestByObject(events: readonly RecordedEvent[]): ReadonlyMap<string, RecordedEvent> {
  return new Map(events.map((event) => [event.object, event]));
}
