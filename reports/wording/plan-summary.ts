import type { RowClass } from '../../domain/row-class.js';
import type { ClassDetail } from '../../ledger/batches/rows.js';

/** Rows that mean the same for a plan: one of a plan that is not stored, many of a batch. */
export interface SummarisedRows {
  readonly class: RowClass;
  readonly classDetail: ClassDetail | null;
  readonly ordered: boolean;
  readonly rows: number;
  readonly amountMinor: number;
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
}

const order: readonly RowClass[] = [
  'new',
  'respend',
  'failed_before',
  'redo',
  'duplicate',
  'unchanged',
  'open',
  'open_changed',
  'unknown',
];

/** Sums a plan by class, the ordered rows of a class apart from those left out. */
export function summarisePlan(plan: Iterable<SummarisedRows>): PlanSummary {
  const classes = new Map<string, Sum>();
  for (const part of plan) {
    const key = `${part.class} ${part.ordered}`;
    const sum = classes.get(key) ?? emptySum(part);
    classes.set(key, sum);
    sum.rows += part.rows;
    if (part.ordered) sum.amountMinor += part.amountMinor;
    const { changed = [], state, batchId } = part.classDetail ?? {};
    for (const field of changed) count(sum.changed, field, part.rows);
    if (state !== undefined) count(sum.states, state, part.rows);
    if (batchId !== undefined) count(sum.batches, batchId, part.rows);
  }
  const sorted = [...classes.values()].sort(
    (one, other) =>
      order.indexOf(one.class) - order.indexOf(other.class) || Number(other.ordered) - Number(one.ordered),
  );
  const ordered = sorted.filter((sum) => sum.ordered);
  return {
    classes: sorted,
    rowsToOrder: ordered.reduce((total, { rows }) => total + rows, 0),
    totalMinor: ordered.reduce((total, { amountMinor }) => total + amountMinor, 0),
  };
}

type Sum = { -readonly [Key in keyof ClassSummary]: ClassSummary[Key] } & {
  readonly changed: Map<string, number>;
  readonly states: Map<string, number>;
  readonly batches: Map<string, number>;
};

function emptySum({ class: rowClass, ordered }: SummarisedRows): Sum {
  const counts = () => new Map<string, number>();
  return { class: rowClass, ordered, rows: 0, amountMinor: 0, changed: counts(), states: counts(), batches: counts() };
}

function count(counts: Map<string, number>, name: string, rows: number): void {
  counts.set(name, (counts.get(name) ?? 0) + rows);
}
