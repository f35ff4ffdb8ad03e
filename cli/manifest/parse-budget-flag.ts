import { InvalidArgumentError } from '@commander-js/extra-typings';
import { isBudgetPath } from '../../domain/budget-room.js';
import { type Money, moneyProblem, parseMoney } from '../../domain/money.js';

/** `500USD` sets the campaign's own limit, `acme/emea` names a budget that is defined. */
export type BudgetFlag =
  | { readonly kind: 'limit'; readonly limit: Money }
  | { readonly kind: 'path'; readonly path: string };

/** @throws InvalidArgumentError for what is neither an amount with its currency nor a path. */
export function parseBudget(text: string): BudgetFlag {
  const limit = parseMoney(text);
  if (limit) return { kind: 'limit', limit };
  if (/^[\d.,]+\s*([A-Za-z]{3})?$/.test(text)) throw new InvalidArgumentError(moneyProblem(text) ?? '');
  if (!isBudgetPath(text))
    throw new InvalidArgumentError('It must be an amount, e.g. 500USD, or a budget path, e.g. acme/emea.');
  return { kind: 'path', path: text };
}
