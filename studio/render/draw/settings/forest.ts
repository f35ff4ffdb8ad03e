import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { mix, withAlpha } from '../../look/colour.js';
import { between } from '../../random.js';
import { type Band, bake, bakeBand, bleed, dither, place, placeBand, softLight } from '../backdrop.js';
import type { Painter, SettingOptions } from '../painter.js';

/** Between tall trunks: light falls in beams, specks of it float. */
export function paintForest(options: SettingOptions): Painter {
  const { width, height, palette, variant, focus } = options;
  const light = { x: width * (focus - 0.06), y: height * 0.3 };
  const air = bake(options, (context) => {
    const gradient = context.createLinearGradient(0, 0, 0, height);
    gradient.addColorStop(0, mix(palette.far, palette.sky[2], 0.35));
    gradient.addColorStop(0.6, palette.sky[2]);
    gradient.addColorStop(1, palette.far);
    context.fillStyle = gradient;
    context.fillRect(-width * bleed, -height * bleed, width * 1.2, height * 1.2);
    softLight(context, { ...light, radius: Math.max(width, height) * 0.6, colour: palette.glow, alpha: 0.8 });
  });
  const [far, middle, near] = [trunks(options, 0), trunks(options, 0.5), trunks(options, 1)];
  air.getContext('2d').drawImage(far.canvas, -Math.round(width * bleed), 0);
  dither(air);
  const beams = lightBeams(options, light);
  const specks = floatingSpecks(options);
  const pan = variant % 2 === 0 ? -1 : 1;
  const floor = mix(palette.near, palette.ground, palette.tone === 'dark' ? 0.4 : 0.1);

  return (context, moment) => {
    const travel = (moment.progress - 0.5) * 2 * pan;
    place(context, air, { width, height, x: travel * 0.1 });
    placeBand(context, middle, { width, x: travel * 0.6 });
    context.globalAlpha = 0.75 + 0.25 * Math.sin(moment.seconds * 0.7);
    context.drawImage(beams, 0, 0);
    context.globalAlpha = 1;
    placeBand(context, near, { width, x: travel });
    const ground = context.createLinearGradient(0, height * 0.8, 0, height);
    ground.addColorStop(0, withAlpha(floor, 0));
    ground.addColorStop(1, floor);
    context.fillStyle = ground;
    context.fillRect(0, height * 0.8, width, height * 0.2);
    specks(context, moment);
  };
}

function trunks(options: SettingOptions, nearness: number): Band {
  const { width, height, unit, palette, random } = options;
  const colour = nearness < 0.5 ? mix(palette.far, palette.middle, 0.35) : nearness < 1 ? palette.middle : palette.near;
  const foot = height * (0.8 + 0.16 * nearness);
  const paint = (context: Parameters<Painter>[0]) => {
    context.fillStyle = colour;
    const step = (64 + 130 * nearness) * unit;
    for (let x = -width * bleed; x < width * (1 + bleed); x += step * between(random, 0.6, 1.5)) {
      const thick = (11 + 40 * nearness) * unit * between(random, 0.6, 1.25);
      const lean = between(random, -0.02, 0.02) * height;
      context.beginPath();
      context.moveTo(x - thick * 0.36 + lean, -height * 0.02);
      context.lineTo(x + thick * 0.36 + lean, -height * 0.02);
      context.quadraticCurveTo(x + thick * 0.42, foot * 0.7, x + thick * 0.9, foot);
      context.lineTo(x - thick * 0.9, foot);
      context.quadraticCurveTo(x - thick * 0.42, foot * 0.7, x - thick * 0.36 + lean, -height * 0.02);
      context.fill();
      for (let branch = 0; branch < 2; branch++) {
        const side = random() < 0.5 ? -1 : 1;
        const y = height * between(random, 0.04, 0.5);
        context.lineWidth = thick * 0.13;
        context.strokeStyle = colour;
        context.lineCap = 'round';
        context.beginPath();
        context.moveTo(x + lean * (1 - y / foot), y);
        context.quadraticCurveTo(x + side * thick * 1.3, y - thick * 0.5, x + side * thick * 2.4, y - thick * 1.5);
        context.stroke();
      }
    }
    context.beginPath();
    context.moveTo(-width * bleed, height);
    for (let x = -width * bleed; x <= width * (1 + bleed); x += 12 * unit) {
      context.lineTo(
        x,
        foot - 10 * unit * Math.sin(x / (90 * unit) + nearness * 5) - 6 * unit * Math.sin(x / (31 * unit)),
      );
    }
    context.lineTo(width * (1 + bleed), height);
    context.fill();
  };
  return bakeBand(options, { top: 0, bottom: height, paint });
}

function lightBeams(
  { width, height, palette, random }: SettingOptions,
  light: { readonly x: number; readonly y: number },
): Canvas {
  const length = Math.hypot(width, height);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  for (let beam = 0; beam < 5; beam++) {
    const [angle, spread] = [between(random, -0.75, 0.75), between(random, 0.03, 0.08)];
    const end = { x: light.x + Math.sin(angle) * length * 0.7, y: light.y + Math.cos(angle) * length * 0.7 };
    const gradient = context.createLinearGradient(light.x, light.y, end.x, end.y);
    gradient.addColorStop(0, withAlpha(palette.glow, between(random, 0.14, 0.26)));
    gradient.addColorStop(1, withAlpha(palette.glow, 0));
    context.fillStyle = gradient;
    context.beginPath();
    context.moveTo(light.x, light.y - height * 0.35);
    context.lineTo(light.x + Math.sin(angle - spread) * length, light.y + Math.cos(angle - spread) * length);
    context.lineTo(light.x + Math.sin(angle + spread) * length, light.y + Math.cos(angle + spread) * length);
    context.fill();
  }
  return canvas;
}

function floatingSpecks({ width, height, unit, palette, random }: SettingOptions): Painter {
  const specks = Array.from({ length: 36 }, () => ({
    x: random(),
    y: random(),
    size: between(random, 1, 3.2) * unit,
    phase: random() * 7,
    pace: between(random, 0.3, 0.9),
  }));
  return (context, { seconds }) => {
    context.fillStyle = palette.glow;
    for (const { x, y, size, phase, pace } of specks) {
      context.globalAlpha = 0.25 + 0.5 * Math.abs(Math.sin(seconds * pace + phase));
      context.beginPath();
      context.arc(
        (x + 0.03 * Math.sin(seconds * 0.4 + phase)) * width,
        ((((y - seconds * 0.012 * pace) % 1) + 1) % 1) * height,
        size,
        0,
        Math.PI * 2,
      );
      context.fill();
    }
    context.globalAlpha = 1;
  };
}
