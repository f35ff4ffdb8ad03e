import { mix } from '../look/colour.js';
import { between } from '../random.js';
import type { Painter, SettingOptions } from './painter.js';

/** A few birds far off. Position of their middle in parts of the frame. */
export function flock(options: SettingOptions, { x, y }: { readonly x: number; readonly y: number }): Painter {
  const { width, height, unit, palette, random } = options;
  const birds = Array.from({ length: 3 + Math.floor(random() * 4) }, () => ({
    x: (x + between(random, -0.09, 0.09)) * width,
    y: (y + between(random, -0.05, 0.05)) * height,
    span: between(random, 7, 13) * unit,
    beat: between(random, 4, 7),
    phase: random() * 6,
  }));
  const colour = mix(palette.sky[0], palette.ink, palette.tone === 'dark' ? 0.35 : 0.6);
  return (context, { progress, seconds }) => {
    context.strokeStyle = colour;
    context.lineWidth = Math.max(1, 1.7 * unit);
    context.lineCap = 'round';
    context.beginPath();
    for (const bird of birds) {
      const lift = (0.35 + 0.4 * Math.sin(seconds * bird.beat + bird.phase)) * bird.span * 0.6;
      const [bx, by] = [bird.x + progress * width * 0.05, bird.y - progress * height * 0.02];
      context.moveTo(bx - bird.span, by - lift);
      context.quadraticCurveTo(bx - bird.span * 0.4, by - lift * 1.1, bx, by);
      context.quadraticCurveTo(bx + bird.span * 0.4, by - lift * 1.1, bx + bird.span, by - lift);
    }
    context.stroke();
  };
}
