import { formatMoney } from '../../domain/money.js';
import type { Policy } from '../../domain/policy.js';
import type { BudgetRecord } from '../../ledger/money/budget-levels.js';
import type { NamedRow } from '../../ledger/plan/named-rows.js';
import { billingWords } from '../../reports/wording/billing-words.js';
import { classNote, classWords } from '../../reports/wording/class-words.js';
import { formatDuration } from '../../reports/wording/duration-text.js';
import type { PlanSummary } from '../../reports/wording/plan-summary.js';
import { removedNote, roomWords, shortDigest } from '../../reports/wording/plan-words.js';
import { printable } from '../../reports/wording/printable.js';
import { alignColumns } from '../terminal/text-width.js';

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
  /** What the service is taken to charge. */
  readonly billing: Policy['billing'];
  readonly summary: PlanSummary;
  /** Its total is committed: the levels as they are count it. */
  readonly isApproved?: boolean;
  /** Rows that were paid before or stay out, some of each class. */
  readonly named?: readonly NamedRow[];
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
    ...namedLines(screen),
    ...(summary.rowsToOrder === 0 ? [] : [roomLine(screen), ...assumptionLines(screen)]),
  ];
}

function classLines({ summary, currency, rehearsal, removed = [] }: PlanScreen): string[] {
  const money = (amountMinor: number) => (currency === null ? '-' : formatMoney({ amountMinor, currency }));
  const rows = summary.classes.map((sum) => [
    classWords[sum.class],
    String(sum.rows),
    sum.ordered ? money(sum.amountMinor) : '-',
    classNote(sum),
  ]);
  const left = removed.length === 0 ? [] : [['removed', String(removed.length), '-', removedNote(removed)]];
  const total = ['total', String(summary.rowsToOrder), summary.rowsToOrder === 0 ? '-' : money(summary.totalMinor)];
  const note = summary.rowsToOrder === 0 ? 'nothing to order' : rehearsal ? 'rehearsal (no charges)' : '';
  return alignColumns([...rows, ...left, [...total, note]], [{}, { align: 'right' }, { align: 'right' }]);
}

/** Which rows those are: whoever decides should not have to look them up. */
function namedLines({ named = [], summary, currency }: PlanScreen): string[] {
  return summary.classes.flatMap((sum) => {
    const rows = named.filter((row) => row.class === sum.class && row.ordered === sum.ordered).slice(0, shownNamed);
    if (rows.length === 0) return [];
    const more = sum.rows - rows.length;
    const names = [...rows.map((row) => nameAndPrice(row, currency)), ...(more > 0 ? [`and ${more} more`] : [])];
    const ordered = sum.ordered ? 'ordered again' : 'not ordered';
    return [`  ${classWords[sum.class]}, ${ordered}: ${names.join(', ')}`];
  });
}

const shownNamed = 5;

/** As `ep-07 (1.50 USD, 1.20 USD before)`. */
function nameAndPrice({ rowKey, amountMinor, beforeMinor }: NamedRow, currency: string | null): string {
  const money = (minor: number) => (currency === null ? '-' : formatMoney({ amountMinor: minor, currency }));
  const prices = [
    ...(amountMinor === null ? [] : [money(amountMinor)]),
    ...(beforeMinor === null ? [] : [`${money(beforeMinor)} before`]),
  ];
  return prices.length === 0 ? rowKey : `${rowKey} (${prices.join(', ')})`;
}

function roomLine({ levels, summary, budgetPath, isApproved = false }: PlanScreen): string {
  return roomWords({ levels, budgetPath, isApproved, totalMinor: summary.totalMinor });
}

const shownAssumptions = 3;

function assumptionLines({ assumptions, billing, rehearsal, runtimeSeconds, credits }: PlanScreen): string[] {
  const rest = assumptions.length - shownAssumptions;
  const said = assumptions.slice(0, shownAssumptions).map((assumption) => `assumed: ${printable(assumption)}`);
  const work = runtimeSeconds > 0 ? [`${credits} credits, ${formatDuration(runtimeSeconds * 1_000)} of making`] : [];
  return [
    ...work,
    ...(rehearsal ? [] : [billingWords(billing)]),
    ...said,
    ...(rest > 0 ? [`and ${rest} more ${rest === 1 ? 'assumption' : 'assumptions'}: --json`] : []),
  ];
}
