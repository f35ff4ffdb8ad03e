/** The start of a day where this machine is, from `2026-11-28`; null for what is no day. */
export function startOfDay(text: string): number | null {
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00`).getTime() : Number.NaN;
  return Number.isNaN(atMs) ? null : atMs;
}

/** A day is not always 24 hours long. */
export function nextDay(atMs: number): number {
  const day = new Date(atMs);
  day.setDate(day.getDate() + 1);
  return day.getTime();
}
