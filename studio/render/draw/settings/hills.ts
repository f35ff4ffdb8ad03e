import { type Canvas, Path2D } from '@napi-rs/canvas';
import { mix, withAlpha } from '../../look/colour.js';
import { between, type Random } from '../../random.js';
import { bake, bleed, disc, dither, fillSky, placeSoft, softLight } from '../backdrop.js';
import { flock } from '../flock.js';
import type { Painter, SettingOptions } from '../painter.js';

interface Ridge {
  readonly path: Path2D;
  readonly colour: string;
  readonly depth: number;
}

/** Range behind range, paler with distance, the sun low between them. */
export function paintHills(options: SettingOptions): Painter {
  const { width, height, unit, random, palette, focus } = options;
  const horizon = height * (width > height ? between(random, 0.5, 0.58) : between(random, 0.36, 0.42));
  const side = focus + between(random, -0.13, 0.13);
  const sun = { x: width * side, y: horizon - height * between(random, 0.02, 0.12), radius: 62 * unit };
  const sky = paintSky(options, sun);
  const ridges = Array.from({ length: 5 }, (_, index) => ridge(options, { horizon, index, count: 5 }));
  const birds = flock(options, { x: 1 - side, y: 0.26 });
  const pan = (random() < 0.5 ? -1 : 1) * 0.8;

  return (context, moment) => {
    const travel = (moment.progress - 0.5) * 2 * pan;
    placeSoft(context, sky, { width, height, x: travel * 0.15 });
    disc(context, { ...sun, x: sun.x + travel * 0.15 * width * bleed, colour: palette.sun });
    birds(context, moment);
    for (const { path, colour, depth } of ridges) {
      context.save();
      context.translate(travel * depth * width * bleed, (0.5 - moment.progress) * depth * height * 0.025);
      context.fillStyle = colour;
      context.fill(path);
      context.restore();
    }
    const mist = context.createLinearGradient(0, horizon - height * 0.06, 0, horizon + height * 0.16);
    mist.addColorStop(0, withAlpha(palette.sky[2], 0));
    mist.addColorStop(0.5, withAlpha(palette.sky[2], 0.16));
    mist.addColorStop(1, withAlpha(palette.sky[2], 0));
    context.fillStyle = mist;
    context.fillRect(0, horizon - height * 0.06, width, height * 0.22);
  };
}

function paintSky(options: SettingOptions, sun: { readonly x: number; readonly y: number }): Canvas {
  const { width, height, unit, palette } = options;
  const layer = bake(options, (context) => {
    fillSky(context, options, height * 0.66);
    softLight(context, { ...sun, radius: Math.max(width, height) * 0.55, colour: palette.glow, alpha: 0.5 });
    softLight(context, { ...sun, radius: 190 * unit, colour: palette.glow, alpha: 0.55 });
  });
  dither(layer);
  return layer;
}

function ridge(
  { width, height, unit, palette, random }: SettingOptions,
  { horizon, index, count }: { readonly horizon: number; readonly index: number; readonly count: number },
): Ridge {
  const nearness = index / (count - 1);
  const base = horizon + (height - horizon) * (nearness * 0.72) + height * 0.02;
  const relief = height * (0.15 - 0.075 * nearness);
  const colour =
    nearness < 0.5
      ? mix(palette.far, palette.middle, nearness * 2)
      : mix(palette.middle, palette.near, nearness * 2 - 1);
  const outline = profile(random, { roughness: 0.5 - 0.35 * nearness, breadth: Math.max(0.45, width / height / 1.7) });
  const path = new Path2D();
  const [left, right] = [-width * 0.2, width * 1.2];
  path.moveTo(left, height * 1.2);
  const step = Math.max(2, 5 * unit);
  const at = (x: number) => base - relief * outline((x - left) / (right - left));
  for (let x = left; x <= right; x += step) path.lineTo(x, at(x));
  path.lineTo(right, height * 1.2);
  path.closePath();
  if (index >= count - 2)
    plant(path, { random, at, from: left, to: right, size: unit * (index === count - 1 ? 46 : 22) });
  return { path, colour, depth: 0.25 + nearness * 0.75 };
}

/** A skyline of hills over 0..1, about 0 to 1 high: broad swells with finer ones on top. */
function profile(
  random: Random,
  { roughness, breadth }: { readonly roughness: number; readonly breadth: number },
): (at: number) => number {
  const waves = Array.from({ length: 7 }, (_, octave) => ({
    frequency: between(random, 0.8, 1.4) * (1.5 + octave * 1.9) * breadth,
    phase: random() * Math.PI * 2,
    height: octave === 0 ? 0.5 : (0.42 * roughness) / octave ** 0.8,
  }));
  return (at) => {
    let sum = 0.5;
    for (const { frequency, phase, height } of waves) {
      const swing = Math.sin(at * Math.PI * 2 * frequency + phase);
      sum += height * (frequency > 4 * breadth ? 1 - 2 * Math.abs(swing) : swing);
    }
    return sum;
  };
}

/** Firs in loose groups. */
function plant(
  path: Path2D,
  {
    random,
    at,
    from,
    to,
    size,
  }: {
    readonly random: Random;
    readonly at: (x: number) => number;
    readonly from: number;
    readonly to: number;
    readonly size: number;
  },
): void {
  for (let x = from; x < to; x += size * between(random, 0.25, 0.6)) {
    if (random() < 0.45) x += size * between(random, 0.5, 5);
    const tall = size * between(random, 0.6, 1.35);
    const ground = at(x) + size * 0.12;
    for (let tier = 0; tier < 3; tier++) {
      const top = ground - tall * (1 - tier * 0.24);
      const bottom = ground - tall * (0.5 - tier * 0.25);
      const half = tall * (0.13 + tier * 0.055);
      path.moveTo(x, top);
      path.lineTo(x + half, bottom);
      path.lineTo(x - half, bottom);
      path.closePath();
    }
  }
}
