import type { BatchView } from '../ledger/batches/batches.js';
import type { Ledger } from '../ledger/ledger.js';
import { rowAlarms } from './row-alarms.js';

/** What Temporal knows of the workers, and of one batch that they work on. */
export interface WorkersSeen {
  /** `not running`: the home's own, which comes with the first worker. */
  readonly temporal: 'there' | 'away' | 'not running';
  /** Those that asked for work within about a minute. */
  readonly workers: number;
  /** With what the batch's last attempt failed, where it is tried again. */
  readonly trouble: string | null;
}

export interface WhyWaitingDeps {
  readonly ledger: Ledger;
  /** @param batchId whose trouble is looked for; null for none */
  readonly seeWorkers: (batchId: string | null) => Promise<WorkersSeen>;
}

/** What is missing for any batch to go on; null where nothing is. */
export function missingWorkers({ temporal, workers }: Pick<WorkersSeen, 'temporal' | 'workers'>): string | null {
  if (temporal === 'away') return 'Temporal does not answer; see greenlight doctor';
  if (workers === 0) return 'no worker is running; start greenlight worker, or greenlight run with the manifest';
  return null;
}

/** Why an open batch does not go on, one reason a line; empty where it does, or waits for a person alone. */
export async function whyWaiting(
  { ledger, seeWorkers }: WhyWaitingDeps,
  { batchId, state }: Pick<BatchView, 'batchId' | 'state'>,
): Promise<readonly string[]> {
  if (state !== 'preparing' && state !== 'making') return [];
  const seen = await seeWorkers(batchId);
  const missing = missingWorkers(seen);
  const alarms = state === 'making' ? await rowAlarms(ledger, batchId) : [];
  return [...(missing === null ? [] : [missing]), ...(seen.trouble === null ? [] : [seen.trouble]), ...alarms];
}
