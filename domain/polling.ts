import { type AlikeEnds, alikeWithinMs, expectedWithoutEstimateMs, type RunTimes } from './run-times.js';

/** How often a running movie is asked about. All times in milliseconds. */
export interface PollingLimits {
  /** Never sooner than this after the last look: a finished movie waits at most about this long. */
  readonly floorMs: number;
  /** Never later than this, or than half the movie's age where that is more. */
  readonly ceilingMs: number;
}

export const defaultPolling: PollingLimits = { floorMs: 500, ceilingMs: 15 * 60_000 };

export interface MovieProgress {
  /** Since the service accepted the movie. */
  readonly ageMs: number;
  /** From the estimate; 0 when it gave none. */
  readonly expectedMs: number;
  /** The service's own percent, null before it shows one. */
  readonly percent: number | null;
  /** What is known of the service's movies so far. */
  readonly learned: RunTimes;
  /** Movies of its batch in progress now, itself included: what one of them shows serves all. */
  readonly inFlight: number;
  /** The row's own number from 0 to 1, see `lotOf`: the lowest are asked about early, for all of them. */
  readonly lot: number;
  /** A number from 0 to 1, fresh for each call: spreads the looks of movies that were ordered together. */
  readonly jitter: number;
}

/** What looks are planned by, so that nine in ten ends are seen at most 15 % of their own time late, or a second. */
const lateShare = 0.13;
const lateMs = 1_000;
/** Of the movies still running, so many may end too early for their next look; of those that end before it, so many. */
const missedOfRunning = 0.04;
const missedOfEnding = 0.08;

/**
 * Looks are spread over a part of the wait, and over a second at most: enough to part movies ordered in one burst. Over
 * less where it is known when they end.
 */
const spread = 0.02;
const longestSpreadMs = 1_000;
const longestSpreadOfAlikeMs = 300;

/** Movies that are asked about early for all: one in so many, and so many at least while fewer have ended. */
const oneScoutIn = 16;
const firstScouts = 16;

/** A scout begins at this share of the estimate, or after this long. */
const scoutFrom = 1 / 30;
const laterScoutFrom = 1 / 12;
const scoutFromMs = 1_500;

/**
 * With more than so many in flight, the scouts are enough to tell of the first end: they look in steps of a fifth until
 * then, and the others, of which most would look in vain, in long ones.
 */
const many = 200;
const firstScoutStep = 1.2;
const stepOfMany = 6;

/** A number from 0 to 1 that is the same each time: what one movie that is asked about early shows serves all others. */
export function lotOf(rowKey: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < rowKey.length; index += 1) hash = Math.imul(hash ^ rowKey.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/**
 * How long to wait before the next look at a running movie.
 *
 * It falls where few movies of the service end too early for it: on the expected time while nothing was learned, and on
 * what the ends of other movies taught afterwards: late enough for most of them, or, where they all take the same share
 * of their expected time, just then. Scouts are asked about before, in growing steps. An honest percent says more than
 * ends that differ.
 */
export function nextLookMs(movie: MovieProgress, limits: PollingLimits = defaultPolling): number {
  const ceilingMs = Math.max(limits.ceilingMs, movie.ageMs / 2);
  const wait = Math.min(Math.max(lookAtAgeMs(movie) - movie.ageMs, limits.floorMs), ceilingMs);
  const longestMs = believedAlike(movie) ? longestSpreadOfAlikeMs : longestSpreadMs;
  return Math.round(wait + Math.min(wait * spread, longestMs) * movie.jitter);
}

function lookAtAgeMs(movie: MovieProgress): number {
  const { ageMs, learned } = movie;
  const alikeMs = alikeAtMs(movie);
  if (alikeMs !== null) return Math.min(alikeMs, scoutsAtMs(movie));
  const toldMs = toldByPercentMs(movie);
  if (toldMs !== null && learned.percentIsHonest) return Math.max(toldMs, ageMs * (1 + lateShare / 5));
  const plannedMs = Math.min(plannedAtMs(movie), scoutsAtMs(movie));
  // Not yet proved: it may only bring a look forward, and not again and again.
  return toldMs === null || learned.ended >= firstScouts
    ? plannedMs
    : Math.min(plannedMs, Math.max(toldMs, ageMs * 1.3));
}

/** Of movies of one length that were ordered together the first ends are always alike: so many have to be known. */
const knownOfInFlight = 1 / 4;

/**
 * Ends that are alike, yet as far apart as this, are worth a look halfway: what was rounded away of estimates that are
 * much too short differs from movie to movie.
 */
const apartMs = 1_500;

function believedAlike({ learned, inFlight }: Pick<MovieProgress, 'learned' | 'inFlight'>): AlikeEnds | null {
  const { alike, ended } = learned;
  return alike?.lengthsDiffer || ended >= inFlight * knownOfInFlight ? alike : null;
}

/**
 * Where ends are alike: when nearly all have ended, halfway before that where they end far apart, and soon after it once
 * more; null later than that.
 */
function alikeAtMs(movie: MovieProgress): number | null {
  const alike = believedAlike(movie);
  if (alike === null) return null;
  const { ageMs } = movie;
  const expectedMs = expectedOf(movie);
  const endMs = alike.share * expectedMs;
  const roundedMs = expectedMs / 1_000; // shares are kept to a thousandth
  const areApart = alike.lengthsDiffer && 2 * alike.laterMs > apartMs;
  if (areApart && ageMs < endMs + roundedMs) return endMs + roundedMs;
  const mostMs = endMs + alike.laterMs + roundedMs;
  if (ageMs < mostMs) return mostMs;
  const withinMs = alikeWithinMs(alike.share, endMs);
  return ageMs < endMs + 1.5 * withinMs ? ageMs + (areApart ? Math.max(lateMs, withinMs / 2) : withinMs) : null;
}

function toldByPercentMs({ ageMs, percent }: MovieProgress): number | null {
  return percent !== null && percent >= 10 && percent < 100 && ageMs > 0 ? (ageMs * 100) / percent : null;
}

function plannedAtMs(movie: MovieProgress): number {
  const { ageMs, learned } = movie;
  const expectedMs = expectedOf(movie);
  if (learned.ended === 0) return ageMs < expectedMs ? expectedMs : ageMs * stepOf(movie);
  const running = 1 - learned.endedBy(ageMs / expectedMs);
  // Later than nearly all that was seen: nobody knows any more.
  if (running < missedOfRunning) return ageMs * stepOf(movie);
  return learnedAtMs(movie, running);
}

/** The latest look that comes too late for few. */
function learnedAtMs({ ageMs, learned, ...movie }: MovieProgress, running: number): number {
  const expectedMs = expectedOf(movie);
  const endedNow = 1 - running;
  let atMs = Math.max(ageMs, expectedMs / 1_000) + lateMs;
  for (;;) {
    const laterMs = Math.max(atMs * 1.02, atMs + lateMs / 10);
    const tooEarly = learned.endedBy(Math.min(laterMs / (1 + lateShare), laterMs - lateMs) / expectedMs) - endedNow;
    const ending = learned.endedBy(laterMs / expectedMs) - endedNow;
    if (tooEarly > Math.max(missedOfRunning * running, missedOfEnding * ending)) return atMs;
    atMs = laterMs;
  }
}

function scoutsAtMs(movie: MovieProgress): number {
  const { ageMs, lot, inFlight, learned, jitter } = movie;
  const isScout = lot * oneScoutIn < 1;
  if (!isScout && (learned.ended >= firstScouts || lot * inFlight >= firstScouts)) return Number.POSITIVE_INFINITY;
  const fromMs = Math.max(expectedOf(movie) * (isScout ? scoutFrom : laterScoutFrom), scoutFromMs);
  const growth = learned.ended === 0 && inFlight > many ? firstScoutStep : stepOf(movie);
  return ageMs < fromMs ? fromMs * growth ** jitter : ageMs * growth;
}

/**
 * Where nothing is known, looks grow apart: less where few movies can tell of each other, and in a step of its own for
 * each movie, so that some look falls soon after any moment.
 */
function stepOf({ inFlight, lot }: Pick<MovieProgress, 'inFlight' | 'lot'>): number {
  if (inFlight <= 2) return 1 + lateShare;
  if (inFlight <= 4) return 1.3;
  if (inFlight <= 32) return 1.5 ** (0.5 + lot);
  return (inFlight <= many ? 1.8 : stepOfMany) ** (0.5 + lot);
}

function expectedOf({ expectedMs }: Pick<MovieProgress, 'expectedMs'>): number {
  return expectedMs > 0 ? expectedMs : expectedWithoutEstimateMs;
}
