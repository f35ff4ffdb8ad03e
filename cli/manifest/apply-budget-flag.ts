import { existsSync } from 'node:fs';
import type { Config } from '../../home/config.js';
import { hasBudget, setBudget } from '../../operations/money/budgets.js';
import type { OpenManifest } from '../../operations/open-manifest.js';
import type { Session } from '../session/session.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import type { BudgetFlag } from './parse-budget-flag.js';

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

/**
 * Nothing is started for a manifest that no budget pays for.
 *
 * @throws CliError (3) without a budget on its path.
 */
export async function requireBudget(
  { databaseUrl, movieApi }: Config,
  { manifest, budget }: CampaignLimit,
): Promise<void> {
  if (budget?.kind === 'limit') return;
  const { name, settings } = manifest;
  const file = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : null;
  const exists = file === null || existsSync(file);
  if (exists && (await hasBudget(databaseUrl, { path: settings.budgetPath, rehearsal: movieApi === null }))) return;
  throw new CliError(
    `Cannot run ${name}: no budget is defined on the path ${settings.budgetPath}; add --budget 500USD, or have ` +
      `finance define one with "greenlight budget set ${settings.budgetPath} <limit>"`,
    exitCodes.stopped,
  );
}
