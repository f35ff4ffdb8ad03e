import { sql } from 'kysely';
import { inTheirCampaigns } from '../access/sight.js';
import type { Ledger } from '../ledger.js';

/** What one batch spent on one day. Sums of these are the spend of a campaign, a budget path or a month. */
export interface DaySpend {
  /** `2026-11-28`. */
  readonly day: string;
  readonly batchId: string;
  readonly campaign: string;
  readonly service: string;
  readonly rehearsal: boolean;
  readonly budgetPath: string;
  readonly currency: string;
  readonly postedMinor: number;
  readonly refundedMinor: number;
  /** What invoices changed, overrun included. */
  readonly correctedMinor: number;
  readonly overrunMinor: number;
  readonly movies: number;
}

export interface SpendQuestion {
  readonly fromMs?: number;
  readonly untilMs?: number;
  readonly campaign?: string;
  readonly batchId?: string;
  /** Only campaigns in which this person submitted; null for all. */
  readonly inCampaignsOf?: string | null;
  /** Minutes by which the days of the reader are ahead of UTC. */
  readonly offsetMinutes?: number;
}

const dayMs = 24 * 60 * 60 * 1_000;

/** From the entries, by day and batch. */
export async function spendByDay(ledger: Ledger, question: SpendQuestion = {}): Promise<readonly DaySpend[]> {
  const { fromMs, untilMs, campaign, batchId, inCampaignsOf: person = null, offsetMinutes = 0 } = question;
  const day = sql<number>`(entries.at_ms + ${sql.lit(offsetMinutes * 60_000)}) / ${sql.lit(dayMs)}`;
  const sumOf = (kind: string, column: 'amount_minor' | 'overrun_minor') =>
    sql<number>`cast(sum(case when kind = ${sql.lit(kind)} then ${sql.ref(`entries.${column}`)} else 0 end) as bigint)`;
  const rows = await ledger.db
    .selectFrom('entries')
    .innerJoin('batches', 'batches.batch_id', 'entries.batch_id')
    .innerJoin('lineages', 'lineages.lineage_no', 'batches.lineage_no')
    .innerJoin('services', 'services.service_no', 'batches.service_no')
    .select(['entries.batch_id', 'lineages.campaign', 'services.name', 'services.rehearsal'])
    .select(['batches.budget_path', 'entries.currency', day.as('day')])
    .select(sumOf('post', 'amount_minor').as('posted'))
    .select(sumOf('refund', 'amount_minor').as('refunded'))
    .select(sumOf('correction', 'amount_minor').as('corrected'))
    .select(sumOf('correction', 'overrun_minor').as('overrun'))
    .select(sql<number>`cast(sum(case when kind = 'post' then 1 else 0 end) as bigint)`.as('movies'))
    .where('kind', 'in', ['post', 'refund', 'correction'])
    .$if(fromMs !== undefined, (query) => query.where('entries.at_ms', '>=', fromMs ?? 0))
    .$if(untilMs !== undefined, (query) => query.where('entries.at_ms', '<', untilMs ?? 0))
    .$if(campaign !== undefined, (query) => query.where('lineages.campaign', '=', campaign ?? ''))
    .$if(batchId !== undefined, (query) => query.where('entries.batch_id', '=', batchId ?? ''))
    .$if(person !== null, (query) => query.where((eb) => inTheirCampaigns(eb, person ?? '')))
    .groupBy(['entries.batch_id', 'lineages.campaign', 'services.name', 'services.rehearsal'])
    .groupBy(['batches.budget_path', 'entries.currency', 'day'])
    .orderBy('day')
    .orderBy('entries.batch_id')
    .execute();
  return rows.map((row) => ({
    day: new Date(row.day * dayMs).toISOString().slice(0, 10),
    batchId: row.batch_id,
    campaign: row.campaign,
    service: row.name,
    rehearsal: row.rehearsal === 1,
    budgetPath: row.budget_path,
    currency: row.currency,
    postedMinor: row.posted,
    refundedMinor: row.refunded,
    correctedMinor: row.corrected,
    overrunMinor: row.overrun,
    movies: row.movies,
  }));
}
