import { createCanvas } from '@napi-rs/canvas';
import type { Picture } from '../reference/picture.js';
import type { Typesetter } from '../text/typesetter.js';

/** A sheet of paper with the beginning of a document's text on it. What does not fit goes on below the sheet's edge. */
export function documentPicture(text: string, typesetter: Typesetter): Picture {
  const [width, height] = [620, 820];
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fdfcf8';
  context.fillRect(0, 0, width, height);
  const margin = 58;
  let y = margin + 8;
  for (const [index, paragraph] of text.split('\n').entries()) {
    if (y > height) break;
    const set = typesetter.set(paragraph, { voice: 'label', sizePx: index === 0 ? 34 : 23, width: width - 2 * margin });
    context.fillStyle = index === 0 ? '#1c1b1a' : '#45423e';
    for (const line of set.lines) {
      typesetter.prepare(context, { text: line, voice: 'label', sizePx: set.sizePx });
      context.textAlign = set.direction === 'rtl' ? 'right' : 'left';
      y += set.lineHeightPx;
      context.fillText(line, set.direction === 'rtl' ? width - margin : margin, y);
    }
    y += index === 0 ? 26 : 14;
  }
  return { stills: [canvas], width, height, cutOut: false };
}
