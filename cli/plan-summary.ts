import type { RowClass } from '../domain/row-class.js';
import type { ClassDetail } from '../ledger/rows.js';

/** As much of a row as the summary of its plan needs; rows of a stored batch and of a plan have it alike. */
export interface SummarisedRow {
  readonly rowKey: string;
  readonly class: RowClass;
  readonly classDetail: ClassDetail | null;
  readonly ordered: boolean;
  readonly amountMinor: number | null;
  readonly problem: string | null;
}

export interface ClassSummary {
  readonly class: RowClass;
  readonly ordered: boolean;
  readonly rows: number;
  readonly amountMinor: number;
  /** How often each changed field, earlier state or other batch occurs. */
  readonly changed: ReadonlyMap<string, number>;
  readonly states: ReadonlyMap<string, number>;
  readonly batches: ReadonlyMap<string, number>;
}

export interface PlanSummary {
  readonly classes: readonly ClassSummary[];
  readonly rowsToOrder: number;
  readonly totalMinor: number;
  readonly unpriced: {
    readonly rows: number;
    readonly named: readonly { readonly rowKey: string; readonly problem: string }[];
  };
}

const shownUnpriced = 20;

const order: readonly RowClass[] = [
  'new',
  'respend',
  'failed_before',
  'duplicate',
  'unchanged',
  'open',
  'open_changed',
  'unknown',
];

/** Sums a plan of any size by class, the ordered rows of a class apart from those left out. */
export async function summarisePlan(
  rows: Iterable<SummarisedRow> | AsyncIterable<SummarisedRow>,
): Promise<PlanSummary> {
  const classes = new Map<string, Sum>();
  const named: { rowKey: string; problem: string }[] = [];
  let unpriced = 0;
  for await (const row of rows) {
    const key = `${row.class} ${row.ordered}`;
    const sum = classes.get(key) ?? emptySum(row);
    classes.set(key, sum);
    sum.rows += 1;
    if (row.ordered) sum.amountMinor += row.amountMinor ?? 0;
    for (const field of row.classDetail?.changed ?? []) count(sum.changed, field);
    if (row.classDetail?.state) count(sum.states, row.classDetail.state);
    if (row.classDetail) count(sum.batches, row.classDetail.batchId);
    if (row.problem === null) continue;
    unpriced += 1;
    if (named.length < shownUnpriced) named.push({ rowKey: row.rowKey, problem: row.problem });
  }
  const sorted = [...classes.values()].sort(
    (one, other) =>
      order.indexOf(one.class) - order.indexOf(other.class) || Number(other.ordered) - Number(one.ordered),
  );
  const ordered = sorted.filter((sum) => sum.ordered);
  return {
    classes: sorted,
    rowsToOrder: ordered.reduce((total, { rows: of }) => total + of, 0),
    totalMinor: ordered.reduce((total, { amountMinor }) => total + amountMinor, 0),
    unpriced: { rows: unpriced, named },
  };
}

type Sum = { -readonly [Key in keyof ClassSummary]: ClassSummary[Key] } & {
  readonly changed: Map<string, number>;
  readonly states: Map<string, number>;
  readonly batches: Map<string, number>;
};

function emptySum({ class: rowClass, ordered }: SummarisedRow): Sum {
  const counts = () => new Map<string, number>();
  return { class: rowClass, ordered, rows: 0, amountMinor: 0, changed: counts(), states: counts(), batches: counts() };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
