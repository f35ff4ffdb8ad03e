import { formatMoney } from '../../domain/money.js';
import { nothingMore, type WaitReason } from '../../reports/wording/wait-reason.js';
import type { Asked } from '../why-waiting.js';

/** Why a batch has no price yet: what is missing, or that its rows are being priced. */
export function priceReasons({ batch }: Asked, missing: readonly WaitReason[]): readonly WaitReason[] {
  if (missing.length > 0) return missing;
  const what = `${batch.service.name} is being asked for prices`;
  return [{ ...nothingMore, kind: 'prices', what, sinceMs: batch.submittedAtMs }];
}

/** Why a sealed plan is not decided: the budget is short, else somebody has to approve. */
export async function decisionReasons({ batch, heldUpBy, who }: Asked): Promise<readonly WaitReason[]> {
  const { batchId, planDigest, totalMinor, submittedBy, sealedAtMs, expiresAtMs } = batch;
  if (heldUpBy?.kind === 'budget') {
    const { path, availableMinor, currency } = heldUpBy;
    const money = (amountMinor: number) => formatMoney({ amountMinor, currency });
    const what = `budget ${path} has ${money(availableMinor)}, the plan needs ${money(totalMinor ?? 0)}`;
    const command = `greenlight budget set ${path} <limit>`;
    return [{ ...nothingMore, kind: 'budget_short', what, who: who.toAct('budget'), command }];
  }
  const digest = planDigest === null ? '' : ` --digest ${planDigest.slice(0, 12)}`;
  return [
    {
      ...{ kind: 'approval', rows: null, what: 'finance approval', sinceMs: sealedAtMs, untilMs: expiresAtMs },
      ...{ endsBy: null, who: await who.toApprove(submittedBy), command: `greenlight approve ${batchId}${digest}` },
    },
  ];
}
