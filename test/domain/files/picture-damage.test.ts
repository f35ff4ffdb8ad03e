import { expect, test } from 'vitest';
import { isPictureDamage } from '../../../domain/files/picture-damage.js';

test.each([
  ['VipsJpeg: premature end of JPEG image', true],
  ['VipsJpeg: Corrupt JPEG data: premature end of data segment', true],
  ['VipsJpeg: Corrupt JPEG data: bad Huffman code', true],
  ['VipsJpeg: Corrupt JPEG data: 23 extraneous bytes before marker 0xd9', false],
  ['VipsJpeg: Invalid SOS parameters for sequential JPEG', false],
  [
    'VipsJpeg: Corrupt JPEG data: 1 extraneous bytes before marker 0xda\nVipsJpeg: Inconsistent progression sequence',
    true,
  ],
  ['Input buffer has corrupt header: webp: unable to parse image', true],
])('%j is damage: %s', (words, isDamage) => {
  expect(isPictureDamage(words)).toBe(isDamage);
});
