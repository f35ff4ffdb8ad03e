import { createCanvas } from '@napi-rs/canvas';
import { mix, withAlpha } from '../../look/colour.js';
import { between, type Random } from '../../random.js';
import { type Band, bake, bakeBand, bleed, disc, dither, fillSky, place, placeBand, softLight } from '../backdrop.js';
import type { Painter, SettingOptions } from '../painter.js';

/** Blocks behind blocks with lit windows, traffic as lines of light in front. */
export function paintCity(options: SettingOptions): Painter {
  const { width, height, unit, palette, random, variant, focus } = options;
  const street = height * 0.86;
  const moon = {
    x: width * (focus + between(random, -0.14, 0.1)),
    y: height * (width > height ? between(random, 0.2, 0.3) : between(random, 0.13, 0.2)),
  };
  const sky = bake(options, (context) => {
    fillSky(context, options, street);
    softLight(context, {
      x: width / 2,
      y: street,
      radius: Math.max(width, height) * 0.6,
      colour: palette.glow,
      alpha: 0.3,
    });
    softLight(context, { ...moon, radius: 200 * unit, colour: palette.glow, alpha: 0.4 });
    disc(context, { ...moon, radius: 44 * unit, colour: palette.sun });
  });
  const farthest = blocks(options, { street, nearness: 0 });
  sky.getContext('2d').drawImage(farthest.canvas, -Math.round(width * bleed), farthest.top);
  dither(sky);
  const rows = [0.5, 1].map((nearness) => ({ band: blocks(options, { street, nearness }), nearness }));
  const cars = traffic(options, street);
  const pavement = mix(palette.near, palette.ground, 0.5);
  const pan = variant % 2 === 0 ? 1 : -1;

  return (context, moment) => {
    const travel = (moment.progress - 0.5) * 2 * pan;
    place(context, sky, { width, height, x: travel * 0.25 });
    for (const { band, nearness } of rows) placeBand(context, band, { width, x: travel * (0.3 + 0.7 * nearness) });
    context.fillStyle = pavement;
    context.fillRect(0, street, width, height - street);
    cars(context, moment);
  };
}

function blocks(
  options: SettingOptions,
  { street, nearness }: { readonly street: number; readonly nearness: number },
): Band {
  const { width, height, unit, palette, random } = options;
  const colour = nearness < 0.5 ? palette.far : nearness < 1 ? palette.middle : palette.near;
  const tallest = height * (0.56 - 0.2 * nearness);
  const lit = palette.tone === 'dark' ? palette.glow : mix(palette.accent, palette.ground, 0.3);
  const paint = (context: Context) => {
    const gradient = context.createLinearGradient(0, street - tallest, 0, street);
    gradient.addColorStop(0, colour);
    gradient.addColorStop(1, mix(colour, palette.sky[2], 0.3 * (1 - nearness)));
    for (let x = -width * bleed; x < width * (1 + bleed);) {
      const across = between(random, 52, 128) * unit * (0.75 + 0.5 * nearness);
      const tall = tallest * between(random, 0.35, 1) * (random() < 0.18 ? 1.25 : 1);
      const top = street - tall;
      context.fillStyle = gradient;
      context.fillRect(x, top, across, height - top);
      roof({ context, random, unit, x, top, across });
      windows({
        context,
        random,
        unit: unit * (0.75 + 0.5 * nearness),
        x,
        top,
        across,
        bottom: street,
        colour: lit,
        share: 0.14 + 0.16 * nearness,
      });
      x += across + (random() < 0.35 ? between(random, 4, 26) * unit : 0);
    }
  };
  return bakeBand(options, { top: street - tallest * 1.25 - 60 * unit, bottom: street, paint });
}

type Context = Parameters<Painter>[0];

function roof({
  context,
  random,
  unit,
  x,
  top,
  across,
}: {
  context: Context;
  random: Random;
  unit: number;
  x: number;
  top: number;
  across: number;
}): void {
  const kind = random();
  if (kind < 0.3) context.fillRect(x + across * 0.22, top - 14 * unit, across * 0.56, 15 * unit);
  if (kind < 0.14) context.fillRect(x + across * 0.48, top - 58 * unit, Math.max(1, 3 * unit), 50 * unit);
  if (kind > 0.86) {
    context.beginPath();
    context.moveTo(x, top + 1);
    context.lineTo(x + across / 2, top - across * 0.4);
    context.lineTo(x + across, top + 1);
    context.fill();
  }
}

interface Windows {
  readonly context: Context;
  readonly random: Random;
  readonly unit: number;
  readonly x: number;
  readonly top: number;
  readonly across: number;
  readonly bottom: number;
  readonly colour: string;
  readonly share: number;
}

function windows({ context, random, unit, x, top, across, bottom, colour, share }: Windows): void {
  const [stepX, stepY] = [15 * unit, 19 * unit];
  const columns = Math.floor((across - 12 * unit) / stepX);
  const margin = (across - columns * stepX + 7 * unit) / 2;
  for (let row = 0; top + 16 * unit + row * stepY < bottom - 14 * unit; row++) {
    for (let column = 0; column < columns; column++) {
      if (random() > share) continue;
      context.fillStyle = withAlpha(colour, between(random, 0.35, 0.95));
      context.fillRect(x + margin + column * stepX, top + 16 * unit + row * stepY, 8 * unit, 10 * unit);
    }
  }
}

/** Long exposures of head and tail lights. */
function traffic(options: SettingOptions, street: number): Painter {
  const { width, height, unit, palette, random, energy } = options;
  const trail = createCanvas(Math.ceil(230 * unit), Math.max(2, Math.ceil(5 * unit)));
  const context = trail.getContext('2d');
  const gradient = context.createLinearGradient(0, 0, trail.width, 0);
  gradient.addColorStop(0, withAlpha(palette.accent, 0));
  gradient.addColorStop(0.9, palette.accent);
  gradient.addColorStop(1, palette.glow);
  context.fillStyle = gradient;
  context.fillRect(0, 0, trail.width, trail.height);
  const cars = Array.from({ length: 12 }, (_, index) => ({
    lane: street + (height - street) * (0.2 + 0.6 * ((index % 4) / 4)),
    direction: index % 4 < 2 ? 1 : -1,
    offset: random(),
    pace: between(random, 0.16, 0.3) * (0.7 + energy),
  }));
  return (target, { seconds }) => {
    for (const { lane, direction, offset, pace } of cars) {
      const at = ((((offset + seconds * pace) % 1) + 1) % 1) * 1.5 - 0.25;
      target.save();
      target.translate((direction > 0 ? at : 1 - at) * width, lane);
      target.scale(direction, 1);
      target.globalAlpha = 0.85;
      target.drawImage(trail, -trail.width, 0);
      target.restore();
    }
  };
}
