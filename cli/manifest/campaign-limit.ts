import { setBudget } from '../../operations/budgets.js';
import type { OpenManifest } from '../../operations/open-manifest.js';
import type { Session } from '../session/session.js';
import type { BudgetFlag } from './manifest-flags.js';

export interface CampaignLimit {
  readonly manifest: OpenManifest;
  readonly budget: BudgetFlag | undefined;
}

/** `--budget 500USD`: the innermost level of the batch's path is the campaign's own, and gets that limit. */
export async function setLimit({ deps, actor }: Session, { manifest, budget }: CampaignLimit): Promise<void> {
  if (budget?.kind !== 'limit') return;
  const { amountMinor: limitMinor, currency } = budget.limit;
  await setBudget(deps, { path: manifest.settings.budgetPath, limitMinor, currency, actor: await actor() });
}
