import type { Kysely } from 'kysely';
import { levelWithoutRoom, roomMinor } from '../../domain/budget-room.js';
import type { Tables } from '../database/tables.js';
import { readLevels } from '../money/budget-levels.js';
import type { BatchView } from './batches.js';

/** What keeps a batch from going on that neither a person's decision nor a stop says. */
export type HoldUp =
  /** Its total does not fit the level: an approval would be refused. */
  | { readonly kind: 'budget'; readonly path: string; readonly availableMinor: number; readonly currency: string }
  /** As many movies are in progress as may be, at the service or of the batch. */
  | { readonly kind: 'in_flight'; readonly of: 'service' | 'batch'; readonly limit: number };

export async function holdUpOf(db: Kysely<Tables>, batch: BatchView, rowsLeft: number): Promise<HoldUp | null> {
  if (batch.state === 'waiting') {
    const full = levelWithoutRoom(
      await readLevels(db, { path: batch.settings.budgetPath, rehearsal: batch.service.rehearsal }),
      batch.totalMinor ?? 0,
    );
    if (!full) return null;
    const { path, currency } = full;
    return { kind: 'budget', path, availableMinor: roomMinor(full), currency };
  }
  if (batch.state !== 'making' || rowsLeft === 0) return null;
  const { service_in, service_max, batch_in, batch_max } = await db
    .selectFrom('batches')
    .innerJoin('services', 'services.service_no', 'batches.service_no')
    .select(['services.in_flight as service_in', 'services.max_in_flight as service_max'])
    .select(['batches.in_flight as batch_in', 'batches.max_in_flight as batch_max'])
    .where('batch_id', '=', batch.batchId)
    .executeTakeFirstOrThrow();
  if (service_max !== null && service_in >= service_max)
    return { kind: 'in_flight', of: 'service', limit: service_max };
  return batch_max !== null && batch_in >= batch_max ? { kind: 'in_flight', of: 'batch', limit: batch_max } : null;
}
