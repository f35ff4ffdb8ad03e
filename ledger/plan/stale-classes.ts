import type { Brief } from '../../domain/brief.js';
import { type Classified, classifyRow } from '../../domain/row-class.js';
import type { BatchRecord } from '../batches/batch-record.js';
import { settingsOf } from '../batches/batch-record.js';
import type { Tx } from '../ledger.js';
import { classDetail, stateOf } from './create-batch.js';
import { anyHistory, historiesOf } from './row-histories.js';

const pageSize = 500;
const maxNamed = 3;

/**
 * Holds the classes of a sealed plan against the books as they are now, and corrects those that changed.
 *
 * @returns what changed, in words, or null when the plan stands.
 */
export async function isPlanStale(tx: Tx, batch: BatchRecord): Promise<string | null> {
  if (!(await anythingHappened(tx, batch))) return null;
  const changes: string[] = [];
  for (let after = -1; ; ) {
    const page = await tx
      .selectFrom('rows')
      .select(['position', 'row_key', 'content_digest', 'class', 'ordered', 'brief'])
      .where('batch_id', '=', batch.batch_id)
      .where('position', '>', after)
      .orderBy('position')
      .limit(pageSize)
      .execute();
    const rows = page.map(({ row_key: rowKey, content_digest: contentDigest }) => ({ rowKey, contentDigest }));
    const { batch_id: batchId, lineage_no: lineageNo, service_no: serviceNo } = batch;
    const historyOf = await historiesOf(tx, { batchId, lineageNo, serviceNo, rows });
    for (const row of page) {
      const history = historyOf(row.row_key);
      const now = classifyRow(row.content_digest, history, settingsOf(batch));
      if (now.class === row.class && now.ordered === (row.ordered === 1)) continue;
      changes.push(`${row.row_key} was ${words(row.class)}, is ${words(now.class)}`);
      const detail = await classDetail(tx, now, { brief: JSON.parse(row.brief) as Brief, history });
      await correctRow(tx, { batchId, position: row.position, now, classOf: detail && JSON.stringify(detail) });
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) break;
    after = last.position;
  }
  if (changes.length === 0) return null;
  const more = changes.length > maxNamed ? ` and ${changes.length - maxNamed} more` : '';
  return `${changes.slice(0, maxNamed).join(', ')}${more}`;
}

/** A plan of new rows that is the first of its service cannot have become stale. */
async function anythingHappened(tx: Tx, batch: BatchRecord): Promise<boolean> {
  const { batch_id: batchId, service_no: serviceNo, lineage_no: lineageNo } = batch;
  if (await anyHistory(tx, { serviceNo, lineageNo, batchId })) return true;
  const classed = await tx
    .selectFrom('rows')
    .select('row_key')
    .where('batch_id', '=', batchId)
    .where('class', '!=', 'new')
    .limit(1)
    .executeTakeFirst();
  return classed !== undefined;
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
