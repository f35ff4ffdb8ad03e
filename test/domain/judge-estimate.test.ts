import { describe, expect, test } from 'vitest';
import { type Estimate, judgeEstimate } from '../../domain/judge-estimate.js';

const good: Estimate = { amountMinor: 300, currency: 'USD', credits: 3, runtimeSeconds: 20, assumptions: [] };
const rules = { budgetCurrency: 'USD', allowFree: false };

describe('an estimate', () => {
  test('prices a row', () => {
    expect(judgeEstimate(good, rules)).toEqual({ kind: 'priced', amountMinor: 300, credits: 3, runtimeSeconds: 20 });
  });

  test.each([
    ['missing', { amountMinor: null }],
    ['negative', { amountMinor: -1 }],
    ['not whole', { amountMinor: 1.5 }],
    ['not a number', { amountMinor: Number.NaN }],
    ['beyond exact counting', { amountMinor: 2 ** 60 }],
    ['zero', { amountMinor: 0 }],
    ['in another currency', { currency: 'EUR' }],
    ['in no currency', { currency: null }],
  ])('that is %s leaves the row unpriced', (_, over) => {
    expect(judgeEstimate({ ...good, ...over }, rules).kind).toBe('unpriced');
  });

  test('of zero is a price where free movies are allowed', () => {
    expect(judgeEstimate({ ...good, amountMinor: 0 }, { ...rules, allowFree: true })).toMatchObject({ amountMinor: 0 });
  });

  test('is good without credits or run time, which decide nothing', () => {
    const judged = judgeEstimate({ ...good, credits: null, runtimeSeconds: -4 }, rules);
    expect(judged).toEqual({ kind: 'priced', amountMinor: 300, credits: 0, runtimeSeconds: 0 });
  });
});
