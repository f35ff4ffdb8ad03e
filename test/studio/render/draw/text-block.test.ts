import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { textBlock } from '../../../../studio/render/draw/text-block.js';
import { lookFrom } from '../../../../studio/render/look/look.js';
import { FontCase } from '../../../../studio/render/text/font-case.js';
import { Typesetter } from '../../../../studio/render/text/typesetter.js';

const size = 720;

/** How far the lightest and the darkest pixel of these rows are apart, 0 to 255 where the words are. */
function spread(context: SKRSContext2D, from: number, rows: number): number {
  const { data } = context.getImageData(size * 0.15, from, size * 0.35, rows);
  const reds = data.filter((_, index) => index % 4 === 0);
  return Math.max(...reds) - Math.min(...reds);
}

test.each(['dark', 'light'])('words stand on calm ground, whatever is behind them: %s', (style) => {
  const typesetter = new Typesetter(new FontCase('sc'));
  const { palette } = lookFrom(style, { prompt: 'A forest' });
  const box = { x: 60, y: 200, width: 600, height: 400 };
  const set = typesetter.set('NEVER A FOREST', { voice: 'plain', sizePx: 90, width: box.width });
  const paint = textBlock(set, { typesetter, box, palette, entrance: 'fade', unit: 1 });
  const context = createCanvas(size, size).getContext('2d');
  for (let x = 0; x < size; x += 8) {
    context.fillStyle = x % 16 === 0 ? '#000000' : '#ffffff';
    context.fillRect(x, 0, 8, size);
  }
  expect(set.lines).toHaveLength(2);
  // Between the two lines, below the letters of the first.
  const gap = Math.round(box.y + box.height - set.lineHeightPx * 1.03);
  expect(spread(context, gap, 6)).toBe(255);
  paint(context, { since: 5, left: 5 });
  expect(spread(context, gap, 6)).toBeLessThan(128);
  expect(spread(context, 20, 6)).toBeGreaterThan(240);
});
