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
