import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { withAlpha } from '../look/colour.js';
import type { FilmPlan } from '../plan/film-plan.js';
import { dither } from './backdrop.js';

/** Lies between picture and text: calms the side where text stands, and darkens the corners as a lens does. */
export function scrim({ size, look, composition }: FilmPlan): Canvas {
  const { width, height } = size;
  const { ground, tone } = look.palette;
  const { text } = composition;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const strength = tone === 'dark' ? 0.55 : 0.5;
  const fill = (
    gradient: ReturnType<typeof context.createLinearGradient>,
    alphas: readonly (readonly [number, number])[],
  ) => {
    for (const [at, alpha] of alphas) gradient.addColorStop(at, withAlpha(ground, alpha));
    context.fillStyle = gradient;
    context.fillRect(0, 0, width, height);
  };
  if (width > height) {
    const onTheLeft = text.x + text.width / 2 < width / 2;
    const from = onTheLeft ? 0 : width;
    fill(context.createLinearGradient(from, 0, onTheLeft ? width * 0.78 : width * 0.22, 0), [
      [0, strength],
      [0.45, strength * 0.55],
      [1, 0],
    ]);
    fill(context.createLinearGradient(0, height, 0, height * 0.45), [
      [0, strength * 0.6],
      [1, 0],
    ]);
  } else {
    fill(context.createLinearGradient(0, height, 0, text.y - height * 0.12), [
      [0, strength * 0.9],
      [0.55, strength * 0.66],
      [1, 0],
    ]);
  }
  if (tone === 'dark') {
    const corners = context.createRadialGradient(
      width / 2,
      height / 2,
      Math.min(width, height) * 0.45,
      width / 2,
      height / 2,
      Math.hypot(width, height) * 0.56,
    );
    fill(corners, [
      [0, 0],
      [1, 0.42],
    ]);
  }
  dither(canvas, 'alpha');
  return canvas;
}
