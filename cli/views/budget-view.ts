import { roomMinor } from '../../domain/budget-room.js';
import { formatAmount, formatMoney } from '../../domain/money.js';
import type { Service } from '../../domain/service.js';
import type { BudgetRecord } from '../../ledger/money/budget-levels.js';
import { timeJson } from '../../reports/time-json.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine } from '../terminal/print.js';
import { alignColumns } from '../terminal/text-width.js';

export interface BudgetPrinting {
  readonly json?: true | undefined;
  readonly service: Pick<Service, 'rehearsal'>;
}

/** The levels of one path. As JSON, that of the installation's own money comes before the other kind. */
export function printBudget(
  context: CliContext,
  levels: readonly BudgetRecord[],
  { json, service }: BudgetPrinting,
): void {
  const own = levels.find(({ rehearsal }) => rehearsal === service.rehearsal) ?? levels[0];
  if (json && own) printJson(context, budgetJson(own));
  else for (const line of budgetLines(levels)) printLine(context, line);
}

/** Levels as a table: limit, what is spent and committed of it, and what is left. */
export function budgetLines(levels: readonly BudgetRecord[]): readonly string[] {
  const heads = ['BUDGET', 'LIMIT', 'SPENT', 'COMMITTED', 'AVAILABLE', ''];
  const rows = levels.map((level) => {
    const { path, currency, limitMinor, spentMinor, overrunMinor, committedMinor } = level;
    const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
    return [
      path,
      amount(limitMinor),
      amount(spentMinor + overrunMinor),
      amount(committedMinor),
      formatMoney({ amountMinor: roomMinor(level), currency }),
      notes(level),
    ];
  });
  const right = { align: 'right' } as const;
  return alignColumns([heads, ...rows], [{}, right, right, right, right]);
}

function notes({ rehearsal, stoppedMs, notifyPercent, notifiedMs }: BudgetRecord): string {
  return [
    ...(rehearsal ? ['rehearsal'] : []),
    ...(stoppedMs === null ? [] : ['stopped']),
    ...(notifyPercent === null ? [] : [`${notifiedMs === null ? 'notifies at' : 'over'} ${notifyPercent} %`]),
  ].join(', ');
}

export function budgetJson(level: BudgetRecord) {
  return {
    path: level.path,
    rehearsal: level.rehearsal,
    currency: level.currency,
    limit_minor: level.limitMinor,
    spent_minor: level.spentMinor,
    overrun_minor: level.overrunMinor,
    committed_minor: level.committedMinor,
    room_minor: roomMinor(level),
    notify_percent: level.notifyPercent,
    notified_at: timeJson(level.notifiedMs),
    stopped_at: timeJson(level.stoppedMs),
  };
}
