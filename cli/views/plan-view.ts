import { roomMinor } from '../../domain/budget-room.js';
import { formatMoney } from '../../domain/money.js';
import type { RowClass } from '../../domain/row-class.js';
import type { BudgetRecord } from '../../ledger/money/budget-levels.js';
import { printable } from '../terminal/printable.js';
import { alignColumns } from '../terminal/text-width.js';
import { formatDuration } from '../terminal/time-text.js';
import type { ClassSummary, PlanSummary } from './plan-summary.js';

export interface PlanScreen {
  /** The batch, or the campaign of a plan that is not stored. */
  readonly name: string;
  readonly budgetPath: string;
  readonly levels: readonly BudgetRecord[];
  readonly planDigest: string | null;
  readonly currency: string | null;
  readonly rehearsal: boolean;
  readonly runtimeSeconds: number;
  readonly credits: number;
  readonly assumptions: readonly string[];
  readonly summary: PlanSummary;
  /** Its total is committed: the levels as they are count it. */
  readonly isApproved?: boolean;
  /** Keys of rows that the campaign has and the sheet has not; a stored batch does not say. */
  readonly removed?: readonly string[];
}

/** What would be ordered, class by class, what it costs, and what is left of the budget then. */
export function planLines(screen: PlanScreen): string[] {
  const { name, budgetPath, planDigest, summary } = screen;
  const digest = planDigest === null ? '' : `  digest ${shortDigest(planDigest)}`;
  return [
    `${name}  ${budgetPath}${digest}`,
    ...classLines(screen),
    ...(summary.rowsToOrder === 0 ? [] : [roomLine(screen), ...assumptionLines(screen)]),
  ];
}

/** Twelve digits in fours: enough to tell plans apart by eye, and to approve by. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 12).replace(/(.{4})(?=.)/g, '$1 ');
}

function classLines({ summary, currency, rehearsal, removed = [] }: PlanScreen): string[] {
  const money = (amountMinor: number) => (currency === null ? '-' : formatMoney({ amountMinor, currency }));
  const rows = summary.classes.map((sum) => [
    classWords[sum.class],
    String(sum.rows),
    sum.ordered ? money(sum.amountMinor) : '-',
    noteOf(sum),
  ]);
  const left = removed.length === 0 ? [] : [['removed', String(removed.length), '-', removedNote(removed)]];
  const total = ['total', String(summary.rowsToOrder), summary.rowsToOrder === 0 ? '-' : money(summary.totalMinor)];
  const note = summary.rowsToOrder === 0 ? 'nothing to order' : rehearsal ? 'rehearsal (no charges)' : '';
  return alignColumns([...rows, ...left, [...total, note]], [{}, { align: 'right' }, { align: 'right' }]);
}

const classWords: Readonly<Record<RowClass, string>> = {
  new: 'new',
  respend: 'respend',
  failed_before: 'failed before',
  duplicate: 'duplicate?',
  unchanged: 'unchanged',
  open: 'being made',
  open_changed: 'being made',
  unknown: 'unknown',
};

function noteOf({ class: rowClass, ordered, changed, states, batches }: ClassSummary): string {
  switch (rowClass) {
    case 'new':
      return '';
    case 'respend':
      return `paid before, ${counted(changed)}; ${ordered ? 'asked with --respend' : '--respend orders them again'}`;
    case 'failed_before': {
      const flag = `--include ${[...states.keys()].join(',')}`;
      return `${counted(states)}; ${ordered ? `asked with ${flag}` : `${flag} orders them again`}`;
    }
    case 'duplicate':
      return ordered
        ? 'same content as another row; asked with --allow-duplicates'
        : `same content is ordered in ${named(batches)}; --allow-duplicates orders it again`;
    case 'unchanged':
      return 'not ordered again';
    case 'open':
      return `in ${named(batches)}, not here`;
    case 'open_changed':
      return `an earlier form is made in ${named(batches)}; wait until it ends`;
    case 'unknown':
      return 'an earlier order may exist; see greenlight unknown list';
    default:
      return rowClass satisfies never;
  }
}

const shownRemoved = 5;

/** Leaving a row out is no order to cancel it: the reader should see that it was left out. */
function removedNote(keys: readonly string[]): string {
  const shown = keys.slice(0, shownRemoved).join(', ');
  const more = keys.length - shownRemoved;
  return `not in the sheet, left alone: ${shown}${more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''}`;
}

function counted(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, rows]) => `${name} ${rows}`).join(', ');
}

function named(batches: ReadonlyMap<string, number>): string {
  const names = [...batches.keys()];
  return names.length <= 2 ? names.join(' and ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}

/** The level with the least left decides. Once a plan is approved, its total is in the figures already. */
function roomLine({ levels, summary, budgetPath, isApproved = false }: PlanScreen): string {
  const [tightest] = [...levels].sort((one, other) => roomMinor(one) - roomMinor(other));
  if (!tightest) return `no budget is defined on ${budgetPath}`;
  const { path, currency } = tightest;
  const room = roomMinor(tightest);
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency });
  const available = `budget ${path}: ${money(room)} available`;
  if (isApproved) return `${available}, this batch included`;
  const after = room - summary.totalMinor;
  return `${available}, ${after < 0 ? `short of ${money(-after)}` : `${money(after)} after this batch`}`;
}

const shownAssumptions = 3;

function assumptionLines({ assumptions, runtimeSeconds, credits }: PlanScreen): string[] {
  const rest = assumptions.length - shownAssumptions;
  const said = assumptions.slice(0, shownAssumptions).map((assumption) => `assumed: ${printable(assumption)}`);
  const work = runtimeSeconds > 0 ? [`${credits} credits, ${formatDuration(runtimeSeconds * 1_000)} of making`] : [];
  return [
    ...work,
    ...said,
    ...(rest > 0 ? [`and ${rest} more ${rest === 1 ? 'assumption' : 'assumptions'}: --json`] : []),
  ];
}
