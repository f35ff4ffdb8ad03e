import { createCanvas } from '@napi-rs/canvas';
import type { Picture } from '../reference/picture.js';
import type { Typesetter } from '../text/typesetter.js';

const width = 620;
const margin = 58;
/** The sheet ends with its text, but is no strip and no scroll. */
const [lowest, highest] = [460, 860];

/** A sheet of paper with the beginning of a document's text on it. What does not fit goes on below the sheet's edge. */
export function documentPicture(text: string, typesetter: Typesetter): Picture {
  const paragraphs = text
    .split('\n')
    .map((paragraph, index) =>
      typesetter.set(paragraph, { voice: 'label', sizePx: index === 0 ? 36 : 27, width: width - 2 * margin }),
    );
  const tops: number[] = [];
  let end = margin;
  for (const [index, { lines, lineHeightPx }] of paragraphs.entries()) {
    tops.push(end);
    end += lines.length * lineHeightPx + (index === 0 ? 24 : 14);
  }
  const height = Math.round(Math.min(highest, Math.max(lowest, end + margin)));
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fdfcf8';
  context.fillRect(0, 0, width, height);
  for (const [index, set] of paragraphs.entries()) {
    context.fillStyle = index === 0 ? '#1c1b1a' : '#45423e';
    for (const [line, words] of set.lines.entries()) {
      typesetter.prepare(context, { text: words, voice: 'label', sizePx: set.sizePx });
      context.textAlign = set.direction === 'rtl' ? 'right' : 'left';
      const y = (tops[index] ?? 0) + set.lineHeightPx * (line + 0.5) + set.sizePx * 0.35;
      context.fillText(words, set.direction === 'rtl' ? width - margin : margin, y);
    }
    if ((tops[index] ?? 0) > height) break;
  }
  return { stills: [canvas], width, height, cutOut: false };
}
