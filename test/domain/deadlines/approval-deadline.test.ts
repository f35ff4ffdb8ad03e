import { expect, test } from 'vitest';
import { approvalDeadline, isExpired } from '../../../domain/deadlines/approval-deadline.js';

const sealedMs = Date.parse('2026-11-28T12:00:00Z');

test('a plan may be decided on for as many days as the policy says, and not at their end', () => {
  const expires_ms = approvalDeadline({ approvalDays: 7 }, sealedMs);
  expect(new Date(expires_ms).toISOString()).toBe('2026-12-05T12:00:00.000Z');
  expect(isExpired({ expires_ms }, expires_ms - 1)).toBe(false);
  expect(isExpired({ expires_ms }, expires_ms)).toBe(true);
});

test('a plan that is not sealed does not expire', () => {
  expect(isExpired({ expires_ms: null }, Number.MAX_SAFE_INTEGER)).toBe(false);
});
