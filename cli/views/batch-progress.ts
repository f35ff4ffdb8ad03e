import type { RowCounts } from '../../domain/batch-state.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { batchStateWords, countsOf } from '../../reports/wording/state-words.js';
import { timeLeft } from '../../reports/wording/time-left.js';
import { reasonWords, type WaitReason } from '../../reports/wording/wait-reason.js';
import type { Progress } from './progress-view.js';

export interface ProgressSource {
  readonly batch: BatchView;
  readonly counts: RowCounts;
  readonly nowMs: number;
  readonly reasons: readonly WaitReason[];
  readonly last: string | null;
  readonly link: string | null;
}

export function progressOf(source: ProgressSource): Progress {
  const { batch, nowMs, reasons, last, link } = source;
  const counts = countsOf(source.counts);
  const { currency, posted, held, approved } = batch.money;
  const startedAtMs = batch.decision?.atMs ?? batch.submittedAtMs;
  return {
    batchId: batch.batchId,
    state: batch.stops[0]?.kind ?? batchStateWords[batch.state],
    rehearsal: batch.service.rehearsal,
    counts,
    money: { currency, posted, held, approved },
    reasons: reasons.filter(({ kind }) => kind !== 'turn').map((reason) => reasonWords(reason, nowMs)),
    last,
    link,
    elapsedMs: (batch.settledAtMs ?? nowMs) - startedAtMs,
    left: timeLeft(counts, nowMs - startedAtMs),
  };
}
