const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** As `3 min 20 s`: the two largest units, seconds only below ten minutes. */
export function formatDuration(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  if (ms < minuteMs) return `${Math.floor(ms / secondMs)} s`;
  if (ms < 10 * minuteMs) return two(ms, [minuteMs, 'min'], [secondMs, 's']);
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  if (ms < dayMs) return two(ms, [hourMs, 'h'], [minuteMs, 'min']);
  return two(ms, [dayMs, 'd'], [hourMs, 'h']);
}

function two(ms: number, [largeMs, large]: Unit, [smallMs, small]: Unit): string {
  const smalls = Math.floor(ms / smallMs);
  const perLarge = largeMs / smallMs;
  const rest = smalls % perLarge;
  return `${Math.floor(smalls / perLarge)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

type Unit = readonly [ms: number, name: string];

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
