/** Waited after a 429 that does not say for how long; the interface promises the header, a proxy may drop it. */
export const defaultRetryAfterMs = 5_000;

/** A longer wait than this is taken for a mistake: a day still lets a person see the batch move. */
const longestRetryAfterMs = 24 * 3_600_000;

/**
 * Milliseconds to wait by a `Retry-After` value: whole seconds, or an HTTP date (RFC 9110, 10.2.3). A date in the past
 * and 0 seconds give 0; anything else gives null.
 */
export function retryAfterMs(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, longestRetryAfterMs);
  // `Date.parse` reads much that is no HTTP date ("1.5" is a day in January 2001): those all carry letters and a colon.
  if (!/^[A-Za-z].*\d:\d/.test(text)) return null;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.min(Math.max(date - nowMs, 0), longestRetryAfterMs);
}
