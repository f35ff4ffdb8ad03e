import type { Ledger } from '../ledger.js';

/** What somebody did, and to what. */
export interface Act {
  readonly seq: number;
  /** As `approve`, `budget_set`. */
  readonly act: string;
  readonly channel: string;
  /** A batch, or what may concern every batch: a budget path, the policy, the ledger. */
  readonly object: string;
}

const actsAtOnce = 500;

/** What was done since the audit's record `seq`, the oldest first; without one, only where the audit ends now. */
export async function actsSince(ledger: Ledger, seq: number | null): Promise<readonly Act[]> {
  const acts = ledger.db.selectFrom('audit').select(['seq', 'act', 'channel', 'object']);
  if (seq === null) return acts.orderBy('seq', 'desc').limit(1).execute();
  return acts.where('seq', '>', seq).orderBy('seq').limit(actsAtOnce).execute();
}
