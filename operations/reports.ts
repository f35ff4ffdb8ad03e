import { assertSeesBatch } from '../ledger/access/sight.js';
import type { BatchView } from '../ledger/batches/batches.js';
import { readBatch } from '../ledger/batches/batches.js';
import type { ReportTarget } from '../reports/report-folder.js';
import { type AddressOf, writeReports as write } from '../reports/write-reports.js';
import type { BatchLook } from './batches.js';
import type { OperationDeps } from './deps.js';

export interface ReportsInput extends BatchLook {
  readonly target: ReportTarget;
  /** Path from the folder of the reports to the root of the archive, which holds the batch's own folder. */
  readonly toArchive?: string;
  readonly addressOf?: AddressOf;
}

/** Writes results.csv, results.jsonl, gallery.html and certificate.json of a batch as it is now, and returns that. */
export async function writeReports(
  { ledger, clock }: Pick<OperationDeps, 'ledger' | 'clock'>,
  { actor, batchId, ...where }: ReportsInput,
): Promise<BatchView> {
  await assertSeesBatch(ledger.db, actor, batchId);
  const batch = await readBatch(ledger, batchId);
  await write({ ledger, batchId, ...where, nowMs: clock() });
  return batch;
}
