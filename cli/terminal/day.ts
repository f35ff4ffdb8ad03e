import { InvalidArgumentError } from '@commander-js/extra-typings';
import { startOfDay } from '../../reports/wording/day.js';

/** The start of a day where the person is, from `2026-11-28`. */
export function parseDay(text: string): number {
  const atMs = startOfDay(text);
  if (atMs === null) throw new InvalidArgumentError('It must be a day, e.g. 2026-11-28.');
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
