import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawing, pollingCases, runCase } from '../../bench/polling-cases.js';
import { simulate } from '../../bench/polling-simulation.js';
import { defaultPolling, lotOf, type MovieProgress, nextLookMs } from '../../domain/polling.js';
import { learnRunTimes } from '../../domain/run-times.js';
import { runs } from '../runs.js';

const { floorMs, ceilingMs } = defaultPolling;
const minute = 60_000;

/** Nothing is known, and many others are on their way: no scout. */
const alone = { learned: learnRunTimes([]), inFlight: 100, lot: 0.9, percent: null, jitter: 0 };

function wait(movie: Partial<MovieProgress>): number {
  return nextLookMs({ ageMs: 0, expectedMs: 20_000, ...alone, ...movie });
}

const exactly = (share: number) => ({ from: share, to: share, ofPercent: null });

describe('nextLookMs', () => {
  test('looks first when the estimate says that the movie is done', () => {
    expect(wait({})).toBe(20_000);
    expect(wait({ expectedMs: 0 })).toBe(30_000);
  });

  test('caps the first look at the ceiling, and later ones at half the age', () => {
    expect(wait({ expectedMs: 6 * 60 * minute })).toBe(ceilingMs);
    expect(wait({ expectedMs: 6 * 60 * minute, ageMs: 60 * minute })).toBe(30 * minute);
  });

  test('looks at a scout early and in growing steps, whatever the estimate', () => {
    const first = wait({ expectedMs: minute, lot: 0 });
    expect(first).toBe(2_000);
    expect(wait({ expectedMs: minute, lot: 0, ageMs: first })).toBeLessThan(2_000);
    expect(wait({ expectedMs: minute, lot: 0.5, inFlight: 6 })).toBeLessThan(minute / 4);
  });

  test('looks where the movies of the service really end', () => {
    const learned = learnRunTimes(Array.from({ length: 20 }, () => exactly(1 / 3)));
    const first = wait({ expectedMs: minute, learned });
    expect(first).toBeGreaterThan(17_500);
    expect(first).toBeLessThan(23_000);
  });

  describe('where the ends of a service are alike', () => {
    const ofLength = (shares: readonly number[], expectedMs: (index: number) => number) =>
      shares.map((share, index) => ({ ...exactly(share), expectedMs: expectedMs(index) }));
    const ends = (shares: readonly number[], expectedMs = minute) =>
      ofLength(shares, (index) => expectedMs * (1 + index / 20));
    const alike = learnRunTimes(ends(Array.from({ length: 12 }, () => 0.5)));

    test('looks just then, and once more soon after', () => {
      const movie = { expectedMs: 100_000, learned: alike };
      expect(wait(movie)).toBe(50_100);
      expect(wait({ ...movie, ageMs: 50_100 })).toBe(1_000);
      expect(wait({ ...movie, ageMs: 51_500 })).toBeGreaterThan(5_000);
      expect(wait({ ...movie, expectedMs: 1_000_000, ageMs: 501_000 })).toBe(10_000);
    });

    test('where estimates that are much too short were rounded, halfway first, and by the second after the last', () => {
      const ended = Array.from({ length: 16 }, (_, index) => {
        const expectedMs = 20_000 + 1_000 * index;
        const tookMs = 3 * expectedMs + (index % 2 === 0 ? 1_400 : -1_400);
        return { ...exactly(tookMs / expectedMs), expectedMs };
      });
      const movie = { expectedMs: 20_000, learned: learnRunTimes(ended) };
      const halfwayMs = wait(movie);
      expect(Math.abs(halfwayMs - 60_000)).toBeLessThan(200);
      const mostMs = halfwayMs + wait({ ...movie, ageMs: halfwayMs });
      expect(Math.abs(mostMs - 61_400)).toBeLessThan(200);
      expect(wait({ ...movie, ageMs: mostMs })).toBe(1_000);
    });

    test('of a scout, too, whatever its percent says', () => {
      const movie = { expectedMs: 100_000, learned: alike, lot: 0, ageMs: 49_000 };
      expect(wait(movie)).toBe(1_100);
      expect(wait({ ...movie, percent: 60 })).toBe(1_100);
    });

    test('as late as nearly all of them, where estimates are rounded', () => {
      const rounded = learnRunTimes(ends([1, 1.1, 0.9, 1.05, 1, 0.95, 1.08, 1, 0.98, 1.02], 5_000));
      expect(wait({ learned: rounded })).toBeGreaterThan(20_200);
      expect(wait({ learned: rounded })).toBeLessThan(20_700);
    });

    test('of one length, where a quarter of those in flight are known: ordered together, the first are always alike', () => {
      const learned = learnRunTimes(
        ofLength(
          Array.from({ length: 12 }, () => 0.5),
          () => minute,
        ),
      );
      const movie = { expectedMs: minute, learned };
      expect(wait({ ...movie, inFlight: 48 })).toBe(30_060);
      expect(wait({ ...movie, inFlight: 49 })).toBeGreaterThan(31_000);
    });

    test.each([
      ['too few', ends(Array.from({ length: 7 }, () => 0.5))],
      ['of lengths that nobody kept', Array.from({ length: 12 }, () => exactly(0.5))],
      ['seen between two looks far apart', ends([...Array(12)].map(() => 0.5)).map((end) => ({ ...end, from: 0.3 }))],
      ['two of ten elsewhere', ends([0.5, 0.5, 0.5, 0.9, 0.5, 0.5, 0.9, 0.5, 0.5, 0.5])],
    ])('but not where they are %s', (_, sample) => {
      expect(learnRunTimes(sample).alike).toBeNull();
    });
  });

  test('follows a percent that has proved honest, and no other', () => {
    const told = { ageMs: 30_000, expectedMs: 300_000, percent: 75 };
    const honest = learnRunTimes(Array.from({ length: 20 }, () => ({ ...exactly(1), ofPercent: 1 })));
    const dishonest = learnRunTimes(Array.from({ length: 20 }, () => ({ ...exactly(1), ofPercent: 3 })));
    expect(wait({ ...told, learned: honest })).toBe(10_000);
    expect(wait({ ...told, learned: dishonest })).toBeGreaterThan(200_000);
    expect(wait(told)).toBe(10_000);
  });

  test('backs off with age where nothing helps, by less where few can tell of each other', () => {
    const late = { ageMs: 80_000, expectedMs: 20_000, lot: 0.5 };
    expect(wait(late)).toBe(64_000);
    expect(wait({ ...late, inFlight: 20 })).toBe(40_000);
    expect(wait({ ...late, inFlight: 4 })).toBe(24_000);
    expect(wait({ ...late, inFlight: 1 })).toBe(10_400);
  });

  test('stays between floor and ceiling, jitter apart, whatever the service says', () => {
    const input = fc.record({
      ageMs: fc.nat(1e9),
      expectedMs: fc.nat(1e9),
      percent: fc.option(fc.integer({ min: 0, max: 100 })),
      lot: fc.double({ min: 0, max: 1, noNaN: true }),
      inFlight: fc.nat(10_000),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
      learned: fc
        .array(
          fc.record({
            from: fc.double({ min: 0.001, max: 999, noNaN: true }),
            more: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 9, noNaN: true })),
            expectedMs: fc.integer({ min: 1, max: 1e9 }),
          }),
        )
        .map((ends) =>
          learnRunTimes(
            ends.map(({ from, more, expectedMs }) => ({ from, to: from + more, ofPercent: null, expectedMs })),
          ),
        ),
    });
    fc.assert(
      fc.property(input, (movie) => {
        const waitMs = nextLookMs(movie);
        expect(waitMs).toBeGreaterThanOrEqual(floorMs);
        expect(waitMs).toBeLessThanOrEqual(Math.ceil(Math.max(ceilingMs, movie.ageMs / 2)) + 1_000);
      }),
    );
  });
});

test('one row in sixteen has a lot by which it is looked at early', () => {
  const lots = Array.from({ length: 1_600 }, (_, index) => lotOf(`row-${index}`));
  expect(lots.filter((lot) => lot < 1 / 16).length).toBeGreaterThan(60);
  expect(lots.filter((lot) => lot < 1 / 16).length).toBeLessThan(140);
});

describe('however wrong the estimates, nine in ten ends are seen at most 15 % late, by at most 6 polls a movie', () => {
  const within = pollingCases.filter(({ beyondTargets }) => !beyondTargets);

  test.each(within)('$name', (one) => {
    for (const saysWhen of [true, false]) {
      const looks = runCase(one, { movies: 1_000, inFlight: 100, saysWhen, seed: 1 });
      expect.soft(looks.lateP90, `late, ${saysWhen}`).toBeLessThanOrEqual(0.15);
      expect.soft(looks.pollsPerMovie, `polls, ${saysWhen}`).toBeLessThanOrEqual(6);
    }
  });

  test.each(within.filter(({ name }) => /^(right|twice|3 times|none)/.test(name)))(
    '$name: of a service that says when, the end is seen within a second, or two',
    (one) => {
      // Of movies of one length that were all ordered together, the first ends say little.
      const inFlight = /5 to 150 s/.test(one.name) ? 500 : 100;
      const looks = runCase(one, { movies: 1_000, inFlight, saysWhen: true, seed: 1 });
      expect(looks.seenAfterMsP50).toBeLessThanOrEqual(700);
      expect(looks.seenAfterMsP99).toBeLessThanOrEqual(1_700);
      // Whole seconds say a third of a movie's time less well.
      expect(looks.pollsPerMovie).toBeLessThanOrEqual(one.name.startsWith('3 times too short, to') ? 3.5 : 3);
    },
  );

  test.each(within)('$name: not more than 6.5 polls a movie also where all are in flight at once', (one) => {
    const looks = runCase(one, { movies: 500, inFlight: 500, saysWhen: true, seed: 1 });
    expect(looks.pollsPerMovie).toBeLessThanOrEqual(6.5);
  });

  interface Drawn {
    readonly factor: number;
    readonly tookMs: number;
    readonly inFlight: number;
    readonly seed: number;
  }

  /** 400 movies whose estimates are all wrong by one factor, and by 3 % more each. */
  function looksOf({ factor, tookMs, inFlight, seed }: Drawn) {
    const random = drawing(seed);
    const movies = Array.from({ length: 400 }, () => {
      const expectedMs = tookMs * (0.6 + 0.8 * random());
      return { expectedMs: expectedMs * factor, tookMs: expectedMs * (0.97 + 0.06 * random()) };
    });
    return simulate({ movies, inFlight, random });
  }

  const drawn = (inFlight: { min: number; max: number }) =>
    fc.record({
      factor: fc.double({ min: Math.log(0.1), max: Math.log(10), noNaN: true }).map(Math.exp),
      tookMs: fc.integer({ min: 3_000, max: 20 * minute }),
      inFlight: fc.integer(inFlight),
      seed: fc.nat(),
    });

  test('any factor from a tenth to ten, drawn', () => {
    fc.assert(
      fc.property(drawn({ min: 40, max: 100 }), (one) => {
        const { lateP90, pollsPerMovie } = looksOf(one);
        expect(lateP90).toBeLessThanOrEqual(0.17);
        expect(pollsPerMovie).toBeLessThanOrEqual(7);
      }),
      { numRuns: runs(30) },
    );
  });

  // Here nearly all movies end before the first end can have taught anything: how late they are seen depends on which
  // of them are scouts. That they are not asked about again and again meanwhile holds for every draw.
  test('nor are there more polls where nearly all are in flight at once', () => {
    fc.assert(
      fc.property(drawn({ min: 100, max: 400 }), (one) => {
        expect(looksOf(one).pollsPerMovie).toBeLessThanOrEqual(7);
      }),
      { numRuns: runs(30) },
    );
  });

  test.each<Drawn>([
    { factor: 0.114, tookMs: 864_825, inFlight: 305, seed: 1_070_894_485 },
    { factor: 0.161, tookMs: 140_272, inFlight: 393, seed: 1_083_626_432 },
    { factor: 0.1014, tookMs: 307_446, inFlight: 398, seed: 932_234_906 },
    { factor: 0.1005, tookMs: 543_177, inFlight: 393, seed: 1_881_664_342 },
  ])('estimates $factor of the truth, $inFlight in flight: few looks in vain before the first end', (one) => {
    expect(looksOf(one).pollsPerMovie).toBeLessThanOrEqual(6.8);
  });
});

test('what earlier batches of a service taught serves the first movies of the next one', () => {
  const tooLong = pollingCases.find(({ name }) => name.startsWith('10 times too long'));
  if (!tooLong) throw new Error('no such case');
  const known = Array.from({ length: 40 }, () => exactly(0.1));
  const six = { movies: 6, inFlight: 6, saysWhen: false, seed: 1 };
  const looks = runCase(tooLong, { ...six, known });
  expect(looks.pollsPerMovie).toBeLessThanOrEqual(2.5);
  expect(looks.lateP90).toBeLessThanOrEqual(0.15);
});
