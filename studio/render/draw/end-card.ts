import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { withAlpha } from '../look/colour.js';
import type { FilmPlan } from '../plan/film-plan.js';
import type { Typesetter } from '../text/typesetter.js';
import { easeOut, ramp } from './easing.js';

/** What a viewer who sees only the film must know. */
const title = 'Animatic';
const note = 'Drawn from the brief, without a generative model';

/** Covers the last view and says what this film is. `since` in seconds from the card's beginning. */
export function endCardPainter(
  { size, look, composition }: FilmPlan,
  typesetter: Typesetter,
): (context: SKRSContext2D, since: number) => void {
  const { width, height } = size;
  const { unit } = composition;
  const { palette, voice } = look;
  const heading = typesetter.set(title, { voice, sizePx: 62 * unit, width: width * 0.84 });
  const line = typesetter.set(note, { voice: 'label', sizePx: 24 * unit, width: width * 0.8 });
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = withAlpha(palette.ground, 0.88);
  context.fillRect(0, 0, width, height);
  context.textAlign = 'center';
  const total = heading.lineHeightPx + 26 * unit + line.lines.length * line.lineHeightPx;
  let y = (height - total) / 2 + heading.lineHeightPx * 0.72;
  context.fillStyle = palette.ink;
  for (const text of heading.shownLines) {
    typesetter.prepare(context, { text, voice, sizePx: heading.sizePx });
    context.fillText(text, width / 2, y);
  }
  const rule = y + 24 * unit;
  context.fillStyle = palette.inkSoft;
  y = rule + 30 * unit + line.sizePx * 0.6;
  for (const text of line.lines) {
    typesetter.prepare(context, { text, voice: 'label', sizePx: line.sizePx });
    context.fillText(text, width / 2, y);
    y += line.lineHeightPx;
  }

  return (target, since) => {
    target.globalAlpha = easeOut(ramp(since, 0, 0.5));
    target.drawImage(canvas, 0, 0);
    target.globalAlpha = 1;
    const length = 64 * unit * easeOut(ramp(since, 0.25, 0.9));
    target.fillStyle = palette.accent;
    target.fillRect(width / 2 - length / 2, rule, length, 6 * unit);
  };
}
