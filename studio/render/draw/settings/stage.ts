import { mix, withAlpha } from '../../look/colour.js';
import { between } from '../../random.js';
import { bake, bleed, disc, dither, place, softLight } from '../backdrop.js';
import type { Painter, SettingOptions } from '../painter.js';

/** A photographer's set: seamless backdrop, an arch, plinths, and a light from the side. */
export function paintStage(options: SettingOptions): Painter {
  const { width, height, unit, palette, random, focus } = options;
  const floor = height * between(random, 0.73, 0.79);
  const side = focus + between(random, -0.03, 0.03);
  const set = bake(options, (context) => {
    const wall = context.createLinearGradient(0, 0, 0, floor);
    wall.addColorStop(0, palette.tone === 'dark' ? palette.middle : palette.far);
    wall.addColorStop(1, palette.tone === 'dark' ? mix(palette.far, palette.sky[2], 0.45) : palette.sky[1]);
    context.fillStyle = wall;
    context.fillRect(-width * bleed, -height * bleed, width * 1.2, height * 1.2);
    softLight(context, {
      x: width * side,
      y: height * 0.36,
      radius: Math.max(width, height) * 0.55,
      colour: palette.glow,
      alpha: 0.4,
    });
    arch(context, options, { x: width * side, floor });
    const ground = context.createLinearGradient(0, floor, 0, height);
    ground.addColorStop(0, palette.tone === 'dark' ? mix(palette.far, palette.middle, 0.4) : palette.middle);
    ground.addColorStop(1, palette.tone === 'dark' ? palette.near : palette.far);
    context.fillStyle = ground;
    context.fillRect(-width * bleed, floor, width * 1.2, height);
    softLight(context, {
      x: width * side,
      y: floor + 20 * unit,
      radius: 420 * unit,
      colour: palette.glow,
      alpha: 0.22,
    });
    plinths(context, options, { x: width * side, floor });
  });
  dither(set);
  const balls = Array.from({ length: 4 }, (_, index) => ({
    x: side + (index % 2 === 0 ? 1 : -1) * between(random, 0.12, 0.26),
    y: between(random, 0.16, 0.56),
    radius: between(random, 10, 32) * unit,
    phase: random() * 7,
    colour: index % 2 === 0 ? palette.accent : mix(palette.far, palette.glow, 0.4),
  }));

  return (context, moment) => {
    const travel = moment.progress - 0.5;
    place(context, set, { width, height, x: travel * 0.5, y: -travel * 0.2 });
    for (const { x, y, radius, phase, colour } of balls) {
      const lift = Math.sin(moment.seconds * 0.9 + phase) * 9 * unit;
      ball(context, {
        x: x * width + travel * width * 0.05,
        y: y * height + lift,
        radius,
        colour,
        light: palette.glow,
      });
    }
  };
}

function arch(
  context: Parameters<Painter>[0],
  { unit, palette, height }: SettingOptions,
  { x, floor }: { readonly x: number; readonly floor: number },
): void {
  const [half, rise] = [190 * unit, Math.min(height * 0.3, 330 * unit)];
  const shade = palette.tone === 'dark' ? mix(palette.middle, palette.near, 0.3) : palette.middle;
  const gradient = context.createLinearGradient(x - half, 0, x + half, 0);
  gradient.addColorStop(0, shade);
  gradient.addColorStop(1, mix(shade, palette.accent, 0.35));
  context.fillStyle = gradient;
  context.beginPath();
  context.moveTo(x - half, floor);
  context.lineTo(x - half, floor - rise);
  context.arc(x, floor - rise, half, Math.PI, 0);
  context.lineTo(x + half, floor);
  context.fill();
}

function plinths(
  context: Parameters<Painter>[0],
  options: SettingOptions,
  { x, floor }: { readonly x: number; readonly floor: number },
): void {
  const { unit, palette } = options;
  const top = palette.tone === 'dark' ? mix(palette.far, palette.glow, 0.45) : palette.glow;
  const body =
    palette.tone === 'dark' ? mix(palette.far, palette.accent, 0.22) : mix(palette.middle, palette.glow, 0.5);
  const stand = (at: number, half: number, tall: number) => {
    const base = floor + 34 * unit;
    const gradient = context.createLinearGradient(at - half, 0, at + half, 0);
    gradient.addColorStop(0, mix(body, palette.near, 0.45));
    gradient.addColorStop(0.6, body);
    gradient.addColorStop(1, mix(body, palette.near, 0.25));
    context.fillStyle = withAlpha('#000000', 0.16);
    context.beginPath();
    context.ellipse(at + half * 0.3, base, half * 1.35, half * 0.24, 0, 0, Math.PI * 2);
    context.fill();
    context.fillStyle = gradient;
    context.beginPath();
    context.ellipse(at, base, half, half * 0.17, 0, 0, Math.PI);
    context.lineTo(at - half, base - tall);
    context.lineTo(at + half, base - tall);
    context.closePath();
    context.fill();
    context.fillStyle = top;
    context.beginPath();
    context.ellipse(at, base - tall, half, half * 0.17, 0, 0, Math.PI * 2);
    context.fill();
  };
  stand(x + 165 * unit, 58 * unit, 112 * unit);
  stand(x - 150 * unit, 74 * unit, 44 * unit);
  stand(x, 132 * unit, 66 * unit);
}

function ball(
  context: Parameters<Painter>[0],
  {
    x,
    y,
    radius,
    colour,
    light,
  }: {
    readonly x: number;
    readonly y: number;
    readonly radius: number;
    readonly colour: string;
    readonly light: string;
  },
): void {
  disc(context, { x, y, radius, colour });
  const shine = context.createRadialGradient(x - radius * 0.4, y - radius * 0.45, 0, x, y, radius);
  shine.addColorStop(0, withAlpha(light, 0.75));
  shine.addColorStop(0.5, withAlpha(light, 0));
  shine.addColorStop(1, withAlpha('#000000', 0.22));
  context.fillStyle = shine;
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.fill();
}
