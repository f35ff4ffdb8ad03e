import type { Kysely } from 'kysely';
import { changedFields } from '../../domain/brief-changes.js';
import type { Brief } from '../../domain/brief.js';
import { digestBriefs } from '../../domain/digests/briefs-digest.js';
import type { Actor } from '../../domain/roles.js';
import { type Classified, classifyRow, type RowHistory } from '../../domain/row-class.js';
import type { RowState } from '../../domain/row-state.js';
import type { Service } from '../../domain/service.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { isInArchivedFile } from '../archived/archived-error.js';
import { nextBatchId } from '../batches/batch-id.js';
import type { BatchSettings } from '../batches/batch-record.js';
import type { ClassDetail } from '../batches/rows.js';
import { serviceNumber } from '../batches/services.js';
import { type ColumnOf, insertMany } from '../database/insert-many.js';
import { countRowsAnew } from '../database/postgres.js';
import type { Tables } from '../database/tables.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { readLevels } from '../money/budget-levels.js';
import { noBudget, otherCurrency } from '../money/commit.js';
import { marketIn } from '../movie-reviews/markets.js';
import { anyHistory, historiesOf } from './row-histories.js';

export interface NewRow {
  readonly brief: Brief;
  /** `contentDigest` of the brief, all its references known. */
  readonly contentDigest: string;
  /** The sheet's own cells, in the order of its columns. */
  readonly cells: readonly string[];
  /** As a spreadsheet numbers it. */
  readonly row: number;
}

export interface NewBatch {
  readonly service: Service;
  readonly campaign: string;
  readonly settings: BatchSettings;
  readonly manifest: { readonly name: string; readonly columns: readonly string[] };
  /**
   * Reads the sheet by pages, from its beginning: a transaction may run again. Must not use the ledger, since the whole
   * batch is one transaction.
   */
  readonly rows: () => AsyncIterable<readonly NewRow[]>;
  readonly actor: Actor;
  readonly nowMs: number;
}

/** Rows written at a time; their histories are asked for together. */
const pageSize = 1_000;

/**
 * Stores a sheet as the campaign's next batch, each row with its class, in state `preparing`. Orders nothing.
 *
 * @throws LedgerError without the role, without a budget on the path, for a sheet without rows.
 */
export async function createBatch(ledger: Ledger, batch: NewBatch): Promise<{ readonly batchId: string }> {
  const { campaign, actor, nowMs } = batch;
  const stored = await auditedAct(ledger, { actor, act: 'submit', object: campaign, nowMs }, (tx) =>
    storeBatch(tx, batch),
  );
  await afterStoring(ledger, stored);
  return { batchId: stored.batchId };
}

export interface StoredBatch {
  readonly batchId: string;
  readonly rows: number;
}

/** To be called once the transaction of `storeBatch` is committed. */
export async function afterStoring(ledger: Ledger, { rows }: StoredBatch): Promise<void> {
  if (rows >= pageSize) await countRowsAnew(ledger.db);
}

/** `createBatch` within the caller's transaction, for who has checked the role. */
export async function storeBatch(tx: Tx, batch: NewBatch): Promise<StoredBatch> {
  const { campaign, settings, manifest, actor, nowMs } = batch;
  const budget = { path: settings.budgetPath, rehearsal: batch.service.rehearsal };
  const levels = await readLevels(tx, budget);
  const innermost = levels.at(-1);
  if (!innermost) throw noBudget(campaign, budget);
  const currency = settings.currency ?? innermost.currency;
  if (currency !== innermost.currency) throw otherCurrency(campaign, currency, innermost);
  const serviceNo = await serviceNumber(tx, batch.service);
  const { batchId, number } = await nextBatchId(tx, campaign);
  const lineageNo = await lineageNumber(tx, serviceNo, campaign);
  await tx
    .insertInto('batches')
    .values({
      ...{ batch_id: batchId, lineage_no: lineageNo, service_no: serviceNo, number, state: 'preparing' },
      ...{ settings: JSON.stringify(settings), budget_path: settings.budgetPath, currency },
      rehearsal: batch.service.rehearsal ? 1 : 0,
      ...{ manifest_name: manifest.name, manifest_columns: JSON.stringify(manifest.columns), briefs_digest: '' },
      ...{ submitted_by: actor.name, submitted_ms: nowMs, max_in_flight: settings.maxInFlight },
      ...{ canary_left: settings.canary, trips_above: settings.tolerance },
    })
    .execute();
  const { inSheet, toOrder, briefsDigest } = await storeRows(tx, batch, { batchId, serviceNo, lineageNo });
  await tx
    .updateTable('batches')
    .set({ rows_in_sheet: inSheet, rows_to_order: toOrder, briefs_digest: briefsDigest })
    .where('batch_id', '=', batchId)
    .execute();
  const detail = { manifest: manifest.name, rows: inSheet, to_order: toOrder, budget: settings.budgetPath };
  await appendAudit(tx, { atMs: nowMs, actor, act: 'submit', object: batchId, detail });
  return { batchId, rows: inSheet };
}

interface Place {
  readonly batchId: string;
  readonly serviceNo: number;
  readonly lineageNo: number;
}

async function storeRows(
  tx: Tx,
  { rows, settings, campaign, manifest }: NewBatch,
  place: Place,
): Promise<{ readonly inSheet: number; readonly toOrder: number; readonly briefsDigest: string }> {
  const briefs = digestBriefs(settings);
  const marketOf = marketIn(manifest.columns);
  const hasHistory = await anyHistory(tx, place);
  let inSheet = 0;
  let toOrder = 0;
  let writing: Promise<void> = Promise.resolve();
  for await (const given of rows()) {
    for (let from = 0; from < given.length; from += pageSize) {
      const page = given.slice(from, from + pageSize);
      for (const { brief, contentDigest } of page) briefs.add({ rowKey: brief.rowKey, contentDigest });
      const classes = hasHistory ? await classesOf(tx, page, { settings, place }) : page.map(() => newToUs);
      // The next page is put together while the database takes this one.
      const before = writing;
      const columns = rowColumns(place, { classes, firstPosition: inSheet, marketOf });
      writing = insertMany(tx, 'rows', { rows: page, columns });
      writing.catch(() => undefined); // thrown where it is awaited, below
      await before;
      inSheet += page.length;
      for (const { classified } of classes) if (classified.ordered) toOrder += 1;
    }
  }
  await writing;
  if (inSheet === 0) throw new LedgerError('bad_argument', `Cannot submit ${campaign}: the sheet has no rows`);
  return { inSheet, toOrder, briefsDigest: briefs.digest() };
}

interface RowClassified {
  readonly classified: Classified;
  readonly detail: ClassDetail | null;
}

const newToUs: RowClassified = { classified: { class: 'new', ordered: true, of: null }, detail: null };

async function classesOf(
  tx: Tx,
  page: readonly NewRow[],
  { settings, place }: { readonly settings: BatchSettings; readonly place: Place },
): Promise<readonly RowClassified[]> {
  const asked = page.map(({ brief, contentDigest }) => ({ rowKey: brief.rowKey, contentDigest }));
  const historyOf = await historiesOf(tx, { ...place, rows: asked });
  const classes: RowClassified[] = [];
  for (const { brief, contentDigest } of page) {
    const history = historyOf(brief.rowKey);
    const classified = classifyRow(contentDigest, history, settings);
    classes.push({ classified, detail: classified.of && (await classDetail(tx, classified, { brief, history })) });
  }
  return classes;
}

interface PageFacts {
  readonly classes: readonly RowClassified[];
  readonly firstPosition: number;
  readonly marketOf: ReturnType<typeof marketIn>;
}

function rowColumns(
  { batchId, lineageNo }: Place,
  { classes, firstPosition, marketOf }: PageFacts,
): readonly ColumnOf<NewRow>[] {
  const ofRow: readonly ColumnOf<NewRow>[] = [
    ['batch_id', batchId],
    ['lineage_no', lineageNo],
    ['position', 'int', (_, index) => firstPosition + index],
    ['row_key', 'text', ({ brief }) => brief.rowKey],
    ['sheet_row', 'int', ({ row }) => row],
    ['content_digest', 'text', ({ contentDigest }) => contentDigest],
    ['brief', 'text', ({ brief }) => JSON.stringify(brief)],
    ['cells', 'text', ({ cells }) => JSON.stringify(cells)],
    ...(marketOf ? [['market', 'text', marketOf] as const] : []),
  ];
  if (classes.every((one) => one === newToUs)) {
    return [...ofRow, ['class', 'new'], ['class_of', null], ['ordered', 1], ['state', 'planned']];
  }
  const classOf = (index: number) => classes[index] ?? newToUs;
  return [
    ...ofRow,
    ['class', 'text', (_, index) => classOf(index).classified.class],
    ['class_of', 'text', (_, index) => classOf(index).detail && JSON.stringify(classOf(index).detail)],
    ['ordered', 'int', (_, index) => (classOf(index).classified.ordered ? 1 : 0)],
    ['state', 'text', (_, index) => stateOf(classOf(index).classified)],
  ];
}

/** Where a row begins: planned, or out of this batch for the reason that its class gives. */
export function stateOf({ class: rowClass, ordered }: Classified): RowState {
  if (ordered) return 'planned';
  if (rowClass === 'unchanged') return 'unchanged';
  return rowClass === 'open' ? 'open_elsewhere' : 'left_out';
}

/** For a row that would be paid again, also which fields differ from what was paid last. */
export async function classDetail(
  db: Kysely<Tables>,
  classified: Classified,
  { brief, history }: { readonly brief: Brief; readonly history: RowHistory },
): Promise<ClassDetail | null> {
  if (!classified.of) return null;
  const last = history.paid.at(-1);
  if (classified.class !== 'respend' || !last) return classified.of;
  const paid = await db
    .selectFrom('rows')
    .select('brief')
    .where('batch_id', '=', last.batchId)
    .where('row_key', '=', brief.rowKey)
    .executeTakeFirstOrThrow();
  if (isInArchivedFile(paid)) return classified.of;
  return { ...classified.of, changed: changedFields(JSON.parse(paid.brief) as Brief, brief) };
}

/** Takes the campaign's lock, too: two batches of one campaign are classified one after the other. */
async function lineageNumber(tx: Tx, serviceNo: number, campaign: string): Promise<number> {
  const { lineage_no } = await tx
    .insertInto('lineages')
    .values({ service_no: serviceNo, campaign })
    .onConflict((conflict) => conflict.columns(['service_no', 'campaign']).doUpdateSet({ campaign }))
    .returning('lineage_no')
    .executeTakeFirstOrThrow();
  return lineage_no;
}
