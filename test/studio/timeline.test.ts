import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesOf, rankOf, stateAt, type TimedJob } from '../../studio/timeline.js';

const job: TimedJob = { createdMs: 1_000, jobMs: 100_000, stuckAt: null, failure: null };

test('a job passes through its states at their share of its time', () => {
  const seen = [0, 5, 15, 60, 100].map((seconds) => stateAt(job, 1_000 + seconds * 1000));
  expect(seen.map(({ status, percent }) => `${status} ${percent}`)).toEqual([
    'queued 0',
    'planning 5',
    'generating 15',
    'rendering 60',
    'completed 100',
  ]);
  expect(seen[4]?.endedMs).toBe(101_000);
});

test('a change of status moves updatedMs to the moment of the change, whenever it is read', () => {
  expect(stateAt(job, 40_000).updatedMs).toBe(16_000);
  expect(stateAt(job, 50_000).updatedMs).toBe(16_000);
});

test('a job without length is completed as soon as it is looked at', () => {
  expect(stateAt({ ...job, jobMs: 0 }, 1_000)).toMatchObject({ status: 'completed', percent: 100, endedMs: 1_000 });
});

test('a stuck job never goes further, however long one waits', () => {
  const stuck = { ...job, stuckAt: 'generating' } as const;
  expect(stateAt(stuck, 1e15)).toMatchObject({ status: 'generating', percent: 59, endedMs: null });
});

test('a job that is to fail does so when it would begin that state', () => {
  const failing = { ...job, failure: { at: 'generating', code: 'c', message: 'm' } } as const;
  expect(stateAt(failing, 15_999).status).toBe('planning');
  expect(stateAt(failing, 16_000)).toMatchObject({
    status: 'failed',
    endedMs: 16_000,
    error: { code: 'c', message: 'm' },
  });
});

test('neither percent nor state ever falls, and the last change is the last state', () => {
  const length = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(length, length, length, (jobMs, one, other) => {
      const timed = { ...job, jobMs };
      const [before, after] = [Math.min(one, other), Math.max(one, other)].map((ms) => stateAt(timed, 1_000 + ms));
      if (!before || !after) return false;
      const rises = rankOf(before.status) <= rankOf(after.status) || after.endedMs !== null;
      return before.percent <= after.percent && rises;
    }),
  );
  expect(changesOf(job).at(-1)).toEqual(stateAt(job, 1e15));
});
