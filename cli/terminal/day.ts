import { InvalidArgumentError } from '@commander-js/extra-typings';

/** The start of a day where the person is, from `2026-11-28`. */
export function parseDay(text: string): number {
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00`).getTime() : Number.NaN;
  if (Number.isNaN(atMs)) throw new InvalidArgumentError('It must be a day, e.g. 2026-11-28.');
  return atMs;
}

const spanMs = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A moment of the past, from a day such as `2026-11-28` or a time span up to now such as `12h`, `3d` or `2w`. */
export function parseSince(text: string): number {
  const [, count, unit] = /^(\d{1,4})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return Date.now() - Number(count) * spanMs[unit as keyof typeof spanMs]; // by the pattern
  if (!/^\d{4}-/.test(text)) throw new InvalidArgumentError('It must be a day or a time span, e.g. 2026-11-28 or 3d.');
  return parseDay(text);
}

/** A day is not always 24 hours long. */
export function nextDay(atMs: number): number {
  const day = new Date(atMs);
  day.setDate(day.getDate() + 1);
  return day.getTime();
}
