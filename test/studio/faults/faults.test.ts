import { describe, expect, test } from 'vitest';
import { ZodError } from 'zod';
import { createFaults, type Subject } from '../../../studio/faults/faults.js';
import type { FaultScript } from '../../../studio/faults/script.js';

type Rule = NonNullable<FaultScript['rules']>[number];

const subject: Subject = {
  operation: 'getMovie',
  keyHash: 'k1',
  idempotencyKey: null,
  movieId: 'movie_1',
  prompt: 'A red boat',
};

function firing(rules: readonly Rule[], calls: readonly Partial<Subject>[], seed = 0): number[] {
  const faults = createFaults({ seed, rules: [...rules] });
  return calls.map((call) => faults.answerRules({ ...subject, ...call }).length);
}

const times = (count: number, call: Partial<Subject> = {}) => Array.from({ length: count }, () => call);

describe('a rule', () => {
  test.each<[string, Rule['calls'], number[]]>([
    ['always', undefined, [1, 1, 1, 1, 1, 1]],
    ['at the second call', 2, [0, 1, 0, 0, 0, 0]],
    ['at some calls', [1, 4], [1, 0, 0, 1, 0, 0]],
    ['from the third call on', { from: 3 }, [0, 0, 1, 1, 1, 1]],
    ['up to the second call', { to: 2 }, [1, 1, 0, 0, 0, 0]],
    ['at every second call', { from: 2, every: 2 }, [0, 1, 0, 1, 0, 1]],
  ])('fires %s', (_, calls, expected) => {
    expect(firing([{ effect: 'reset_after', ...(calls !== undefined && { calls }) }], times(6))).toEqual(expected);
  });

  test('counts what it matches only', () => {
    const rule: Rule = { effect: 'reset_after', operation: ['getMovie', 'listAssets'], calls: 2 };
    const calls = [
      { operation: 'createMovie' },
      {},
      { operation: 'createMovie' },
      { operation: 'listAssets' },
    ] as const;
    expect(firing([rule], calls)).toEqual([0, 0, 0, 1]);
  });

  test('may count for each movie: by id, else by idempotency key, else by prompt', () => {
    const rule: Rule = { effect: 'reset_after', calls: 2, each: 'movie' };
    const [one, two] = [{ movieId: 'movie_1' }, { movieId: 'movie_2' }];
    expect(firing([rule], [one, two, one, two])).toEqual([0, 0, 1, 1]);
    const creates = ['a', 'b', 'a'].map((idempotencyKey) => ({ movieId: null, idempotencyKey }));
    expect(firing([rule], creates)).toEqual([0, 0, 1]);
    expect(
      firing(
        [rule],
        ['a', 'b', 'a'].map((prompt) => ({ movieId: null, prompt })),
      ),
    ).toEqual([0, 0, 1]);
  });

  test('looks at the API key, the idempotency key and the prompt', () => {
    expect(firing([{ effect: 'reset_after', key: 'k2' }], [{}, { keyHash: 'k2' }])).toEqual([0, 1]);
    expect(
      firing([{ effect: 'reset_after', prompt: '^A \\w+ boat' }], [{}, { prompt: 'No boat' }, { prompt: null }]),
    ).toEqual([1, 0, 0]);
    expect(firing([{ effect: 'reset_after', idempotencyKey: '-7$' }], [{}, { idempotencyKey: 'row-7' }])).toEqual([
      0, 1,
    ]);
  });

  test('fires by chance, the same way each time for one seed', () => {
    const rule: Rule = { effect: 'reset_after', probability: 0.3 };
    const fired = (seed: number) => firing([rule], times(1000), seed);
    const count = fired(1).reduce((sum, each) => sum + each, 0);
    expect(count).toBeGreaterThan(250);
    expect(count).toBeLessThan(350);
    expect(fired(1)).toEqual(fired(1));
    expect(fired(2)).not.toEqual(fired(1));
  });

  test('bears on the operations that its effect makes sense for', () => {
    const [get, list, create] = (['getMovie', 'listAssets', 'createMovie'] as const).map((operation) => ({
      operation,
    }));
    expect(firing([{ effect: 'word' }], [get ?? {}, list ?? {}, create ?? {}])).toEqual([1, 0, 0]);
    expect(firing([{ effect: 'no_assets' }], [get ?? {}, list ?? {}, create ?? {}])).toEqual([0, 1, 0]);
    expect(firing([{ effect: 'echo' }], [get ?? {}, list ?? {}, create ?? {}])).toEqual([1, 0, 1]);
  });
});

test('each rule counts for itself, also while another one fires', () => {
  const rules: Rule[] = [
    { effect: 'reset_after', calls: 1 },
    { effect: 'status', status: 500, calls: 2 },
  ];
  expect(firing(rules, times(3))).toEqual([1, 1, 0]);
});

test('a movie keeps only the effect, not the match that chose it', () => {
  const faults = createFaults({ rules: [{ effect: 'stuck', prompt: 'boat', calls: 1, at: 'planning' }] });
  const creation = { ...subject, operation: 'createMovie' } as const;
  expect(faults.quirksFor(creation)).toEqual([{ effect: 'stuck', at: 'planning' }]);
  expect(faults.quirksFor(creation)).toEqual([]);
  expect(faults.answerRules(creation)).toEqual([]);
});

test('a new script starts counting anew', () => {
  const script: FaultScript = { rules: [{ effect: 'reset_after', calls: 1 }] };
  const faults = createFaults(script);
  const fired = () => faults.answerRules(subject).length;
  expect([fired(), fired()]).toEqual([1, 0]);
  faults.set(script);
  expect(fired()).toBe(1);
});

test.each([
  ['an unknown effect', { rules: [{ effect: 'explode' }] }],
  ['an unknown operation', { rules: [{ effect: 'stall', operation: 'deleteMovie' }] }],
  ['a pattern that is none', { rules: [{ effect: 'stall', prompt: '(' }] }],
  ['a field of another effect', { rules: [{ effect: 'stall', status: 500 }] }],
  ['a call before the first', { rules: [{ effect: 'stall', calls: 0 }] }],
  ['a misspelt field', { rule: [] }],
])('%s is refused', (_, script) => {
  expect(() => createFaults(script as FaultScript)).toThrow(ZodError);
});
