import { readBatch } from '../ledger/batches.js';
import type { Ledger } from '../ledger/ledger.js';
import { eachRow } from '../ledger/rows.js';
import { certificateFacts } from '../ledger/settling.js';
import { certificate } from './certificate.js';
import type { ReportTarget } from './report-folder.js';
import { eachResult } from './result-row.js';
import { needsByteOrderMark, resultsCsv } from './results-csv.js';
import { resultsJsonl } from './results-jsonl.js';
import { writeGallery } from './write-gallery.js';

export interface ReportOptions {
  readonly ledger: Ledger;
  readonly target: ReportTarget;
  readonly batchId: string;
  readonly nowMs: number;
  /** From the folder of the reports to the root of the archive; the batch's own folder lies right in it. */
  readonly toArchive?: string;
}

/**
 * Writes results.csv, results.jsonl, gallery.html and certificate.json of a batch as it stands, the certificate last.
 * A batch of any size passes through page by page; earlier reports of it are replaced.
 */
export async function writeReports({ ledger, target, batchId, nowMs, toArchive = '..' }: ReportOptions): Promise<void> {
  const batch = await readBatch(ledger, batchId);
  const { columns } = batch;
  const { currency } = batch.money;
  const rows = () => eachResult(ledger, batchId);
  const marked = await needsByteOrderMark(columns, eachRow(ledger, batchId));
  await target.write('results.csv', resultsCsv(rows(), { columns, currency, marked }));
  await target.write('results.jsonl', resultsJsonl(rows(), { batchId, currency }));
  const facts = await certificateFacts(ledger, batchId);
  await writeGallery(target, { batch, counts: facts.counts, rows: rows(), toArchive });
  await target.write('certificate.json', [certificate(batch, facts, nowMs)]);
}
