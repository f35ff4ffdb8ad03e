import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { mix, withAlpha } from '../../look/colour.js';
import { between } from '../../random.js';
import { bake, bleed, disc, dither, fillSky, placeSoft, softLight } from '../backdrop.js';
import { flock } from '../flock.js';
import type { Painter, SettingOptions } from '../painter.js';

/** Above it all: clouds at three distances drift past the sun. */
export function paintSky(options: SettingOptions): Painter {
  const { width, height, unit, palette, random, focus, energy } = options;
  const sun = {
    x: width * (focus + between(random, -0.15, 0.08)),
    y: height * (width > height ? between(random, 0.3, 0.42) : between(random, 0.18, 0.26)),
  };
  const sky = bake(options, (context) => {
    fillSky(context, options);
    softLight(context, { ...sun, radius: Math.max(width, height) * 0.6, colour: palette.glow, alpha: 0.6 });
    softLight(context, { ...sun, radius: 240 * unit, colour: palette.glow, alpha: 0.5 });
  });
  dither(sky);
  const birds = flock(options, { x: 1 - sun.x / width, y: 0.3 });
  const clouds = Array.from({ length: 9 }, (_, index) => {
    const nearness = index / 8;
    return {
      canvas: cloud(options, nearness),
      x: random() * 1.4 - 0.2,
      y: 0.34 + 0.5 * nearness + between(random, -0.07, 0.07),
      pace: (0.006 + 0.02 * nearness) * (0.6 + energy),
    };
  });

  return (context, moment) => {
    const fall = (moment.progress - 0.5) * 0.5;
    placeSoft(context, sky, { width, height, y: fall });
    disc(context, { x: sun.x, y: sun.y + fall * height * bleed, radius: 80 * unit, colour: palette.sun });
    birds(context, moment);
    for (const { canvas, x, y, pace } of clouds) {
      const across = canvas.width / width;
      const at =
        ((((x + moment.seconds * pace + across) % (1 + across * 2)) + 1 + across * 2) % (1 + across * 2)) - across;
      context.drawImage(canvas, at * width, y * height - canvas.height * 0.6);
    }
  };
}

/** Heaps of discs on a flat base, light from above. */
function cloud({ unit, palette, random }: SettingOptions, nearness: number): Canvas {
  const across = (190 + 380 * nearness) * unit * between(random, 0.8, 1.25);
  const canvas = createCanvas(Math.ceil(across), Math.ceil(across * 0.42));
  const context = canvas.getContext('2d');
  const base = canvas.height - 1;
  const dark = palette.tone === 'dark';
  const light = dark ? mix(palette.sky[2], palette.ink, 0.25 + 0.3 * nearness) : mix(palette.far, palette.glow, 0.75);
  const shade = dark ? mix(palette.sky[1], palette.sky[2], 0.35) : palette.far;
  const gradient = context.createLinearGradient(0, 0, 0, base);
  gradient.addColorStop(0, withAlpha(light, 0.95));
  gradient.addColorStop(1, withAlpha(shade, 0.8));
  context.fillStyle = gradient;
  context.beginPath();
  const foot = across * 0.13;
  context.roundRect(across * 0.02, base - foot, across * 0.96, foot, foot / 2);
  const heaps = 5 + Math.floor(random() * 3);
  for (let heap = 0; heap < heaps; heap++) {
    const at = (heap + 0.5) / heaps;
    const radius = across * 0.075 + across * 0.1 * Math.sin(at * Math.PI) * between(random, 0.75, 1.25);
    const x = across * 0.02 + radius + at * (across * 0.96 - 2 * radius);
    context.moveTo(x + radius, base - radius);
    context.arc(x, base - radius, radius, 0, Math.PI * 2);
  }
  context.fill();
  return canvas;
}
