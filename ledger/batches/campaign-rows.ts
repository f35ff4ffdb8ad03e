import type { Service } from '../../domain/service.js';
import { byPages } from '../database/paging.js';
import type { Ledger } from '../ledger.js';
import type { ClassDetail } from './rows.js';
import { ofService } from './service-filter.js';

/** One row id of a campaign as it stands over all its batches. */
export interface CampaignRow {
  readonly rowKey: string;
  /** The newest batch that has the row. */
  readonly newest: BatchRow;
  /** The row that delivered the newest film of it; null while there is none. */
  readonly film: BatchRow | null;
}

export interface BatchRow {
  readonly batchId: string;
  readonly rowKey: string;
}

export interface CampaignQuestion {
  readonly service: Pick<Service, 'name' | 'baseUrl'>;
  readonly campaign: string;
}

/** Plans that were never approved say nothing about a campaign. */
const approvedStates = ['making', 'closed', 'unsettled', 'canceled'] as const;

const pageSize = 2_000;

/**
 * Every row id that an approved batch of the campaign has, in the order in which they first came.
 *
 * @returns nothing for a campaign that the service does not have.
 */
export async function campaignRows(ledger: Ledger, question: CampaignQuestion): Promise<readonly CampaignRow[]> {
  const rows = new Map<string, CampaignRow>();
  for await (const row of rowsInOrder(ledger, question)) {
    const here = { batchId: row.batch_id, rowKey: row.row_key };
    const film = filmOf(row) ?? rows.get(row.row_key)?.film ?? null;
    rows.set(row.row_key, { rowKey: row.row_key, newest: here, film });
  }
  return [...rows.values()];
}

interface Place {
  readonly number: number;
  readonly position: number;
}

type LightRow = Awaited<ReturnType<typeof readPage>>[number];

function rowsInOrder(ledger: Ledger, question: CampaignQuestion) {
  return byPages({
    pageSize,
    first: { number: 0, position: -1 },
    keyOf: ({ number, position }: LightRow) => ({ number, position }),
    read: (after) => readPage(ledger, question, after),
  });
}

function readPage({ db }: Ledger, { service, campaign }: CampaignQuestion, { number, position }: Place) {
  return db
    .selectFrom('rows')
    .innerJoin('batches', 'batches.batch_id', 'rows.batch_id')
    .innerJoin('lineages', 'lineages.lineage_no', 'batches.lineage_no')
    .innerJoin('services', 'services.service_no', 'batches.service_no')
    .select(['rows.batch_id', 'rows.row_key', 'rows.position', 'rows.state', 'rows.class_of', 'batches.number'])
    .where(ofService(service))
    .where('lineages.campaign', '=', campaign)
    .where('batches.state', 'in', approvedStates)
    .where((eb) =>
      eb.or([
        eb('batches.number', '>', number),
        eb.and([eb('batches.number', '=', number), eb('rows.position', '>', position)]),
      ]),
    )
    .orderBy('batches.number')
    .orderBy('rows.position')
    .limit(pageSize)
    .execute();
}

function filmOf({ batch_id: batchId, row_key: rowKey, state, class_of }: LightRow): BatchRow | null {
  if (state === 'delivered') return { batchId, rowKey };
  if (state !== 'unchanged' || class_of === null) return null;
  const earlier = JSON.parse(class_of) as ClassDetail; // written by the plan
  return { batchId: earlier.batchId, rowKey: earlier.rowKey ?? rowKey };
}
