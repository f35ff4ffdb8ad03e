import { expect, test } from 'vitest';
import { clockSkewMs, skewWords } from '../../../ledger/database/clock-skew.js';
import { refuseSkewedClock } from '../../../worker/refuse-skewed-clock.js';

/** A database whose time is read between the two looks at this machine's. */
const measured = (database: number, ...machine: number[]) =>
  clockSkewMs({ now: async () => database }, () => machine.shift() ?? Number.NaN);

test('a skew is what the round trip does not account for', async () => {
  expect(await measured(1_000, 900, 1_100)).toBe(0);
  expect(await measured(1_000, 3_000, 3_200)).toBe(2_000);
  expect(await measured(9_000, 1_000, 1_200)).toBe(-7_800);
});

test.each([
  [5_000, null],
  [-5_000, null],
  [7_400, "this machine's clock is 7 s ahead of the ledger's database; set it right (NTP)"],
  [-60_000, "this machine's clock is 60 s behind the ledger's database; set it right (NTP)"],
])('of %i ms: %s', (skewMs, words) => {
  expect(skewWords(skewMs)).toBe(words);
});

test('a machine whose clock is off starts no worker', async () => {
  const ledger = { now: async () => 100_000 };
  await refuseSkewedClock(ledger, () => 104_000);
  await expect(refuseSkewedClock(ledger, () => 106_000)).rejects.toThrow(
    "Cannot start a worker: this machine's clock is 6 s ahead of the ledger's database; set it right (NTP)",
  );
});
