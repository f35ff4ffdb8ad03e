import { expect, test } from 'vitest';
import { documentPicture, paragraphsForAudience } from '../../../../studio/render/draw/document-picture.js';
import { FontCase } from '../../../../studio/render/text/font-case.js';
import { Typesetter } from '../../../../studio/render/text/typesetter.js';

function pictureOf(text: string) {
  const picture = documentPicture(text, new Typesetter(new FontCase('sc')));
  const [still] = picture.stills;
  if (!still) throw new Error('Cannot look at the sheet: there is none');
  return { ...picture, darkest: (from: number, to: number) => darkestIn(still, from, to) };
}

/** Lowest red of a band of rows: 255 is blank paper. */
function darkestIn(still: ReturnType<typeof documentPicture>['stills'][number], from: number, to: number): number {
  const { data } = still.getContext('2d').getImageData(0, from, still.width, to - from);
  let darkest = 255;
  for (let index = 0; index < data.length; index += 4) darkest = Math.min(darkest, data[index] ?? 255);
  return darkest;
}

test('a short document is a short sheet, its words stand on it', () => {
  const { height, darkest } = pictureOf('Guidelines');
  expect(height).toBe(420);
  expect(darkest(30, 110)).toBeLessThan(80);
  expect(darkest(200, 420)).toBeGreaterThan(240);
});

test('a long one has as many rows as a sheet can have, and fades out instead of being cut', () => {
  const { width, height, darkest } = pictureOf(`Guidelines\n${'The bottle is green. '.repeat(900)}`);
  expect([width, height]).toEqual([440, 820]);
  expect(darkest(500, 640)).toBeLessThan(100);
  expect(darkest(height - 14, height)).toBeGreaterThan(240);
});

test('its letters can be read where the sheet is as narrow as a column beside a product', () => {
  const columnPx = 213; // of a 1280x720 film
  const { width, darkest } = pictureOf('A\nB');
  expect((33 * columnPx) / width).toBeGreaterThan(15);
  expect(darkest(100, 160)).toBeLessThan(120);
});

test('a document’s rules for those who work with it, and its dividing lines, are not shown', () => {
  const text = [
    '# Brand book "Lumen"',
    '-----',
    'INTERNAL: not for publication',
    'Lumen lights the way home.',
    'Never crop the logo.',
    'The claim must not be translated.',
    'Tone: warm',
    '* Light is a promise.',
  ].join('\n');
  expect(paragraphsForAudience(text)).toEqual([
    'Brand book “Lumen”',
    'Lumen lights the way home.',
    'Light is a promise.',
  ]);
});
