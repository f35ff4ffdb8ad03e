import type { Kysely, Selectable } from 'kysely';
import type { Brief } from '../../domain/brief.js';
import { type Classified, classifyRow, type RowHistory } from '../../domain/row-class.js';
import type { BatchRecord } from '../batches/batch-record.js';
import { settingsOf } from '../batches/batch-record.js';
import type { RowsTable, Tables } from '../database/tables.js';
import type { Tx } from '../ledger.js';
import { classDetail, stateOf } from './create-batch.js';
import { historiesOf, rowsWithHistory } from './row-histories.js';

const pageSize = 500;
const maxNamed = 3;

/**
 * Compares the classes of a sealed plan with the books as they are now, and corrects those that changed.
 *
 * @returns what changed, in words, or null when the plan stands.
 */
export async function correctClasses(tx: Tx, batch: BatchRecord): Promise<string | null> {
  const changes: string[] = [];
  for await (const { row, now, history } of changedClasses(tx, batch)) {
    changes.push(changeWords(row, now));
    const detail = await classDetail(tx, now, { brief: JSON.parse(row.brief) as Brief, history });
    const at = { batchId: batch.batch_id, position: row.position };
    await correctRow(tx, { ...at, now, classOf: detail && JSON.stringify(detail) });
  }
  return named(changes);
}

/** What `correctClasses` would find, for who only looks: the first changes in words, or null when the plan stands. */
export async function otherClasses(db: Kysely<Tables>, batch: BatchRecord): Promise<string | null> {
  const changes: string[] = [];
  for await (const { row, now } of changedClasses(db, batch)) {
    changes.push(changeWords(row, now));
    if (changes.length >= maxNamed) break;
  }
  return named(changes);
}

interface ChangedClass {
  readonly row: Pick<Selectable<RowsTable>, 'position' | 'row_key' | 'class' | 'brief'>;
  readonly now: Classified;
  readonly history: RowHistory;
}

/** A new row without any history is new still: it is not looked at one by one. */
async function* changedClasses(db: Kysely<Tables>, batch: BatchRecord): AsyncGenerator<ChangedClass> {
  const { batch_id: batchId, lineage_no: lineageNo, service_no: serviceNo } = batch;
  const positions = await rowsWithHistory(db, batch);
  for (let from = 0; from < positions.length; from += pageSize) {
    const page = await db
      .selectFrom('rows')
      .select(['position', 'row_key', 'content_digest', 'class', 'ordered', 'brief'])
      .where('batch_id', '=', batchId)
      .where('position', 'in', positions.slice(from, from + pageSize))
      .orderBy('position')
      .execute();
    const rows = page.map(({ row_key: rowKey, content_digest: contentDigest }) => ({ rowKey, contentDigest }));
    const historyOf = await historiesOf(db, { batchId, lineageNo, serviceNo, rows });
    for (const row of page) {
      const history = historyOf(row.row_key);
      const now = classifyRow(row.content_digest, history, settingsOf(batch));
      if (now.class !== row.class || now.ordered !== (row.ordered === 1)) yield { row, now, history };
    }
  }
}

function changeWords(row: ChangedClass['row'], now: Classified): string {
  return `${row.row_key} was ${words(row.class)}, is ${words(now.class)}`;
}

function named(changes: readonly string[]): string | null {
  if (changes.length === 0) return null;
  const more = changes.length > maxNamed ? ` and ${changes.length - maxNamed} more` : '';
  return `${changes.slice(0, maxNamed).join(', ')}${more}`;
}

interface Corrected {
  readonly batchId: string;
  readonly position: number;
  readonly now: Classified;
  readonly classOf: string | null;
}

async function correctRow(tx: Tx, { batchId, position, now, classOf }: Corrected): Promise<void> {
  const unpriced = {
    amount_minor: null,
    credits: null,
    runtime_seconds: null,
    estimated_ms: null,
    estimate_problem: null,
  };
  await tx
    .updateTable('rows')
    .set({ class: now.class, class_of: classOf, ordered: now.ordered ? 1 : 0, state: stateOf(now) })
    .$if(!now.ordered, (query) => query.set(unpriced))
    .where('batch_id', '=', batchId)
    .where('position', '=', position)
    .execute();
}

function words(rowClass: string): string {
  return rowClass.replaceAll('_', ' ');
}
