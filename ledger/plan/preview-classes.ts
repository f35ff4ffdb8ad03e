import { type ClassRules, classifyRow, type RowClass } from '../../domain/row-class.js';
import type { Service } from '../../domain/service.js';
import type { ClassDetail } from '../batches/rows.js';
import { ofService } from '../batches/service-filter.js';
import type { Ledger } from '../ledger.js';
import { classDetail, type NewRow } from './create-batch.js';
import { type HistoryQuestion, historiesOf } from './row-histories.js';

export interface ClassQuestion {
  readonly service: Pick<Service, 'name' | 'baseUrl'>;
  readonly campaign: string;
  readonly rules: ClassRules;
  /** A page of a sheet. */
  readonly rows: readonly NewRow[];
}

export interface ClassifiedRow {
  readonly rowKey: string;
  readonly class: RowClass;
  readonly classDetail: ClassDetail | null;
  readonly ordered: boolean;
}

/** What the rows of a sheet would be in the next batch of their campaign. Stores nothing. */
export async function classifyRows(ledger: Ledger, question: ClassQuestion): Promise<readonly ClassifiedRow[]> {
  const { rows, rules } = question;
  const asked = rows.map(({ brief, contentDigest }) => ({ rowKey: brief.rowKey, contentDigest }));
  const historyOf = await historiesOf(ledger.db, { ...(await placeOf(ledger, question)), batchId: null, rows: asked });
  const classified: ClassifiedRow[] = [];
  for (const { brief, contentDigest } of rows) {
    const history = historyOf(brief.rowKey);
    const now = classifyRow(contentDigest, history, rules);
    const detail = await classDetail(ledger.db, now, { brief, history });
    classified.push({ rowKey: brief.rowKey, class: now.class, classDetail: detail, ordered: now.ordered });
  }
  return classified;
}

async function placeOf(
  ledger: Ledger,
  { service, campaign }: ClassQuestion,
): Promise<Pick<HistoryQuestion, 'serviceNo' | 'lineageNo'>> {
  const place = await ledger.db
    .selectFrom('services')
    .leftJoin('lineages', (join) =>
      join.onRef('lineages.service_no', '=', 'services.service_no').on('lineages.campaign', '=', campaign),
    )
    .select(['services.service_no', 'lineages.lineage_no'])
    .where(ofService(service))
    .executeTakeFirst();
  return { serviceNo: place?.service_no ?? 0, lineageNo: place?.lineage_no ?? null };
}
