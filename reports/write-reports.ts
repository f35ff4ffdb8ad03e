import { type BatchView, readBatch } from '../ledger/batches/batches.js';
import { hasNonAscii } from '../ledger/batches/class-totals.js';
import type { Ledger } from '../ledger/ledger.js';
import { certificateFacts } from '../ledger/progress/certificate-facts.js';
import { CertificateWriter } from './certificate.js';
import { GalleryWriter } from './gallery/write-gallery.js';
import type { Addresses } from './link-in-archive.js';
import type { ReportTarget } from './report-folder.js';
import { eachResult, type ResultRow } from './result-row.js';
import { resultsCsvHead, resultsCsvRow } from './results-csv.js';
import { resultsJsonlRow } from './results-jsonl.js';

export interface ReportOptions {
  readonly ledger: Ledger;
  readonly target: ReportTarget;
  readonly batchId: string;
  readonly nowMs: number;
  /** From the folder of the reports to the root of the archive; the batch's own folder lies right in it. */
  readonly toArchive?: string;
  /** The address of a file of the archive, for whoever reaches it by another way than the reports' own folder. */
  readonly addressOf?: AddressOf;
}

export type AddressOf = (path: string) => Promise<string>;

/**
 * Writes results.csv, results.jsonl, gallery.html and certificate.json of a batch as it stands, the certificate last.
 * The rows of a batch of any size pass by once, page by page; earlier reports of it are replaced.
 *
 * @returns the revision of the batch that they show.
 */
export async function writeReports(options: ReportOptions): Promise<number> {
  const { ledger, target, batchId, nowMs, toArchive = '..', addressOf } = options;
  const batch = await readBatch(ledger, batchId);
  const facts = await certificateFacts(ledger, batchId);
  const gallery = new GalleryWriter(target, { batch, counts: facts.counts, toArchive });
  const file = await target.begin('certificate.json');
  try {
    const certificate = await CertificateWriter.begin(file, { batch, facts, nowMs });
    await writeRows({ ledger, target, batch, gallery, certificate, toArchive, addressOf });
    await certificate.end();
  } finally {
    await file.discard();
  }
  return batch.revision;
}

interface RowsOf extends Pick<ReportOptions, 'ledger' | 'target'> {
  readonly toArchive: string;
  readonly addressOf: AddressOf | undefined;
  readonly batch: BatchView;
  readonly gallery: GalleryWriter;
  readonly certificate: CertificateWriter;
}

async function writeRows(writing: RowsOf): Promise<void> {
  const { ledger, target, batch, gallery, certificate, toArchive, addressOf } = writing;
  const { batchId, columns, money } = batch;
  const { currency } = money;
  const marked = isForeign(columns.join()) || (await hasNonAscii(ledger, batchId));
  const sheet = { columns, currency, marked };
  const csv = await target.begin('results.csv');
  const jsonl = await target.begin('results.jsonl');
  try {
    await csv.write(resultsCsvHead(sheet));
    for await (const result of eachResult(ledger, batchId)) {
      const addresses = addressOf && (await addressesOf(result, addressOf));
      const elsewhere = addresses && { addresses };
      await csv.write(resultsCsvRow(result, { ...sheet, place: { batchId, toArchive, ...elsewhere } }));
      await jsonl.write(resultsJsonlRow(result, { batchId, currency, ...elsewhere }));
      await gallery.add(result, addresses);
      await certificate.add(result);
    }
    await gallery.end();
    await csv.publish();
    await jsonl.publish();
  } finally {
    await csv.discard();
    await jsonl.discard();
  }
}

async function addressesOf({ files }: ResultRow, addressOf: AddressOf): Promise<Addresses> {
  return new Map(await Promise.all(files.map(async ({ path }) => [path, await addressOf(path)] as const)));
}

/** Beyond ASCII, whose characters take one byte. */
function isForeign(text: string): boolean {
  return Buffer.byteLength(text) !== text.length;
}
