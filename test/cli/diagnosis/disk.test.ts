import { join } from 'node:path';
import { expect, test } from 'vitest';
import { roomOnDisk, roomWords } from '../../../cli/diagnosis/disk.js';

test.each([64e6, 12.34e9])('%i bytes are room enough', (bytes) => {
  expect(roomWords('/films', bytes)).toBe(`${(bytes / 1e9).toFixed(1)} GB free`);
});

test.each([
  [0, '0.0'],
  [63_999_999, '64.0'],
  [1_500_000, '1.5'],
])('%i bytes are hardly any, and what to do is said', (bytes, megabytes) => {
  const words = `Cannot save much in /films: its disk is full but for ${megabytes} MB; free some space`;
  expect(() => roomWords('/films', bytes)).toThrow(words);
});

test('a folder that is still to be made has the room of the nearest one above it', async () => {
  expect(await roomOnDisk(join(import.meta.dirname, 'to', 'be', 'made'))).toMatch(/^\d+\.\d GB free$/);
});
