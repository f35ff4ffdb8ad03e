import { describe, expect, test } from 'vitest';
import { cancelOutcome } from '../../../domain/answers/cancel-outcome.js';
import { rowStates } from '../../../domain/row-state.js';

describe('a cancel, by the state that it meets', () => {
  test.each([
    ['planned', 0, 'end', 'not_spent'],
    ['blocked', 0, 'end', 'not_spent'],
    ['ordering', 0, 'release', 'not_spent'],
    ['ordering', 1, 'mark', 'may_still_leave'],
    ['unknown', 1, 'mark', 'unknown'],
    ['running', 0, 'mark', 'may_be_charged'],
    ['overdue', 0, 'mark', 'may_be_charged'],
    ['archiving', 0, 'none', 'paid_and_kept'],
    ['delivered', 0, 'none', 'ended'],
    ['rejected', 0, 'none', 'ended'],
    ['failed', 0, 'none', 'ended'],
    ['canceled', 0, 'none', 'ended'],
    ['lost', 0, 'none', 'ended'],
    ['unchanged', 0, 'none', 'ended'],
    ['open_elsewhere', 0, 'none', 'ended'],
    ['left_out', 0, 'none', 'ended'],
  ] as const)('%s with %d sends that may have arrived: %s, %s', (state, uncertainSends, act, effect) => {
    expect(cancelOutcome({ state, uncertainSends, sendUnderWay: true })).toEqual({ act, effect });
  });

  test('a send whose answer was lost has left: a cancel does not let it leave again', () => {
    const lost = { state: 'ordering', uncertainSends: 1, sendUnderWay: false } as const;
    expect(cancelOutcome(lost)).toEqual({ act: 'mark', effect: 'unknown' });
  });

  test('a movie that may exist is never simply ended', () => {
    for (const state of rowStates) {
      const { act } = cancelOutcome({ state, uncertainSends: 1, sendUnderWay: false });
      if (['ordering', 'unknown', 'running', 'overdue'].includes(state)) expect(act, state).toBe('mark');
    }
  });
});
