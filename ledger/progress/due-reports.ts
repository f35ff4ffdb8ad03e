import type { Service } from '../../domain/service.js';
import { ofService } from '../batches/service-filter.js';
import type { Ledger } from '../ledger.js';

/** Batches that are over and changed since their reports were written, or have none yet; the oldest first. */
export async function batchesToReport(
  ledger: Ledger,
  { service }: { readonly service: Pick<Service, 'name' | 'baseUrl'> },
): Promise<readonly string[]> {
  const batches = await ledger.db
    .selectFrom('batches')
    .innerJoin('services', 'services.service_no', 'batches.service_no')
    .select('batches.batch_id')
    .where(ofService(service))
    .where('batches.state', 'in', ['closed', 'canceled', 'unsettled', 'refused', 'expired'])
    .where((eb) =>
      eb.or([eb('reported_revision', 'is', null), eb('reported_revision', '<', eb.ref('batches.revision'))]),
    )
    // Their reports are those of when they were archived.
    .where('batches.batch_id', 'not in', (eb) => eb.selectFrom('archived_batches').select('archived_batches.batch_id'))
    .orderBy('batches.submitted_ms')
    .orderBy('batches.batch_id')
    .execute();
  return batches.map(({ batch_id }) => batch_id);
}

/** That the reports in the archive show this revision. What changed meanwhile is reported again. */
export async function markReported(
  ledger: Ledger,
  { batchId, revision }: { readonly batchId: string; readonly revision: number },
): Promise<void> {
  await ledger.write((tx) =>
    tx.updateTable('batches').set({ reported_revision: revision }).where('batch_id', '=', batchId).execute(),
  );
}
