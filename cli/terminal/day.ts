import { InvalidArgumentError } from '@commander-js/extra-typings';

/** The start of a day where the person is, from `2026-11-28`. */
export function parseDay(text: string): number {
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00`).getTime() : Number.NaN;
  if (Number.isNaN(atMs)) throw new InvalidArgumentError('It must be a day, e.g. 2026-11-28.');
  return atMs;
}

/** A day is not always 24 hours long. */
export function nextDay(atMs: number): number {
  const day = new Date(atMs);
  day.setDate(day.getDate() + 1);
  return day.getTime();
}
