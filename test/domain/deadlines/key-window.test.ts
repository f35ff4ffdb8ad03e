import { expect, test } from 'vitest';
import { keyWindowMs, remembersKey } from '../../../domain/deadlines/key-window.js';

const policy = { idempotency: { mode: 'replay', windowHours: 2 } } as const;
const twoHoursMs = 7_200_000;

test('a key is remembered for as long as policy says, from its first send on', () => {
  expect(keyWindowMs(policy)).toBe(twoHoursMs);
  expect(remembersKey(1_000, 1_000, policy)).toBe(true);
  expect(remembersKey(1_000, 1_000 + twoHoursMs - 1, policy)).toBe(true);
  expect(remembersKey(1_000, 1_000 + twoHoursMs, policy)).toBe(false);
});

test('a key that was never sent is not remembered', () => {
  expect(remembersKey(null, 0, policy)).toBe(false);
});
