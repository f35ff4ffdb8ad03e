import { expect, test } from 'vitest';
import { lostAfterMs } from '../../../domain/deadlines/lost-after.js';

test('the files of a finished movie are waited for as many hours as the policy says', () => {
  const finishedMs = Date.parse('2026-11-28T12:00:00Z');
  expect(new Date(lostAfterMs(finishedMs, { assetsWaitHours: 2 })).toISOString()).toBe('2026-11-28T14:00:00.000Z');
});
