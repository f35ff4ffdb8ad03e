import type { RowCounts } from '../../domain/batch-state.js';
import { failedStates, type RowState } from '../../domain/row-state.js';
import type { Stop } from '../../domain/stop.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { formatClock } from '../terminal/time-text.js';
import { type CountName, countNames, type Progress } from './progress-view.js';

export interface ProgressSource {
  readonly batch: BatchView;
  readonly counts: RowCounts;
  readonly nowMs: number;
  /** Movies in the making at most, as far as the installation limits them. */
  readonly maxInFlight: number;
  readonly alarms: readonly string[];
  readonly last: string | null;
  readonly link: string | null;
}

/** What people call the states of rows that a batch orders. The others are not part of what is being made. */
const nameOf: Readonly<Partial<Record<RowState, CountName>>> = {
  planned: 'waiting',
  blocked: 'waiting',
  ordering: 'making',
  running: 'making',
  archiving: 'saving',
  delivered: 'delivered',
  failed: 'failed',
  rejected: 'rejected',
  lost: 'lost',
  canceled: 'canceled',
  unknown: 'unknown',
  overdue: 'overdue',
};

/** Sums the row states into the words of the progress screen. */
export function countsOf(counts: RowCounts): Record<CountName, number> {
  const sums = Object.fromEntries(countNames.map((name) => [name, 0])) as Record<CountName, number>; // all names
  for (const [state, rows] of Object.entries(counts) as [RowState, number][]) {
    const name = nameOf[state];
    if (name) sums[name] += rows;
  }
  return sums;
}

export function progressOf(source: ProgressSource): Progress {
  const { batch, nowMs, alarms, last, link } = source;
  const counts = countsOf(source.counts);
  const { currency, posted, held, approved } = batch.money;
  const startedAtMs = batch.decision?.atMs ?? batch.submittedAtMs;
  return {
    batchId: batch.batchId,
    state: batch.stops[0]?.kind ?? batch.state,
    rehearsal: batch.service.rehearsal,
    counts,
    money: { currency, posted, held, approved },
    waiting: waitingLines(source, counts),
    alarms,
    last,
    link,
    elapsedMs: (batch.settledAtMs ?? nowMs) - startedAtMs,
    left: leftOf(counts, nowMs - startedAtMs),
  };
}

function waitingLines({ batch, maxInFlight }: ProgressSource, counts: Record<CountName, number>): readonly string[] {
  const { waiting, making } = counts;
  if (waiting === 0) return [];
  if (batch.stops.length > 0) return batch.stops.map((stop) => `waiting ${waiting}: ${stopWords(stop)}`);
  const limit = Math.min(maxInFlight, batch.settings.maxInFlight ?? maxInFlight);
  if (making >= limit) return [`waiting ${waiting}: in-flight limit ${making}/${limit}, next as one finishes`];
  return [];
}

/** A stop in one line: what it is, since when, and who ends it by which command. */
export function stopWords({ kind, detail, sinceMs, command, endsBy }: Stop): string {
  const words = detail === '' || detail === kind ? kind : `${kind}: ${detail}`;
  const since = sinceMs > 0 ? ` since ${formatClock(sinceMs)}` : '';
  return `${words}${since}; ${endsBy}: ${command}`;
}

/** Fewer ends than this say nothing about the pace. */
const leastMeasured = 3;

/** By the pace so far, with a margin that a pace of few movies deserves. */
function leftOf(counts: Record<CountName, number>, elapsedMs: number): Progress['left'] {
  const measured = counts.delivered + failedStates.reduce((sum, state) => sum + counts[state], 0);
  const rows = counts.waiting + counts.making + counts.saving;
  if (rows === 0 || measured < leastMeasured || elapsedMs <= 0) return null;
  const leftMs = (elapsedMs / measured) * rows;
  return { fromMs: leftMs * 0.8, toMs: leftMs * 1.3, measured };
}
