/** How often a running movie is asked about. All times in milliseconds. */
export interface PollingLimits {
  /** Never sooner than this after the last look: a finished movie waits at most about this long. */
  readonly floorMs: number;
  /** Never later than this, so that a wrong estimate costs a minute, not hours. */
  readonly ceilingMs: number;
}

export const defaultPolling: PollingLimits = { floorMs: 500, ceilingMs: 60_000 };

export interface MovieProgress {
  /** Since the service accepted the movie. */
  readonly ageMs: number;
  /** From the estimate; 0 when it gave none. */
  readonly expectedMs: number;
  /** The service's own percent, null before it shows one. */
  readonly percent: number | null;
  /** A number from 0 to 1, fresh for each call: spreads the looks of movies that were ordered together. */
  readonly jitter: number;
}

/**
 * Looks are spread over a tenth of the wait, and over a second at most: enough to part movies ordered in one burst,
 * whose acceptances are apart already. All that a wait is longer than the movie, the next one in line waits too.
 */
const spread = 0.1;
const longestSpreadMs = 1_000;

/** When nothing tells how much is left, look again after this share of the age: 10 polls for each tenfold of waiting. */
const backoffShare = 0.25;

/**
 * How long to wait before the next look at a running movie.
 *
 * Before the expected time the first look falls on it; afterwards the percent says what is left, and where it says
 * nothing the wait grows with the movie's age.
 */
export function nextLookMs(movie: MovieProgress, limits: PollingLimits = defaultPolling): number {
  const wait = Math.min(Math.max(leftMs(movie), limits.floorMs), limits.ceilingMs);
  return Math.round(wait + Math.min(wait * spread, longestSpreadMs) * movie.jitter);
}

function leftMs({ ageMs, expectedMs, percent }: MovieProgress): number {
  const byEstimate = expectedMs - ageMs;
  if (percent !== null && percent > 0 && percent < 100 && ageMs > 0) {
    const byPercent = (ageMs * (100 - percent)) / percent;
    // The nearer of the two: looking early costs one request, looking late costs the whole batch its time.
    return byEstimate > 0 ? Math.min(byPercent, byEstimate) : byPercent;
  }
  return byEstimate > 0 ? byEstimate : ageMs * backoffShare;
}
