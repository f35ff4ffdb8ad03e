import { type ClassRules, classifyRow, type RowClass } from '../domain/row-class.js';
import type { Service } from '../domain/service.js';
import { classDetail, type NewRow } from './create-batch.js';
import { historiesOf } from './histories.js';
import type { Ledger, Tx } from './ledger.js';
import type { ClassDetail } from './rows.js';

export interface ClassifiedRow {
  readonly rowKey: string;
  readonly class: RowClass;
  readonly classDetail: ClassDetail | null;
  /** Whether a batch of these rows would order it. */
  readonly ordered: boolean;
}

export interface ClassQuestion {
  readonly service: Pick<Service, 'name' | 'baseUrl'>;
  readonly campaign: string;
  readonly rules: ClassRules;
  readonly rows: readonly NewRow[];
}

/** The classes that a page of rows would get if it were submitted now. Stores nothing. */
export async function classifyRows(ledger: Ledger, question: ClassQuestion): Promise<readonly ClassifiedRow[]> {
  const { rules, rows } = question;
  return ledger.write(async (tx) => {
    const lineage = await numbersOf(tx, question);
    const asked = rows.map(({ brief, contentDigest }) => ({ rowKey: brief.rowKey, contentDigest }));
    const historyOf = await historiesOf(tx, { ...lineage, batchId: '', rows: asked });
    const classified: ClassifiedRow[] = [];
    for (const { brief, contentDigest } of rows) {
      const history = historyOf(brief.rowKey);
      const found = classifyRow(contentDigest, history, rules);
      const detail = await classDetail(tx, found, { brief, history });
      classified.push({ rowKey: brief.rowKey, class: found.class, classDetail: detail, ordered: found.ordered });
    }
    return classified;
  });
}

/** 0, which no service and no lineage has, where nothing was ever submitted. */
async function numbersOf(
  tx: Tx,
  { service, campaign }: ClassQuestion,
): Promise<{ readonly serviceNo: number; readonly lineageNo: number }> {
  const found = await tx
    .selectFrom('services')
    .leftJoin('lineages', (join) =>
      join.onRef('lineages.service_no', '=', 'services.service_no').on('lineages.campaign', '=', campaign),
    )
    .select(['services.service_no', 'lineages.lineage_no'])
    .where('services.name', '=', service.name)
    .where('services.base_url', '=', service.baseUrl)
    .executeTakeFirst();
  return { serviceNo: found?.service_no ?? 0, lineageNo: found?.lineage_no ?? 0 };
}
