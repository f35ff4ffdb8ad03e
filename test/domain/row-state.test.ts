import { describe, expect, test } from 'vitest';
import { settledAs } from '../../domain/batch-state.js';
import { isFailed, isInFlight, isSettled, isTerminal, rowStates } from '../../domain/row-state.js';

describe('states of a row', () => {
  test('what is terminal is settled, and only unknown and overdue are settled without being terminal', () => {
    const settledOnly = rowStates.filter((state) => isSettled(state) && !isTerminal(state));
    expect(settledOnly).toEqual(['unknown', 'overdue']);
    for (const state of rowStates) if (isTerminal(state)) expect(isSettled(state), state).toBe(true);
  });

  test('only ordering and running take a place in flight', () => {
    expect(rowStates.filter(isInFlight)).toEqual(['ordering', 'running']);
  });

  test('a failure for good is no cancel and no delivery', () => {
    expect(rowStates.filter(isFailed)).toEqual(['rejected', 'failed', 'lost']);
  });
});

describe('the state of a batch by its rows', () => {
  test.each([
    [{ delivered: 3, planned: 1 }, false, 'making'],
    [{ delivered: 3, archiving: 1 }, false, 'making'],
    [{ delivered: 3, ordering: 1 }, false, 'making'],
    [{ delivered: 3, running: 1 }, false, 'making'],
    [{ delivered: 3, blocked: 1 }, true, 'making'],
    [{ delivered: 3, unknown: 1 }, false, 'unsettled'],
    [{ delivered: 3, overdue: 1 }, true, 'unsettled'],
    [{ delivered: 3, failed: 1, unchanged: 2 }, false, 'closed'],
    [{ delivered: 3, canceled: 1 }, true, 'canceled'],
    [{ delivered: 3, running: 0 }, false, 'closed'],
  ] as const)('%o, canceled as a whole %s: %s', (counts, canceled, state) => {
    expect(settledAs(counts, canceled)).toBe(state);
  });
});
