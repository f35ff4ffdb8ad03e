import { roomMinor } from '../../domain/budget-room.js';
import { formatMoney } from '../../domain/money.js';
import type { BudgetRecord } from '../../ledger/money/budget-levels.js';

/** Twelve digits in fours: enough to tell plans apart by eye, and to approve by. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 12).replace(/(.{4})(?=.)/g, '$1 ');
}

export interface RoomFacts {
  readonly budgetPath: string;
  /** The defined levels of the path. */
  readonly levels: readonly BudgetRecord[];
  readonly totalMinor: number;
  /** Its total is committed: the levels as they are count it. */
  readonly isApproved: boolean;
}

/** What is left of the budget before and after a plan. The level with the least left decides. */
export function roomWords({ levels, totalMinor, budgetPath, isApproved }: RoomFacts): string {
  const [tightest] = [...levels].sort((one, other) => roomMinor(one) - roomMinor(other));
  if (!tightest) return `no budget is defined on ${budgetPath}`;
  const { path, currency } = tightest;
  const room = roomMinor(tightest);
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency });
  const available = `budget ${path}: ${money(room)} available`;
  if (isApproved) return `${available}, this batch included`;
  const after = room - totalMinor;
  return `${available}, ${after < 0 ? `${money(-after)} short` : `${money(after)} after this batch`}`;
}

const shownRemoved = 5;

/** Leaving a row out is no order to cancel it: the reader should see that it was left out. */
export function removedNote(keys: readonly string[]): string {
  const shown = keys.slice(0, shownRemoved).join(', ');
  const more = keys.length - shownRemoved;
  return `not in the sheet, left alone: ${shown}${more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''}`;
}
