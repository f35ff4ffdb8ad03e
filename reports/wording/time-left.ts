import { failedStates } from '../../domain/row-state.js';
import { formatDuration } from './duration-text.js';
import type { Counts } from './state-words.js';

/** When a batch may be done, and how many ends of movies say so. */
export interface TimeLeft {
  readonly fromMs: number;
  readonly toMs: number;
  readonly measured: number;
}

/** Fewer ends than this say nothing about the pace. */
const leastMeasured = 3;

/** By the pace so far, with a margin that a pace of few movies deserves; null while nothing can be said. */
export function timeLeft(counts: Counts, elapsedMs: number): TimeLeft | null {
  const measured = counts.delivered + failedStates.reduce((sum, state) => sum + counts[state], 0);
  const rows = counts.waiting + counts['in progress'] + counts.saving;
  if (rows === 0 || measured < leastMeasured || elapsedMs <= 0) return null;
  const leftMs = (elapsedMs / measured) * rows;
  return { fromMs: leftMs * 0.8, toMs: leftMs * 1.3, measured };
}

/** As `15-25 min`. */
export function timeLeftWords({ fromMs, toMs }: Pick<TimeLeft, 'fromMs' | 'toMs'>): string {
  const minutes = (ms: number) => Math.max(1, Math.round(ms / 60_000));
  if (toMs < 90_000) return `about ${formatDuration((fromMs + toMs) / 2)}`;
  const [from, to] = [minutes(fromMs), minutes(toMs)];
  if (to >= 120) return `${formatDuration(fromMs)} to ${formatDuration(toMs)}`;
  return from === to ? `${to} min` : `${from}-${to} min`;
}
