/** What the service answered for one row; null amounts are answers without one. */
export interface Estimate {
  readonly amountMinor: number | null;
  readonly currency: string | null;
  readonly credits: number | null;
  readonly runtimeSeconds: number | null;
  readonly assumptions: readonly string[];
}

export type PricedOrNot =
  | {
      readonly kind: 'priced';
      readonly amountMinor: number;
      readonly credits: number;
      readonly runtimeSeconds: number;
    }
  | { readonly kind: 'unpriced'; readonly problem: string };

/** @param budgetCurrency the currency that the plan is paid in. */
export function judgeEstimate(
  estimate: Estimate,
  { budgetCurrency, allowFree }: { readonly budgetCurrency: string; readonly allowFree: boolean },
): PricedOrNot {
  const { amountMinor, currency, credits, runtimeSeconds } = estimate;
  if (amountMinor === null) return unpriced('the estimate has no amount');
  if (!Number.isSafeInteger(amountMinor)) return unpriced(`the estimate's amount ${amountMinor} is not a whole number`);
  if (amountMinor < 0) return unpriced(`the estimate's amount ${amountMinor} is negative`);
  if (amountMinor === 0 && !allowFree) return unpriced('the estimate is zero; --allow-free accepts that');
  if (currency !== budgetCurrency) {
    return unpriced(`the estimate is in ${currency ?? 'no currency'}, the budget in ${budgetCurrency}`);
  }
  return { kind: 'priced', amountMinor, credits: countOf(credits), runtimeSeconds: countOf(runtimeSeconds) };
}

function unpriced(problem: string): PricedOrNot {
  return { kind: 'unpriced', problem };
}

/** Credits and run time decide nothing: what makes no sense there counts as not said. */
function countOf(value: number | null): number {
  return value !== null && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
