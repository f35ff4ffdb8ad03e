import type { RowCounts } from '../../domain/batch-state.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { batchStateWords, type Counts, countsOf } from '../../reports/wording/state-words.js';
import { stopWords } from '../../reports/wording/stop-words.js';
import { timeLeft } from '../../reports/wording/time-left.js';
import type { Progress } from './progress-view.js';

export interface ProgressSource {
  readonly batch: BatchView;
  readonly counts: RowCounts;
  readonly nowMs: number;
  /** Movies in progress at most, as far as the installation limits them. */
  readonly maxInFlight: number;
  readonly alarms: readonly string[];
  readonly last: string | null;
  readonly link: string | null;
}

export function progressOf(source: ProgressSource): Progress {
  const { batch, nowMs, alarms, last, link } = source;
  const counts = countsOf(source.counts);
  const { currency, posted, held, approved } = batch.money;
  const startedAtMs = batch.decision?.atMs ?? batch.submittedAtMs;
  return {
    batchId: batch.batchId,
    state: batch.stops[0]?.kind ?? batchStateWords[batch.state],
    rehearsal: batch.service.rehearsal,
    counts,
    money: { currency, posted, held, approved },
    waiting: waitingLines(source, counts),
    alarms,
    last,
    link,
    elapsedMs: (batch.settledAtMs ?? nowMs) - startedAtMs,
    left: timeLeft(counts, nowMs - startedAtMs),
  };
}

function waitingLines({ batch, maxInFlight }: ProgressSource, counts: Counts): readonly string[] {
  const { waiting, 'in progress': making } = counts;
  if (waiting === 0) return [];
  if (batch.stops.length > 0) return batch.stops.map((stop) => `waiting ${waiting}: ${stopWords(stop)}`);
  const limit = Math.min(maxInFlight, batch.settings.maxInFlight ?? maxInFlight);
  if (making >= limit) return [`waiting ${waiting}: in-flight limit ${making}/${limit}, next as one finishes`];
  return [];
}
