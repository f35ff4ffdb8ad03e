import type { Stop } from '../../domain/stop.js';
import { formatClock } from './time-text.js';

/** A stop in one line: what it is, since when, and who ends it by which command. */
export function stopWords({ kind, detail, sinceMs, command, endsBy }: Stop): string {
  const words = detail === '' || detail === kind ? kind : `${kind}: ${detail}`;
  const since = sinceMs > 0 ? ` since ${formatClock(sinceMs)}` : '';
  return `${words}${since}; ${endsBy}: ${command}`;
}
