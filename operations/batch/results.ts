import { assertSeesBatch } from '../../ledger/access/sight.js';
import { readBatch } from '../../ledger/batches/batches.js';
import { listRows } from '../../ledger/batches/rows.js';
import { eachResult, type ResultRow, resultOf } from '../../reports/result-row.js';
import { resultsCsvHead, resultsCsvRow } from '../../reports/results-csv.js';
import type { BatchLook } from '../batches.js';
import type { OperationDeps } from '../deps.js';

type Books = Pick<OperationDeps, 'ledger'>;

/** A page of a batch's rows in the order of the sheet, with where each movie is. */
export async function listResults(
  { ledger }: Books,
  { batchId, actor, ...page }: BatchLook & { readonly afterPosition?: number; readonly limit: number },
): Promise<readonly ResultRow[]> {
  await assertSeesBatch(ledger.db, actor, batchId);
  await readBatch(ledger, batchId);
  const results: ResultRow[] = [];
  for (const row of await listRows(ledger, batchId, page)) results.push(await resultOf(ledger, row));
  return results;
}

/** The sheet with the outcome of each row, as in results.csv; some rows in memory at a time. */
export async function resultsCsv(
  { ledger }: Books,
  { batchId, actor }: BatchLook,
): Promise<AsyncGenerator<string, void, undefined>> {
  await assertSeesBatch(ledger.db, actor, batchId);
  const { columns, money } = await readBatch(ledger, batchId);
  // It has no place of its own: files are named by their paths in the archive.
  const place = { batchId, toArchive: '' };
  const sheet = { columns, currency: money.currency, marked: false, place };
  return (async function* () {
    yield resultsCsvHead(sheet);
    for await (const result of eachResult(ledger, batchId)) yield resultsCsvRow(result, sheet);
  })();
}
