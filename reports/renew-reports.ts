import type { Service } from '../domain/service.js';
import { readBatch } from '../ledger/batches/batches.js';
import type { Ledger } from '../ledger/ledger.js';
import { batchesToReport, markReported } from '../ledger/progress/due-reports.js';
import type { ReportTarget } from './report-folder.js';
import { writeReports } from './write-reports.js';

export interface ArchiveReports {
  readonly ledger: Ledger;
  /** Where the archive keeps the reports of a batch. */
  readonly reportFolder: (batchId: string) => ReportTarget;
  readonly clock: () => number;
}

/**
 * Writes the reports of a batch into its archive, and remembers in the ledger how far they are. A batch that orders
 * nothing leaves no folder: `greenlight results` writes its reports for who wants them.
 */
export async function reportBatch({ ledger, reportFolder, clock }: ArchiveReports, batchId: string): Promise<void> {
  const batch = await readBatch(ledger, batchId);
  const isEmpty = batch.rowsToOrder === 0 && batch.sealedAtMs !== null;
  const revision = isEmpty
    ? batch.revision
    : await writeReports({ ledger, target: reportFolder(batchId), batchId, nowMs: clock() });
  await markReported(ledger, { batchId, revision });
}

/**
 * Writes anew what is out of date: after a late proof, a person's word or an invoice, a provisional certificate becomes
 * final and shows what was corrected.
 */
export async function renewReports(reports: ArchiveReports, service: Service): Promise<void> {
  for (const batchId of await batchesToReport(reports.ledger, { service })) await reportBatch(reports, batchId);
}
