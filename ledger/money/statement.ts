import { sql } from 'kysely';
import { inTheirCampaigns } from '../access/sight.js';
import { byPages } from '../database/paging.js';
import type { EntryKind } from '../database/tables.js';
import type { Ledger } from '../ledger.js';

/** An entry with everything that a book-keeper asks about it. */
export interface MoneyMovement {
  readonly entryId: number;
  readonly atMs: number;
  readonly kind: EntryKind;
  readonly campaign: string;
  readonly batchId: string;
  /** Null for what moves a whole batch's money. */
  readonly rowKey: string | null;
  readonly attempt: number | null;
  readonly movieId: string | null;
  readonly budgetPath: string;
  readonly service: string;
  readonly rehearsal: boolean;
  readonly currency: string;
  readonly amountMinor: number;
  /** By how much it changed what is spent, overrun included; 0 for what only sets money aside or gives it back. */
  readonly spentMinor: number;
  readonly overrunMinor: number;
  readonly note: string | null;
}

export interface MovementFilter {
  readonly campaign?: string;
  readonly fromMs?: number;
  readonly untilMs?: number;
  /** Only campaigns in which this person submitted; null for all. */
  readonly inCampaignsOf?: string | null;
}

const pageSize = 1_000;

/** Every movement of money in the order in which it was booked, a page in memory at a time. */
export function eachMovement(ledger: Ledger, filter: MovementFilter): AsyncGenerator<MoneyMovement, void, undefined> {
  return byPages({
    pageSize,
    first: 0,
    keyOf: ({ entryId }) => entryId,
    read: (after) => movementsAfter(ledger, filter, after),
  });
}

async function movementsAfter(
  ledger: Ledger,
  { campaign, fromMs, untilMs, inCampaignsOf: person = null }: MovementFilter,
  after: number,
): Promise<readonly MoneyMovement[]> {
  const rows = await ledger.db
    .selectFrom('entries')
    .innerJoin('batches', 'batches.batch_id', 'entries.batch_id')
    .innerJoin('lineages', 'lineages.lineage_no', 'batches.lineage_no')
    .innerJoin('services', 'services.service_no', 'batches.service_no')
    .leftJoin('orders', (join) =>
      join
        .onRef('orders.lineage_no', '=', 'batches.lineage_no')
        .onRef('orders.row_key', '=', 'entries.row_key')
        .onRef('orders.attempt', '=', 'entries.attempt'),
    )
    .selectAll('entries')
    .select(['lineages.campaign', 'orders.movie_id', 'batches.budget_path', 'services.name', 'services.rehearsal'])
    .where('entries.entry_id', '>', after)
    .$if(campaign !== undefined, (query) => query.where('lineages.campaign', '=', campaign ?? ''))
    .$if(fromMs !== undefined, (query) => query.where('entries.at_ms', '>=', fromMs ?? 0))
    .$if(untilMs !== undefined, (query) => query.where('entries.at_ms', '<', untilMs ?? 0))
    .$if(person !== null, (query) => query.where((eb) => inTheirCampaigns(eb, person ?? '')))
    .orderBy('entries.entry_id')
    .limit(pageSize)
    .execute();
  return rows.map((row) => ({
    entryId: row.entry_id,
    atMs: row.at_ms,
    kind: row.kind,
    campaign: row.campaign,
    batchId: row.batch_id,
    rowKey: row.row_key,
    attempt: row.attempt,
    movieId: row.movie_id,
    budgetPath: row.budget_path,
    service: row.name,
    rehearsal: row.rehearsal === 1,
    currency: row.currency,
    amountMinor: row.amount_minor,
    spentMinor: spentBy(row.kind, row.amount_minor),
    overrunMinor: row.overrun_minor,
    note: row.note,
  }));
}

function spentBy(kind: EntryKind, amountMinor: number): number {
  switch (kind) {
    case 'post':
    case 'correction':
      return amountMinor;
    case 'refund':
      return -amountMinor;
    case 'commit':
    case 'hold':
    case 'release':
    case 'uncommit':
      return 0;
    default:
      return kind satisfies never;
  }
}

/** Whether a note has text beyond ASCII. */
export async function notesHaveForeignText(ledger: Ledger): Promise<boolean> {
  const found = await ledger.db
    .selectFrom('entries')
    .select('entry_id')
    .where(sql<boolean>`length(note) <> octet_length(note)`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
