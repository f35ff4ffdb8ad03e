const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Local time with its offset, as `2026-11-28T14:02:11+01:00`. */
export function formatTime(atMs: number): string {
  const at = new Date(atMs);
  const offset = -at.getTimezoneOffset();
  const local = new Date(atMs + offset * minuteMs).toISOString().slice(0, 19);
  const sign = offset < 0 ? '-' : '+';
  return `${local}${sign}${pad(Math.floor(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`;
}

/** Local time of day, as `14:02:11`. */
export function formatClock(atMs: number): string {
  return formatTime(atMs).slice(11, 19);
}

/** A moment as briefly as it is clear: `14:02:11` within half a day, else with its date, `2026-11-28 14:02`. */
export function formatMoment(atMs: number, nowMs: number): string {
  if (Math.abs(nowMs - atMs) < 12 * hourMs) return formatClock(atMs);
  return formatTime(atMs).slice(0, 16).replace('T', ' ');
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
