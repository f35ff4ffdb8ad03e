import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { mix, withAlpha } from '../../look/colour.js';
import { between } from '../../random.js';
import { bake, bleed, dither, placeSoft, softLight } from '../backdrop.js';
import type { Painter, SettingOptions } from '../painter.js';

/** Lights out of focus, near and far, drifting: any evening out. */
export function paintLights(options: SettingOptions): Painter {
  const { width, height, unit, palette, random, energy } = options;
  const dark = palette.tone === 'dark';
  const backdrop = bake(options, (context) => {
    const air = context.createLinearGradient(0, 0, 0, height);
    air.addColorStop(0, dark ? palette.ground : palette.sky[0]);
    air.addColorStop(1, dark ? palette.middle : palette.sky[2]);
    context.fillStyle = air;
    context.fillRect(-width * bleed, -height * bleed, width * 1.2, height * 1.2);
    for (const [index, colour] of [palette.sky[2], palette.accent, palette.far].entries()) {
      softLight(context, {
        x: width * between(random, 0.1, 0.9),
        y: height * between(random, 0.3, 0.9),
        radius: (420 + 90 * index) * unit,
        colour,
        alpha: 0.3,
      });
    }
  });
  dither(backdrop);
  const colours = dark
    ? [palette.glow, palette.accent, palette.sky[2], mix(palette.sky[2], palette.glow, 0.5)]
    : [palette.accent, palette.middle, palette.near, palette.sun];
  const sprites = colours.flatMap((colour) => [24, 46, 78].map((radius) => bokeh(radius * unit, colour)));
  const lights = Array.from({ length: 30 }, (_, index) => ({
    sprite: sprites[index % sprites.length],
    x: random() * 1.2 - 0.1,
    y: random() ** 0.7,
    pace: between(random, -0.012, 0.012) * (0.6 + energy),
    phase: random() * 7,
  }));

  return (context, moment) => {
    placeSoft(context, backdrop, { width, height, x: (moment.progress - 0.5) * 0.3 });
    for (const { sprite, x, y, pace, phase } of lights) {
      if (!sprite) continue;
      context.globalAlpha = 0.32 + 0.26 * Math.sin(moment.seconds * (0.7 + energy) + phase);
      context.drawImage(
        sprite,
        (x + pace * moment.seconds) * width - sprite.width / 2,
        (y + 0.012 * Math.sin(moment.seconds * 0.5 + phase)) * height - sprite.height / 2,
      );
    }
    context.globalAlpha = 1;
  };
}

/** The disc that a lens makes of a point: even inside, brighter at its rim. */
function bokeh(radius: number, colour: string): Canvas {
  const side = Math.ceil(radius * 2 + 2);
  const canvas = createCanvas(side, side);
  const context = canvas.getContext('2d');
  const gradient = context.createRadialGradient(side / 2, side / 2, 0, side / 2, side / 2, radius);
  gradient.addColorStop(0, withAlpha(colour, 0.5));
  gradient.addColorStop(0.82, withAlpha(colour, 0.62));
  gradient.addColorStop(0.94, withAlpha(colour, 0.95));
  gradient.addColorStop(1, withAlpha(colour, 0));
  context.fillStyle = gradient;
  context.fillRect(0, 0, side, side);
  return canvas;
}
