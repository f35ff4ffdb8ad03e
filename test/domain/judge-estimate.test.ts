import { describe, expect, test } from 'vitest';
import { type Estimate, judgeEstimate } from '../../domain/judge-estimate.js';

const good: Estimate = { amountMinor: 300, currency: 'USD', credits: 3, runtimeSeconds: 20, assumptions: [] };
const rules = { budgetCurrency: 'USD', allowFree: false };

describe('an estimate', () => {
  test('prices a row', () => {
    expect(judgeEstimate(good, rules)).toEqual({ kind: 'priced', amountMinor: 300, credits: 3, runtimeSeconds: 20 });
  });

  test.each([
    ['missing', { amountMinor: null }, 'the estimate has no amount'],
    ['negative', { amountMinor: -1 }, "the estimate's amount -1 is negative"],
    ['not whole', { amountMinor: 1.5 }, "the estimate's amount 1.5 is not a whole number"],
    ['not a number', { amountMinor: Number.NaN }, "the estimate's amount NaN is not a whole number"],
    ['beyond exact counting', { amountMinor: 2 ** 60 }, `the estimate's amount ${2 ** 60} is not a whole number`],
    ['zero', { amountMinor: 0 }, 'the estimate is zero; --allow-free accepts that'],
    ['in another currency', { currency: 'EUR' }, 'the estimate is in EUR, the budget in USD'],
    ['in no currency', { currency: null }, 'the estimate is in no currency, the budget in USD'],
  ])('that is %s leaves the row unpriced, and why is said', (_, over, problem) => {
    expect(judgeEstimate({ ...good, ...over }, rules)).toEqual({ kind: 'unpriced', problem });
  });

  test('of zero is a price where free movies are allowed', () => {
    expect(judgeEstimate({ ...good, amountMinor: 0 }, { ...rules, allowFree: true })).toMatchObject({ amountMinor: 0 });
  });

  test('is good without credits or run time, which decide nothing', () => {
    const judged = judgeEstimate({ ...good, credits: null, runtimeSeconds: -4 }, rules);
    expect(judged).toEqual({ kind: 'priced', amountMinor: 300, credits: 0, runtimeSeconds: 0 });
  });
});
