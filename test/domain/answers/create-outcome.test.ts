import { describe, expect, test } from 'vitest';
import type { CreateAnswer } from '../../../domain/answers/create-answer.js';
import {
  createOutcome,
  idempotencyModes,
  type SendSituation,
  whyNoRepeat,
} from '../../../domain/answers/create-outcome.js';

const refused = (status: number, retryAfterMs: number | null = null): CreateAnswer => ({
  ...{ kind: 'refused', status, code: 'word', message: 'words', retryAfterMs },
});
const answers = {
  movie: { kind: 'movie', movieId: 'movie_1', echo: 'matches' },
  'movie, other echo': { kind: 'movie', movieId: 'movie_1', echo: 'differs' },
  'no usable id': { kind: 'broken' },
  'never connected': { kind: 'not_connected' },
  'held back': { kind: 'withheld', why: 'ordering was stopped' },
  '429': refused(429, 7_000),
  '400': refused(400),
  '404': refused(404),
  '413': refused(413),
  '415': refused(415),
  '422': refused(422),
  '401': refused(401),
  '402': refused(402),
  '403': refused(403),
  '409': refused(409),
  '418': refused(418),
  lost: { kind: 'lost' },
} as const satisfies Record<string, CreateAnswer>;

/** The table, one line an answer: first send; later send; and both again where the service does not replay a key. */
const table: Readonly<Record<keyof typeof answers, readonly [string, string, string, string]>> = {
  movie: ['running', 'running', 'running', 'running'],
  'movie, other echo': ['running, alarm', 'running, alarm', 'running, alarm', 'running, alarm'],
  'no usable id': ['unknown', 'unknown', 'unknown', 'unknown'],
  'never connected': ['again, proved', 'again, proved', 'again, proved', 'again, proved'],
  'held back': ['again, proved', 'again, proved', 'again, proved', 'again, proved'],
  '429': ['again, proved', 'again, proved', 'again, proved', 'again, proved'],
  '400': ['rejected', 'unknown', 'rejected', 'unknown'],
  '404': ['rejected', 'unknown', 'rejected', 'unknown'],
  '413': ['rejected', 'unknown', 'rejected', 'unknown'],
  '415': ['rejected', 'unknown', 'rejected', 'unknown'],
  '422': ['rejected', 'unknown', 'rejected', 'unknown'],
  '401': ['replanned', 'unknown, stop', 'replanned', 'unknown, stop'],
  '402': ['replanned', 'unknown, stop', 'replanned', 'unknown, stop'],
  '403': ['replanned', 'unknown, stop', 'replanned', 'unknown, stop'],
  '409': ['again', 'again', 'unknown', 'unknown'],
  '418': ['unknown', 'unknown', 'unknown', 'unknown'],
  lost: ['again', 'again', 'unknown', 'unknown'],
};

const fresh: SendSituation = { mode: 'replay', earlierMayHaveArrived: false, canceled: false, withinWindow: true };

function outcome(answer: CreateAnswer, over: Partial<SendSituation>): string {
  const result = createOutcome(answer, { ...fresh, ...over });
  switch (result.kind) {
    case 'running':
      return result.alarm === null ? 'running' : 'running, alarm';
    case 'again':
      return result.proved ? 'again, proved' : 'again';
    case 'unknown':
      return result.stopBatch ? 'unknown, stop' : 'unknown';
    default:
      return result.kind;
  }
}

describe('the outcome of a create', () => {
  const names = Object.keys(table) as (keyof typeof answers)[];
  const cells = idempotencyModes.flatMap((mode) =>
    names.flatMap((name) => [false, true].map((earlier) => ({ mode, name, earlier }))),
  );

  test.each(cells)('$mode, $name, an earlier send may have arrived: $earlier', ({ mode, name, earlier }) => {
    const [first, later, firstNoReplay, laterNoReplay] = table[name];
    const expected = mode === 'replay' ? (earlier ? later : first) : earlier ? laterNoReplay : firstNoReplay;
    expect(outcome(answers[name], { mode, earlierMayHaveArrived: earlier })).toBe(expected);
  });

  test.each(cells)(
    '$mode, $name, earlier $earlier: after a cancel nothing is sent again',
    ({ mode, name, earlier }) => {
      const result = outcome(answers[name], { mode, earlierMayHaveArrived: earlier, canceled: true });
      expect(result).not.toMatch(/^again/);
      const wasUnknown = outcome(answers[name], { mode, earlierMayHaveArrived: earlier });
      if (wasUnknown.startsWith('unknown')) expect(result).toBe(wasUnknown);
      if (earlier && !wasUnknown.startsWith('running')) expect(result).toMatch(/^unknown/);
    },
  );

  test('a cancel that meets a send that certainly did nothing ends the row', () => {
    for (const name of ['never connected', 'held back', '429', '400', '401'] as const) {
      expect(outcome(answers[name], { canceled: true }), name).toBe('canceled');
    }
    expect(outcome(answers.lost, { canceled: true })).toBe('unknown');
    expect(outcome(answers['409'], { canceled: true })).toBe('unknown');
  });

  test('once the service may have forgotten the key, a lost answer stays unknown', () => {
    expect(outcome(answers.lost, { withinWindow: false })).toBe('unknown');
    expect(outcome(answers['409'], { withinWindow: false, earlierMayHaveArrived: true })).toBe('unknown');
    expect(outcome(answers['429'], { withinWindow: false })).toBe('again, proved');
  });

  test('nothing but a refusal by name or no connection proves that nothing was created', () => {
    for (const [name, answer] of Object.entries(answers)) {
      const result = createOutcome(answer, fresh);
      const proved =
        result.kind === 'rejected' || result.kind === 'replanned' || (result.kind === 'again' && result.proved);
      const may = ['never connected', 'held back', '429', '400', '404', '413', '415', '422', '401', '402', '403'];
      expect(proved, name).toBe(may.includes(name));
    }
  });

  test('says what was answered: only no answer at all is a lost one', () => {
    const why = (answer: CreateAnswer) => (createOutcome(answer, { ...fresh, mode: 'none' }) as { why: string }).why;
    const answered = { status: 503, code: 'unavailable', message: 'try later' };
    expect(why({ kind: 'lost', answered })).toMatch(
      /^the service answered 503 unavailable: try later; it may have accepted the order before/,
    );
    const message = 'Cannot create the movie: the service answered 503 unavailable: try later (request req_1)';
    expect(why({ kind: 'lost', answered: { ...answered, message } })).toMatch(
      /^the service answered 503 unavailable: try later \(request req_1\); it may/,
    );
    expect(why({ kind: 'lost' })).toMatch(/^the answer of the service was lost/);
    expect(why(refused(422))).toBe('the service answered 422 word: words');
  });

  test('waits as long as the service asks', () => {
    expect(createOutcome(answers['429'], fresh)).toMatchObject({ delayMs: 7_000 });
    expect(createOutcome({ kind: 'lost', retryAfterMs: 9_000 }, fresh)).toMatchObject({ delayMs: 9_000 });
    expect(createOutcome(answers.lost, fresh)).toMatchObject({ delayMs: null });
  });
});

describe('a repeat of a send that may have arrived', () => {
  test('is one movie only where the service replays the key, remembers it, and nobody canceled', () => {
    const allowed = { mode: 'replay', canceled: false, withinWindow: true } as const;
    expect(whyNoRepeat(allowed)).toBeNull();
    expect(whyNoRepeat({ ...allowed, canceled: true })).toContain('canceled');
    expect(whyNoRepeat({ ...allowed, withinWindow: false })).toContain('forgotten');
    expect(whyNoRepeat({ ...allowed, mode: 'conflict' })).toContain('does not replay');
    expect(whyNoRepeat({ ...allowed, mode: 'none' })).toContain('does not replay');
  });
});

describe('what the outcome says', () => {
  test.each([
    ['movie, other echo', { alarm: 'the answer of the service does not match the order', movieId: 'movie_1' }],
    ['no usable id', { why: 'the service accepted the order and gave no usable movie id' }],
    ['never connected', { why: 'the service cannot be reached', delayMs: null }],
    ['held back', { why: 'ordering was stopped', delayMs: 0 }],
    ['429', { delayMs: 7_000 }],
    ['400', { why: 'the service answered 400 word: words' }],
  ] as const)('%s', (name, said) => {
    expect(createOutcome(answers[name], fresh)).toMatchObject(said);
  });

  test('an answer without a word of the service has none', () => {
    const answer = { ...refused(400), code: null } as CreateAnswer;
    expect(createOutcome(answer, fresh)).toMatchObject({ why: 'the service answered 400: words' });
  });

  test('a canceled row that may have been ordered stops nothing but itself', () => {
    const situation = { ...fresh, earlierMayHaveArrived: true, canceled: true };
    expect(createOutcome(answers['429'], situation)).toMatchObject({ kind: 'unknown', stopBatch: false });
  });
});
