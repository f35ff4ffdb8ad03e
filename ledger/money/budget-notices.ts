import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import type { Tx } from '../ledger.js';
import { type BudgetKey, type BudgetRecord, readLevels } from './budget-levels.js';

/**
 * Records once that a level on the path passed the share of its limit that finance wants to hear of. Belongs at the end
 * of the transaction that commits or corrects, as every record of the audit.
 */
export async function noteNotices(
  tx: Tx,
  budget: BudgetKey,
  { actor, nowMs }: { readonly actor: Pick<Actor, 'name' | 'channel'>; readonly nowMs: number },
): Promise<void> {
  for (const level of await readLevels(tx, budget)) {
    const { path, rehearsal, notifyPercent, notifiedMs, limitMinor } = level;
    if (notifyPercent === null || notifiedMs !== null || !isPast(level, notifyPercent)) continue;
    await tx
      .updateTable('budgets')
      .set({ notified_ms: nowMs })
      .where('rehearsal', '=', rehearsal ? 1 : 0)
      .where('path', '=', path)
      .execute();
    const detail = { percent: notifyPercent, used_minor: usedMinor(level), limit_minor: limitMinor, rehearsal };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'budget_notice', object: path, detail });
  }
}

function usedMinor({ committedMinor, spentMinor, overrunMinor }: BudgetRecord): number {
  return committedMinor + spentMinor + overrunMinor;
}

/** In whole numbers of any size: a hundredfold of an amount may be more than a double counts exactly. */
function isPast(level: BudgetRecord, percent: number): boolean {
  return BigInt(usedMinor(level)) * 100n >= BigInt(level.limitMinor) * BigInt(percent);
}
