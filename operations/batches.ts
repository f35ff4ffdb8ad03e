import type { RowCounts } from '../domain/batch-state.js';
import type { Actor } from '../domain/roles.js';
import { assertSeesBatch, sightOf } from '../ledger/access/sight.js';
import { isBatch } from '../ledger/batches/batch-record.js';
import * as batches from '../ledger/batches/batches.js';
import { type HoldUp, holdUpOf } from '../ledger/batches/hold-up.js';
import type { RowPage } from '../ledger/batches/row-filter.js';
import * as lines from '../ledger/batches/row-lines.js';
import * as rows from '../ledger/batches/rows.js';
import type { Ledger } from '../ledger/ledger.js';
import { type InvoicedShare, invoicedShare } from '../ledger/money/invoiced-batches.js';
import type { OperationDeps } from './deps.js';

type Books = Pick<OperationDeps, 'ledger'>;

/** Who views which batch. Everything below first checks whether they may: `see_all`, or a campaign of their own. */
export interface BatchLook {
  readonly batchId: string;
  readonly actor: Actor;
}

/** A batch and how many of its rows are in each state. */
export interface BatchStatus {
  readonly batch: batches.BatchView;
  readonly counts: RowCounts;
  /** The budget or limit in the way. */
  readonly heldUpBy: HoldUp | null;
  /** How far invoices cover it; only for a batch that has ended and is shown alone. */
  readonly invoiced?: InvoicedShare;
}

/** @throws LedgerError `unknown_batch`, or `not_allowed` for a batch of a campaign that is not the person's. */
export async function readBatch({ ledger }: Books, { batchId, actor }: BatchLook): Promise<BatchStatus> {
  await assertSeesBatch(ledger.db, actor, batchId);
  const status = await statusOf(ledger, await batches.readBatch(ledger, batchId));
  // It reads every order: not while each movie changes it and somebody may be watching.
  const isOver = status.batch.settledAtMs !== null;
  return { ...status, ...(isOver && { invoiced: await invoicedShare(ledger.db, batchId) }) };
}

async function statusOf(ledger: Ledger, batch: batches.BatchView, known?: RowCounts): Promise<BatchStatus> {
  const counts = known ?? (await rows.countRows(ledger, batch.batchId));
  const rowsLeft = (counts.planned ?? 0) + (counts.blocked ?? 0);
  return { batch, counts, heldUpBy: await holdUpOf(ledger.db, batch, rowsLeft) };
}

export type BatchListLook = Omit<batches.BatchFilter, 'inCampaignsOf'> & { readonly actor: Actor };

/** Newest first; only those that the person may see. */
export async function listBatches(
  { ledger }: Books,
  { actor, ...filter }: BatchListLook,
): Promise<readonly BatchStatus[]> {
  const found = await batches.listBatches(ledger, { ...filter, ...(await sightOf(ledger.db, actor)) });
  const counts = await rows.countsOfMany(
    ledger.db,
    found.map(({ batchId }) => batchId),
  );
  return Promise.all(found.map((batch) => statusOf(ledger, batch, counts.get(batch.batchId))));
}

/** Whether a word names a batch, or a campaign with batches that the person sees; `batch` when it names neither. */
export async function isBatchOrCampaign(
  books: Books,
  { id, actor }: { readonly id: string; readonly actor: Actor },
): Promise<'batch' | 'campaign'> {
  if (await isBatch(books.ledger, id)) return 'batch';
  const found = await listBatches(books, { actor, campaign: id, limit: 1 });
  return found.length > 0 ? 'campaign' : 'batch';
}

/** How many batches the person may see, by state, and how many of them are stopped. */
export async function countBatches(
  { ledger }: Books,
  { actor }: { readonly actor: Actor },
): Promise<Awaited<ReturnType<typeof batches.countBatches>>> {
  return batches.countBatches(ledger, await sightOf(ledger.db, actor));
}

/** Rows of a batch in the order of its sheet. */
export async function listRows(
  { ledger }: Books,
  { batchId, actor, ...filter }: BatchLook & RowPage,
): Promise<readonly rows.RowView[]> {
  await assertSeesBatch(ledger.db, actor, batchId);
  return rows.listRows(ledger, batchId, filter);
}

/** The same rows as a list shows them: without brief, cells and files, for a tenth of the cost. */
export async function listRowLines(
  { ledger }: Books,
  { batchId, actor, ...filter }: BatchLook & RowPage,
): Promise<readonly lines.RowLine[]> {
  await assertSeesBatch(ledger.db, actor, batchId);
  return lines.listRowLines(ledger, batchId, filter);
}

/** Every row in the order of the sheet, a page in memory at a time. */
export async function* eachRow(
  { ledger }: Books,
  { batchId, actor }: BatchLook,
): AsyncGenerator<rows.RowView, void, undefined> {
  await assertSeesBatch(ledger.db, actor, batchId);
  await batches.readBatch(ledger, batchId);
  yield* rows.eachRow(ledger, batchId);
}
