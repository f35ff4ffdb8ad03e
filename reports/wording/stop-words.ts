import type { Stop } from '../../domain/stop.js';
import { printable } from './printable.js';
import { formatClock } from './time-text.js';

/** As `paused by oli: wrong logo`, `tripped: 3 rows failed for good`. */
export function stopFact({ kind, detail }: Pick<Stop, 'kind' | 'detail'>): string {
  if (detail === '') return kind;
  return detail.startsWith(kind) ? printable(detail) : `${kind}: ${printable(detail)}`;
}

/** A stop in one line: what it is, since when, and who ends it by which command. */
export function stopWords(stop: Stop): string {
  const since = stop.sinceMs > 0 ? ` since ${formatClock(stop.sinceMs)}` : '';
  return `${stopFact(stop)}${since}; ${stop.endsBy}: ${stop.command}`;
}
