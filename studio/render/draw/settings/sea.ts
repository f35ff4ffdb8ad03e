import { type Canvas, Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import { mix, withAlpha } from '../../look/colour.js';
import { between } from '../../random.js';
import { bake, bleed, dither, fillSky, placeSoft, type SoftLight, softLight } from '../backdrop.js';
import { flock } from '../flock.js';
import type { Painter, SettingOptions } from '../painter.js';

/** Open water under a low sun: its light lies on the waves, a boat crosses. */
export function paintSea(options: SettingOptions): Painter {
  const { width, height, unit, palette, random, focus } = options;
  const horizon = height * (width > height ? between(random, 0.5, 0.56) : between(random, 0.34, 0.4));
  const sun = {
    x: width * (focus + between(random, -0.14, 0.06)),
    y: horizon - 30 * unit,
  };
  const backdrop = paintWater(options, { horizon, sun });
  const glints = glitter(options, { horizon, x: sun.x });
  const swells = Array.from({ length: 4 }, (_, index) => swell(options, { horizon, nearness: (index + 1) / 4 }));
  const birds = flock(options, { x: 1 - sun.x / width, y: 0.24 });
  const heading = random() < 0.5 ? -1 : 1;
  const sail = { from: sun.x / width + heading * 0.16, size: between(random, 34, 52) * unit, y: horizon + 10 * unit };

  return (context, moment) => {
    const travel = (moment.progress - 0.5) * heading;
    const drift = travel * 0.2;
    placeSoft(context, backdrop, { width, height, x: drift });
    drawSun(context, { x: sun.x + drift * width * bleed, y: sun.y, radius: 74 * unit, horizon, colour: palette.sun });
    birds(context, moment);
    glints(context, moment);
    const x = (sail.from - heading * moment.progress * 0.12) * width;
    drawBoat(context, {
      x,
      y: sail.y + Math.sin(moment.seconds * 1.3) * 2 * unit,
      size: sail.size,
      heading: -heading,
      tilt: Math.sin(moment.seconds * 1.1) * 0.03,
      hull: mix(palette.near, palette.ground, 0.3),
      canvas: mix(palette.ink, palette.glow, 0.35),
    });
    for (const paint of swells) paint(context, moment);
  };
}

function paintWater(
  options: SettingOptions,
  { horizon, sun }: { readonly horizon: number; readonly sun: { readonly x: number; readonly y: number } },
): Canvas {
  const { width, height, unit, palette } = options;
  const layer = bake(options, (context) => {
    fillSky(context, options, horizon);
    softLight(context, { ...sun, radius: Math.max(width, height) * 0.5, colour: palette.glow, alpha: 0.55 });
    softLight(context, { ...sun, radius: 210 * unit, colour: palette.glow, alpha: 0.5 });
    const water = context.createLinearGradient(0, horizon, 0, height * (1 + bleed));
    water.addColorStop(0, mix(palette.sky[2], palette.middle, 0.45));
    water.addColorStop(0.25, palette.middle);
    water.addColorStop(1, palette.near);
    context.fillStyle = water;
    context.fillRect(-width * bleed, horizon, width * (1 + 2 * bleed), height * (1 + bleed) - horizon);
    context.save();
    context.beginPath();
    context.rect(-width * bleed, horizon, width * (1 + 2 * bleed), height);
    context.clip();
    context.translate(sun.x, horizon);
    context.scale(0.34, 1);
    softLight(context, { x: 0, y: 0, radius: (height - horizon) * 1.05, colour: palette.glow, alpha: 0.42 });
    context.restore();
  });
  dither(layer);
  return layer;
}

/** As much of it as has risen. */
function drawSun(
  context: SKRSContext2D,
  { x, y, radius, horizon, colour }: Omit<SoftLight, 'alpha'> & { readonly horizon: number },
): void {
  const below = Math.asin(Math.min(1, Math.max(-1, (horizon - y) / radius)));
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, Math.PI - below, below);
  context.fill();
}

/** Short strokes of light, closer together far away. */
function glitter(options: SettingOptions, { horizon, x }: { readonly horizon: number; readonly x: number }): Painter {
  const { height, unit, palette, random } = options;
  const strokes = Array.from({ length: 90 }, () => {
    const depth = random() ** 1.7;
    return {
      y: horizon + 4 * unit + depth * (height - horizon) * 0.8,
      x: x + (random() + random() - 1) * (40 + 260 * depth) * unit,
      length: (8 + 54 * depth) * unit * between(random, 0.5, 1.3),
      thick: (1.2 + 3.4 * depth) * unit,
      phase: random() * 7,
      pace: between(random, 0.8, 2.2),
    };
  });
  return (context, { seconds }) => {
    context.lineCap = 'round';
    for (const stroke of strokes) {
      const shine = Math.sin(seconds * stroke.pace + stroke.phase);
      if (shine < 0) continue;
      context.strokeStyle = withAlpha(palette.glow, 0.6 * shine);
      context.lineWidth = stroke.thick;
      context.beginPath();
      context.moveTo(stroke.x - (stroke.length * shine) / 2, stroke.y);
      context.lineTo(stroke.x + (stroke.length * shine) / 2, stroke.y);
      context.stroke();
    }
  };
}

/** One long wave, darker than the water behind it. */
function swell(
  options: SettingOptions,
  { horizon, nearness }: { readonly horizon: number; readonly nearness: number },
): Painter {
  const { width, height, unit, palette, random } = options;
  const level = horizon + (height - horizon) * (0.22 + 0.7 * nearness ** 1.3);
  const rise = (4 + 14 * nearness) * unit;
  const length = (210 + 330 * nearness) * unit * between(random, 0.85, 1.2);
  const colour = mix(palette.middle, palette.ground, 0.25 + 0.45 * nearness);
  const path = new Path2D();
  const [left, right] = [-length * 2, width + length * 2];
  path.moveTo(left, height * 1.1);
  for (let x = left; x <= right; x += 6 * unit) {
    const crest = Math.sin((x / length) * Math.PI * 2);
    path.lineTo(x, level - rise * (crest * 0.7 + 0.3 * Math.sin((x / length) * Math.PI * 4 + 1)));
  }
  path.lineTo(right, height * 1.1);
  path.closePath();
  const pace = (0.05 + 0.06 * nearness) * (random() < 0.5 ? -1 : 1);
  return (context, { seconds }) => {
    context.save();
    context.translate(((seconds * pace) % 1) * length, Math.sin(seconds * 0.9 + nearness * 4) * rise * 0.3);
    context.fillStyle = withAlpha(colour, 0.75);
    context.fill(path);
    context.restore();
  };
}

interface Boat {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly heading: number;
  readonly tilt: number;
  readonly hull: string;
  readonly canvas: string;
}

function drawBoat(context: SKRSContext2D, { x, y, size, heading, tilt, hull, canvas }: Boat): void {
  context.save();
  context.translate(x, y);
  context.rotate(tilt);
  context.scale(heading * size, size);
  context.fillStyle = canvas;
  context.beginPath();
  context.moveTo(0.05, -0.12);
  context.quadraticCurveTo(0.62, -0.5, 0.05, -1.35);
  context.closePath();
  context.moveTo(-0.03, -0.12);
  context.quadraticCurveTo(-0.5, -0.3, -0.03, -1.1);
  context.closePath();
  context.fill();
  context.fillStyle = hull;
  context.beginPath();
  context.moveTo(-0.6, -0.06);
  context.lineTo(0.7, -0.06);
  context.quadraticCurveTo(0.5, 0.16, 0.34, 0.16);
  context.lineTo(-0.42, 0.16);
  context.quadraticCurveTo(-0.56, 0.1, -0.6, -0.06);
  context.fill();
  context.restore();
}
