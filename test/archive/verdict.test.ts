import { expect, test } from 'vitest';
import type { ProbedMovie } from '../../archive/probe.js';
import { type Asked, verdict } from '../../archive/verdict.js';

const asked: Asked = { durationSeconds: 5, aspectRatio: '16:9' };
const probed: ProbedMovie = {
  container: 'MP4',
  videoCodec: 'avc',
  audioCodec: 'aac',
  width: 1280,
  height: 720,
  durationSeconds: 5,
};

test.each<Partial<ProbedMovie>>([
  {},
  { durationSeconds: 5.1 },
  { durationSeconds: 4.9 },
  { durationSeconds: 5.021 },
  { width: 320, height: 180 },
  { width: 854, height: 480 },
  { audioCodec: null },
])('%j is as ordered', (found) => {
  expect(verdict(asked, { ...probed, ...found })).toBe('as ordered');
});

test.each<{ asked?: Asked; found: Partial<ProbedMovie>; words: string }>([
  { found: { durationSeconds: 5.11 }, words: '5.11 s against 5 s asked' },
  { found: { durationSeconds: 4.89 }, words: '4.89 s against 5 s asked' },
  { found: { durationSeconds: 0 }, words: '0 s against 5 s asked' },
  { found: { durationSeconds: Number.NaN }, words: 'NaN s against 5 s asked' },
  { found: { width: 720, height: 1280 }, words: '720x1280 against 16:9 asked' },
  { found: { width: 1280, height: 700 }, words: '1280x700 against 16:9 asked' },
  { found: { width: 0, height: 0 }, words: '0x0 against 16:9 asked' },
  { found: { width: 4, height: 3, durationSeconds: 6 }, words: '6 s against 5 s asked; 4x3 against 16:9 asked' },
])('$found needs review', ({ found, words }) => {
  expect(verdict(asked, { ...probed, ...found })).toBe(`needs review: ${words}`);
});

test.each([
  ['16:9', 1280, 720],
  ['9:16', 720, 1280],
  ['1:1', 1080, 1080],
  ['4:5', 1080, 1350],
] as const)('%s is met by %i x %i and by no other', (aspectRatio, width, height) => {
  expect(verdict({ ...asked, aspectRatio }, { ...probed, width, height })).toBe('as ordered');
  expect(verdict({ ...asked, aspectRatio }, { ...probed, width: width * 1.02, height })).not.toBe('as ordered');
  expect(verdict({ ...asked, aspectRatio }, { ...probed, width, height: height * 1.02 })).not.toBe('as ordered');
});

test('a ratio that was left to the service is any ratio', () => {
  expect(verdict({ durationSeconds: 5, aspectRatio: null }, { ...probed, width: 17, height: 3 })).toBe('as ordered');
});

test('a file that cannot be read as a movie needs review', () => {
  expect(verdict(asked, null)).toBe('needs review: the file cannot be read as a movie, asked 5 s in 16:9');
  expect(verdict({ ...asked, aspectRatio: null }, null)).toBe(
    'needs review: the file cannot be read as a movie, asked 5 s',
  );
});

test('files that were listed and not given need review', () => {
  expect(verdict(asked, probed, ['poster', 'captions'])).toBe(
    'needs review: poster was listed and not given; captions was listed and not given',
  );
});
