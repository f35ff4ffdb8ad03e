/**
 * What one finished movie taught about its service, as shares of its expected time: it was still running at `from` and
 * had ended at `to`.
 */
export interface RunTime {
  readonly from: number;
  readonly to: number;
  /** Its time as a share of what its last percent foretold; null where it showed none. */
  readonly ofPercent: number | null;
  /** Its expected time. Earlier versions did not keep it. */
  readonly expectedMs?: number;
}

/** Where the newest ends are alike, each takes the same share of its expected time, as far as whole seconds can say it. */
export interface AlikeEnds {
  readonly share: number;
  /** Nearly all end at most so much later than that. */
  readonly laterMs: number;
  /** Movies of different lengths show it, which is no chance. */
  readonly lengthsDiffer: boolean;
}

/** How long the movies of a service really take, learned from those that ended. */
export interface RunTimes {
  readonly ended: number;
  /** The part of the movies that end within this share of their expected time. */
  readonly endedBy: (share: number) => number;
  /** Null where ends differ, or few are known. */
  readonly alike: AlikeEnds | null;
  /** The service's percent foretells the end. */
  readonly percentIsHonest: boolean;
  /** Changes when what was learned would move looks that are already planned. */
  readonly signature: string;
}

/** Enough to show two kinds of movies; with more, a service that changes would be believed too late. */
export const runTimesKept = 64;

/** A movie without an estimate is measured by this. */
export const expectedWithoutEstimateMs = 30_000;

/** A finer grid costs only time: looks are this far apart at least. */
const step = 0.04;
const lowest = Math.log(1 / 1024);
const cells = Math.ceil((2 * -lowest) / step);

/** Each end counts for so much less than the next one. */
const fading = 0.97;

/** A single end says little about the next: it is spread over so much more (natural logarithm) on both sides. */
function blurOf(ended: number): number {
  return 0.03 + 0.15 / Math.sqrt(ended);
}

/** Of so many of the newest ends nearly all have to be alike. */
const alikeOf = { most: 16, least: 8, share: 0.9, laterShare: 0.9 };

/**
 * How far an end may be from the others' and still be like them. Services give their estimates in whole seconds: where
 * movies take a multiple of them, so does what was rounded away.
 */
export function alikeWithinMs(share: number, endMs: number): number {
  return Math.max(1_000, 500 + 500 * share, endMs / 50);
}

function alikeEnds(sample: readonly RunTime[]): AlikeEnds | null {
  const ends = sample
    .slice(0, alikeOf.most)
    .flatMap(({ from, to, expectedMs }) =>
      expectedMs === undefined
        ? []
        : [{ expectedMs, tookMs: ((from + to) / 2) * expectedMs, unsureMs: ((to - from) / 2) * expectedMs }],
    );
  if (ends.length < alikeOf.least) return null;
  const sum = (of: (end: (typeof ends)[number]) => number) => ends.reduce((total, end) => total + of(end), 0);
  const share = sum(({ tookMs }) => tookMs) / sum(({ expectedMs }) => expectedMs);
  const apart = ends.map((end) => ({ ...end, laterMs: end.tookMs - share * end.expectedMs }));
  const alike = apart.filter(
    ({ laterMs, unsureMs, tookMs }) => Math.abs(laterMs) + unsureMs <= alikeWithinMs(share, tookMs),
  );
  if (alike.length < alikeOf.share * ends.length) return null;
  const later = apart.map(({ laterMs }) => laterMs).sort((one, other) => one - other);
  const lengths = sample.flatMap(({ expectedMs }) => expectedMs ?? []);
  return {
    share,
    laterMs: Math.max(later[Math.floor(later.length * alikeOf.laterShare)] ?? 0, 0),
    lengthsDiffer: Math.max(...lengths) >= 1.1 * Math.min(...lengths),
  };
}

/** @param sample the newest first */
export function learnRunTimes(sample: readonly RunTime[]): RunTimes {
  const mass = new Float64Array(cells);
  const blur = blurOf(sample.length);
  let weight = 1;
  let total = 0;
  for (const { from, to } of sample) {
    // Never looked at before its end: it may have ended long before.
    const low = Math.log(Math.max(from, to / 4)) - blur;
    spreadOver(mass, { low, high: Math.log(to) + blur, weight });
    total += weight;
    weight *= fading;
  }
  const below = summed(mass, total);
  const endedBy = (share: number) => at(below, share);
  const marks = sample.length === 0 ? [] : [0.1, 0.5, 0.9].map((part) => Math.round(quantile(below, part) / 0.1));
  const alike = alikeEnds(sample);
  if (alike) marks.push(Math.round(Math.log(alike.share) / 0.02), Math.round(alike.laterMs / 500));
  const percentIsHonest = isHonest(sample);
  return { ended: sample.length, endedBy, alike, percentIsHonest, signature: `${marks.join()} ${percentIsHonest}` };
}

interface Spread {
  readonly low: number;
  readonly high: number;
  readonly weight: number;
}

function spreadOver(mass: Float64Array, { low, high, weight }: Spread): void {
  const first = cellOf(low);
  const last = cellOf(high);
  for (let cell = first; cell <= last; cell += 1) {
    mass[cell] = (mass[cell] ?? 0) + weight / (last - first + 1);
  }
}

function cellOf(logShare: number): number {
  return Math.min(Math.max(Math.floor((logShare - lowest) / step), 0), cells - 1);
}

function summed(mass: Float64Array, total: number): Float64Array {
  const below = new Float64Array(cells + 1);
  for (let cell = 0; cell < cells; cell += 1) below[cell + 1] = (below[cell] ?? 0) + (mass[cell] ?? 0) / (total || 1);
  return below;
}

function at(below: Float64Array, share: number): number {
  if (share <= 0) return 0;
  const place = Math.min(Math.max((Math.log(share) - lowest) / step, 0), cells);
  const cell = Math.min(Math.floor(place), cells - 1);
  const start = below[cell] ?? 0;
  return start + (place - cell) * ((below[cell + 1] ?? 1) - start);
}

function quantile(below: Float64Array, part: number): number {
  return lowest + step * below.findIndex((sum) => sum >= part - 1e-9);
}

/** Of the newest ends that showed a percent at least four, and four in five of them within a tenth. */
function isHonest(sample: readonly RunTime[]): boolean {
  const shown = sample.flatMap(({ ofPercent }) => (ofPercent === null ? [] : [ofPercent])).slice(0, 10);
  const near = shown.filter((share) => Math.abs(share - 1) <= 0.1);
  return shown.length >= 4 && near.length >= 0.8 * shown.length;
}

/** What was known of a movie when it was seen to have ended. Times are milliseconds since it was accepted. */
export interface SeenEnd {
  readonly expectedMs: number;
  /** When it was seen running for the last time; null when it never was. */
  readonly lastLookMs: number | null;
  readonly seenMs: number;
  /** The percent that was shown then. */
  readonly percent: number | null;
  /** Between the two times that the service itself gives in its answer: when it began and when it changed last. */
  readonly saidMs: number | null;
}

/** What an end teaches. The service's own times are believed as far as they fit what we saw. */
export function runTimeOf({ expectedMs, lastLookMs, seenMs, percent, saidMs }: SeenEnd): RunTime | null {
  const from = lastLookMs ?? 0;
  if (seenMs <= from) return null;
  const expected = expectedMs > 0 ? expectedMs : expectedWithoutEstimateMs;
  const isSaid = saidMs !== null && saidMs > 0 && saidMs > from - slackMs && saidMs < seenMs + slackMs;
  const ended = isSaid ? Math.min(Math.max(saidMs, from, 1), seenMs) : null;
  const told = percent !== null && percent >= 10 && percent < 100 && from > 0 ? (from * 100) / percent : null;
  return {
    from: thousandths((ended ?? from) / expected),
    to: Math.max(thousandths((ended ?? seenMs) / expected), 0.001),
    ofPercent: told === null ? null : thousandths((ended ?? (from + seenMs) / 2) / told),
    expectedMs: expected,
  };
}

/** Its clock and ours begin a movie at slightly different moments. */
const slackMs = 1_000;

function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
