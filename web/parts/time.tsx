import { formatClock } from '../../reports/wording/time-text.js';
import { useFrame } from './frame.js';

/*
 * Times are of the server's own zone, as those of the command line are; the machine-readable form has the offset.
 */

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** The time of day, as `14:02:11`. */
export function Clock({ atMs }: { readonly atMs: number }) {
  return <time datetime={new Date(atMs).toISOString()}>{formatClock(atMs)}</time>;
}

/** As `today 13:12`, `Tue 9 Mar 13:12`, and with the year where it is another one. */
export function When({ atMs }: { readonly atMs: number }) {
  const { nowMs } = useFrame();
  return <time datetime={new Date(atMs).toISOString()}>{whenWords(atMs, nowMs)}</time>;
}

export function whenWords(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const now = new Date(nowMs);
  const minute = formatClock(atMs).slice(0, 5);
  if (at.toDateString() === now.toDateString()) return minute;
  const year = at.getFullYear() === now.getFullYear() ? '' : ` ${at.getFullYear()}`;
  return `${days[at.getDay()]} ${at.getDate()} ${months[at.getMonth()]}${year} ${minute}`;
}
