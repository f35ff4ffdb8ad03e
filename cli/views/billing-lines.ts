import type { OperationDeps } from '../../operations/deps.js';
import { billingAssumed } from '../../operations/stored-plan.js';
import { billingWords } from '../../reports/wording/billing-words.js';

/** What is assumed of movies that fail or are canceled: a line wherever real money is shown, none for rehearsals. */
export async function billingLines(
  deps: Pick<OperationDeps, 'ledger'>,
  sums: readonly { readonly rehearsal: boolean }[],
): Promise<readonly string[]> {
  return sums.some(({ rehearsal }) => !rehearsal) ? [billingWords(await billingAssumed(deps))] : [];
}
