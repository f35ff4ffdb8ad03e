import { expect, test } from 'vitest';
import { statusMeaning } from '../../../domain/answers/movie-status.js';

test.each(['queued', 'planning', 'generating', 'rendering'])('%s is under way', (status) => {
  expect(statusMeaning(status)).toEqual({ kind: 'under_way', alarm: null });
});

test.each(['completed', 'failed', 'canceled'] as const)('%s is an end', (status) => {
  expect(statusMeaning(status)).toEqual({ kind: 'end', end: status });
});

test('a word that the interface does not have is an alarm and no end', () => {
  expect(statusMeaning('cancelled')).toEqual({
    kind: 'under_way',
    alarm: 'the service shows an unknown status: cancelled',
  });
});
