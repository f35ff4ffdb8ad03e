import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.js';

/** Which records; all that is said has to hold. */
export interface AuditFilter {
  /** A batch, a budget path, a person. */
  readonly object?: string;
  /** The name of who did it. */
  readonly by?: string;
  /** As `approve` or `budget`: the act itself, and those that begin with it and `_`. */
  readonly kind?: string;
  readonly onlyRefused?: boolean;
  readonly sinceMs?: number;
  /** The first moment that is too late. */
  readonly untilMs?: number;
}

/** The records that a filter lets through, in no order. */
export function recordsOf(db: Kysely<Tables>, { object, by, kind, onlyRefused, sinceMs, untilMs }: AuditFilter) {
  let query = db.selectFrom('audit').selectAll();
  if (object !== undefined) query = query.where('object', '=', object);
  if (by !== undefined) query = query.where('actor', '=', by);
  if (kind !== undefined) {
    const family = `${kind}_`;
    query = query.where((eb) => eb.or([eb('act', '=', kind), eb(sql`substr(act, 1, ${family.length})`, '=', family)]));
  }
  if (onlyRefused) query = query.where(sql`substr(act, length(act) - 7)`, '=', '_refused');
  if (sinceMs !== undefined) query = query.where('at_ms', '>=', sinceMs);
  if (untilMs !== undefined) query = query.where('at_ms', '<', untilMs);
  return query;
}
