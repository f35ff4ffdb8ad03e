import { expect, test } from 'vitest';
import { segmentsOf } from '../../archive/archive-store.js';
import { fileName } from '../../archive/file-name.js';

test.each<[type: string, mimeType: string | null, n: number, name: string]>([
  ['final_video', 'video/mp4', 1, 'final.mp4'],
  ['final_video', null, 1, 'final.mp4'],
  ['final_video', 'video/webm', 1, 'final.webm'],
  ['final_video', 'video/mp4', 2, 'final-2.mp4'],
  ['poster', 'image/jpeg', 1, 'poster.jpg'],
  ['poster', 'image/png', 1, 'poster.png'],
  ['storyboard', null, 1, 'storyboard.jpg'],
  ['captions', 'text/vtt; charset=utf-8', 1, 'captions.vtt'],
  ['captions', 'TEXT/VTT', 1, 'captions.vtt'],
  ['trailer', 'video/mp4', 3, 'trailer-3.mp4'],
  ['stems', 'application/x-unheard-of', 1, 'stems.bin'],
  ['stems', null, 1, 'stems.bin'],
  ['../../etc/passwd', 'text/plain', 1, 'etc-passwd.txt'],
  ['..', null, 1, 'asset-.bin'],
  ['', null, 1, 'asset-.bin'],
  ['Ünïcode/name', 'image/png', 1, 'n-code-name.png'],
  ['movie', 'application/json', 1, 'asset-movie.json'],
  ['movie-2', 'application/json', 1, 'asset-movie-2.json'],
  ['Movie', 'application/json', 1, 'asset-Movie.json'],
])('type %j of %j, number %i, is %s', (type, mimeType, n, name) => {
  expect(fileName({ type, mimeType }, n)).toBe(name);
  expect(segmentsOf(name)).toEqual([name]);
});

test('no type makes a name too long for a disk', () => {
  expect(segmentsOf(fileName({ type: 'x'.repeat(10_000), mimeType: null }, 100))).toHaveLength(1);
});
