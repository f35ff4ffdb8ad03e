import type { Kysely, Selectable } from 'kysely';
import type { Brief } from '../../domain/brief.js';
import { contentDigest } from '../../domain/digests/content-digest.js';
import { isInArchivedFile } from '../archived/archived-error.js';
import { byPages } from '../database/paging.js';
import type { RowsTable, Tables } from '../database/tables.js';
import { digestOfBatch } from '../plan/batch-digest.js';
import { type BookFault, batchFault } from './ledger-fault.js';

const pageSize = 1_000;

/** Digests every brief again, and from these every plan that was decided on or waits for it. */
export async function checkPlans(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const batches = await db
    .selectFrom('batches')
    .leftJoin('decisions', 'decisions.batch_id', 'batches.batch_id')
    .selectAll('batches')
    .select('decisions.kind')
    .orderBy('batches.batch_id')
    .execute();
  const elsewhere = await db.selectFrom('archived_batches').select('batch_id').execute();
  const archived = new Set(elsewhere.map(({ batch_id }) => batch_id));
  const faults: BookFault[] = [];
  for (const batch of batches) {
    const { batch_id: batchId, plan_digest: planDigest, policy_version: version } = batch;
    const isArchived = archived.has(batchId);
    faults.push(...(await briefFaults(db, { batchId, rowsInSheet: batch.rows_in_sheet, isArchived })));
    if ((batch.kind === null && batch.state !== 'waiting') || version === null) continue;
    const plan = await digestOfBatch(db, batch, version);
    if (plan.planDigest !== planDigest) {
      faults.push(
        batchFault('plan_digest', batchId, `its rows have the digest ${plan.planDigest}, sealed was ${planDigest}`),
      );
    }
  }
  return faults;
}

interface SheetOf {
  readonly batchId: string;
  readonly rowsInSheet: number;
  /** Its briefs are in its file, where `checkArchived` reads them. */
  readonly isArchived: boolean;
}

async function briefFaults(
  db: Kysely<Tables>,
  { batchId, rowsInSheet, isArchived }: SheetOf,
): Promise<readonly BookFault[]> {
  const faults: BookFault[] = [];
  type Row = Pick<Selectable<RowsTable>, 'position' | 'row_key' | 'brief' | 'content_digest'>;
  const pages = byPages<Row, number>({
    pageSize,
    first: -1,
    keyOf: ({ position }) => position,
    read: (after) =>
      db
        .selectFrom('rows')
        .select(['position', 'row_key', 'brief', 'content_digest'])
        .where('batch_id', '=', batchId)
        .where('position', '>', after)
        .orderBy('position')
        .limit(pageSize)
        .execute(),
  });
  let rows = 0;
  for await (const { row_key: rowKey, brief, content_digest: digest } of pages) {
    rows += 1;
    if (!(isArchived && isInArchivedFile({ brief })) && digestOf(brief, rowKey) !== digest) {
      faults.push(batchFault('brief_changed', batchId, 'its brief is not the one whose digest was planned', rowKey));
    }
  }
  if (rows !== rowsInSheet)
    faults.push(batchFault('row_missing', batchId, `it has ${rows} rows, its sheet had ${rowsInSheet}`));
  return faults;
}

/** Null for what is no brief of this row. */
export function digestOf(text: string, rowKey: string): string | null {
  try {
    const brief = JSON.parse(text) as Brief; // written by createBatch
    return brief.rowKey === rowKey ? contentDigest(brief) : null;
  } catch {
    return null;
  }
}
