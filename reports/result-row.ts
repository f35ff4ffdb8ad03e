import { eachRow, type FileView, type RowView, readRow } from '../ledger/batches/rows.js';
import type { Ledger } from '../ledger/ledger.js';

/** A row of the sheet and where its movie is, whichever batch made it. */
export interface ResultRow {
  readonly row: RowView;
  /** Files of this batch, or of the earlier one that delivered the same movie. */
  readonly files: readonly FileView[];
  readonly movieId: string | null;
  readonly verdict: string | null;
  /** Why there is no movie, or whose it is; null where the state says it all. */
  readonly reason: string | null;
  /** What the movie cost, in the currency of `batchId`; null where nothing is posted, `batchId` null for this batch. */
  readonly paid: { readonly amountMinor: number; readonly batchId: string | null } | null;
}

/** Every row in the order of the sheet, a page in memory at a time. */
export async function* eachResult(ledger: Ledger, batchId: string): AsyncGenerator<ResultRow, void, undefined> {
  for await (const row of eachRow(ledger, batchId)) yield await resultOf(ledger, row);
}

/** A row and where its movie is. */
export async function resultOf(ledger: Ledger, row: RowView): Promise<ResultRow> {
  const { files, movieId, verdict, classDetail } = row;
  if (row.state === 'unchanged' && classDetail) {
    const earlier = await readRow(ledger, classDetail.batchId, classDetail.rowKey ?? row.rowKey);
    const where = earlier.archived ? ', which is archived: its files are listed there' : '';
    const reason = `delivered before, in ${classDetail.batchId}${where}`;
    return {
      row,
      files: earlier.archived ? [] : earlier.files,
      movieId: earlier.movieId,
      verdict: earlier.verdict,
      reason,
      paid: paidFor(earlier, classDetail.batchId),
    };
  }
  return { row, files, movieId, verdict, reason: row.reason ?? reasonOfClass(row), paid: paidFor(row, null) };
}

function paidFor({ money, amountMinor }: RowView, batchId: string | null): ResultRow['paid'] {
  return money === 'posted' && amountMinor !== null ? { amountMinor, batchId } : null;
}

/** Rows that the batch did not order say why. */
function reasonOfClass({ ordered, class: rowClass, classDetail }: RowView): string | null {
  if (ordered || classDetail === null) return null;
  const { batchId, state, rowKey } = classDetail;
  switch (rowClass) {
    case 'open':
      return `being made in ${batchId}`;
    case 'open_changed':
      return `an earlier form of it is being made in ${batchId}`;
    case 'failed_before':
      return `${state ?? 'not delivered'} before, in ${batchId}; --include ${state ?? 'failed'} orders it again`;
    case 'respend':
      return `changed since it was paid in ${batchId}; --respend orders it again`;
    case 'duplicate':
      return `the same content was paid as ${rowKey ?? 'another row'} in ${batchId}; --allow-duplicates orders it again`;
    case 'unknown':
      return `an order of it in ${batchId} has no known outcome; greenlight unknown list`;
    case 'new':
    case 'redo': // is always ordered
    case 'unchanged':
      return null;
    default:
      return rowClass satisfies never;
  }
}
