import { waitingBatches } from '../../operations/waiting/waiting-batches.js';
import { reasonWords } from '../../reports/wording/wait-reason.js';
import { explainError } from '../terminal/explain-error.js';
import type { Diagnosis } from './diagnosis.js';
import { type LookingAtWorkers, seeWorkersOf } from './workers.js';

export interface LookingAtBatches extends LookingAtWorkers {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly loginName: string;
}

/** What open batches wait for, a line a reason: nothing that is wrong with this machine, and what it is asked about. */
export async function diagnoseBatches(looking: LookingAtBatches): Promise<readonly Diagnosis[]> {
  const { config, ledgerId, env, loginName } = looking;
  if (ledgerId === null) return [];
  const nowMs = Date.now();
  const seeWorkers = seeWorkersOf(looking);
  const found = (part: string, words: string): Diagnosis => ({ part, ok: true, waits: true, words });
  try {
    const waiting = await waitingBatches(config.databaseUrl, { token: env.GREENLIGHT_TOKEN, loginName, seeWorkers });
    return waiting.flatMap(({ batchId, reasons }) =>
      reasons.map((reason) => found(batchId, reasonWords(reason, nowMs))),
    );
  } catch (error) {
    return [found('batches', explainError(error, { env: {} }).message)];
  }
}
