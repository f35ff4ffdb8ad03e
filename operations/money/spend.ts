import type { Actor } from '../../domain/roles.js';
import { sightOf } from '../../ledger/access/sight.js';
import * as spend from '../../ledger/money/spend.js';
import * as statement from '../../ledger/money/statement.js';
import type { OperationDeps } from '../deps.js';

type Books = Pick<OperationDeps, 'ledger'>;
export type SpendLook = Omit<spend.SpendQuestion, 'inCampaignsOf'> & { readonly actor: Actor };
export type MovementLook = Omit<statement.MovementFilter, 'inCampaignsOf'> & { readonly actor: Actor };

/** Spending by day and batch, in the campaigns that the person may see. */
export async function spendByDay(
  { ledger }: Books,
  { actor, ...question }: SpendLook,
): Promise<readonly spend.DaySpend[]> {
  return spend.spendByDay(ledger, { ...question, ...(await sightOf(ledger.db, actor)) });
}

/** Every movement of money in the order of booking, in the campaigns that the person may see. */
export async function* eachMovement(
  { ledger }: Books,
  { actor, ...filter }: MovementLook,
): AsyncGenerator<statement.MoneyMovement, void, undefined> {
  yield* statement.eachMovement(ledger, { ...filter, ...(await sightOf(ledger.db, actor)) });
}

/** Whether a note of an entry has text beyond ASCII, for which a spreadsheet needs a byte order mark. */
export function notesHaveForeignText({ ledger }: Books): Promise<boolean> {
  return statement.notesHaveForeignText(ledger);
}
