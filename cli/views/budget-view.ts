import { formatAmount, formatMoney } from '../../domain/money.js';
import { roomMinor } from '../../domain/room.js';
import type { BudgetRecord } from '../../ledger/money/budget-levels.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine } from '../terminal/print.js';
import { alignColumns } from '../terminal/text-width.js';

export function printBudget(
  context: CliContext,
  level: BudgetRecord,
  { json }: { readonly json?: true | undefined },
): void {
  if (json) printJson(context, budgetJson(level));
  else for (const line of budgetLines([level])) printLine(context, line);
}

export function budgetLines(levels: readonly BudgetRecord[]): readonly string[] {
  const heads = ['BUDGET', 'LIMIT', 'SPENT', 'COMMITTED', 'ROOM', ''];
  const rows = levels.map((level) => {
    const { path, currency, limitMinor, spentMinor, overrunMinor, committedMinor, stoppedMs } = level;
    const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
    return [
      path,
      amount(limitMinor),
      amount(spentMinor + overrunMinor),
      amount(committedMinor),
      formatMoney({ amountMinor: roomMinor(level), currency }),
      stoppedMs === null ? '' : 'stopped',
    ];
  });
  const right = { align: 'right' } as const;
  return alignColumns([heads, ...rows], [{}, right, right, right, right]);
}

export function budgetJson(level: BudgetRecord) {
  return {
    path: level.path,
    currency: level.currency,
    limit_minor: level.limitMinor,
    spent_minor: level.spentMinor,
    overrun_minor: level.overrunMinor,
    committed_minor: level.committedMinor,
    room_minor: roomMinor(level),
    notify_percent: level.notifyPercent,
    stopped_at: level.stoppedMs === null ? null : new Date(level.stoppedMs).toISOString(),
  };
}
