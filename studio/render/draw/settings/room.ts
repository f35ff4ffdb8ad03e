import { mix, withAlpha } from '../../look/colour.js';
import { between } from '../../random.js';
import { bake, bleed, disc, dither, place, softLight } from '../backdrop.js';
import type { Painter, SettingOptions } from '../painter.js';

type Context = Parameters<Painter>[0];
interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Indoors: a window with the day behind it, its light across the room, a table set for someone. */
export function paintRoom(options: SettingOptions): Painter {
  const { width, height, unit, random, focus } = options;
  const table = height * between(random, 0.74, 0.79);
  const window = {
    x: focus * width - 150 * unit,
    y: table - Math.min(height * 0.52, 460 * unit),
    across: 300 * unit,
    tall: Math.min(height * 0.38, 330 * unit),
  };
  const room = bake(options, (context) => {
    paintWall(context, options, window);
    paintWindow(context, options, window);
    paintTable(context, options, table);
    plant(context, options, { x: window.x + window.across + 96 * unit, y: table });
    cup(context, options, { x: window.x + 84 * unit, y: table });
    lamp(context, options, { x: window.x - 108 * unit, y: window.y + 40 * unit });
  });
  dither(room);
  const steam = rising(options, { x: window.x + 84 * unit, y: table - 64 * unit });

  return (context, moment) => {
    const travel = moment.progress - 0.5;
    place(context, room, { width, height, x: travel * 0.7, y: -travel * 0.2 });
    context.save();
    context.translate(travel * 0.7 * width * bleed, -travel * 0.2 * height * bleed);
    steam(context, moment);
    context.restore();
  };
}

interface Opening extends Spot {
  readonly across: number;
  readonly tall: number;
}

function paintWall(context: Context, { width, height, unit, palette }: SettingOptions, window: Opening): void {
  const dark = palette.tone === 'dark';
  const wall = context.createLinearGradient(0, 0, width, height);
  wall.addColorStop(0, dark ? palette.middle : palette.sky[0]);
  wall.addColorStop(1, dark ? mix(palette.middle, palette.far, 0.7) : palette.sky[1]);
  context.fillStyle = wall;
  context.fillRect(-width * bleed, -height * bleed, width * 1.2, height * 1.2);
  softLight(context, {
    x: window.x + window.across / 2,
    y: window.y + window.tall / 2,
    radius: 620 * unit,
    colour: palette.glow,
    alpha: 0.34,
  });
}

function paintWindow(context: Context, { unit, palette }: SettingOptions, { x, y, across, tall }: Opening): void {
  const frame = palette.tone === 'dark' ? mix(palette.near, palette.ground, 0.3) : palette.near;
  context.fillStyle = frame;
  context.beginPath();
  context.roundRect(x - 12 * unit, y - 12 * unit, across + 24 * unit, tall + 24 * unit, 8 * unit);
  context.fill();
  const day = context.createLinearGradient(0, y, 0, y + tall);
  day.addColorStop(0, palette.sky[1]);
  day.addColorStop(1, mix(palette.sky[2], palette.glow, 0.4));
  context.save();
  context.beginPath();
  context.rect(x, y, across, tall);
  context.clip();
  context.fillStyle = day;
  context.fillRect(x, y, across, tall);
  softLight(context, {
    x: x + across * 0.66,
    y: y + tall * 0.6,
    radius: across * 0.7,
    colour: palette.glow,
    alpha: 0.8,
  });
  disc(context, { x: x + across * 0.66, y: y + tall * 0.6, radius: 34 * unit, colour: palette.sun });
  for (const [index, colour] of [palette.far, palette.middle].entries()) {
    context.fillStyle = colour;
    context.beginPath();
    context.ellipse(
      x + across * (0.2 + 0.6 * index),
      y + tall * (1.12 + 0.05 * index),
      across * 0.62,
      tall * 0.34,
      0,
      0,
      Math.PI * 2,
    );
    context.fill();
  }
  context.restore();
  context.fillStyle = frame;
  context.fillRect(x + across / 2 - 4 * unit, y, 8 * unit, tall);
  context.fillRect(x, y + tall * 0.5 - 4 * unit, across, 8 * unit);
  context.fillRect(x - 26 * unit, y + tall + 8 * unit, across + 52 * unit, 15 * unit);
  context.fillStyle = withAlpha(palette.glow, palette.tone === 'dark' ? 0.09 : 0.3);
  for (const half of [0, 1]) {
    context.beginPath();
    context.moveTo(x + across * 0.5 * half, y + tall + 26 * unit);
    context.lineTo(x + across * (0.5 * half + 0.47), y + tall + 26 * unit);
    context.lineTo(x + across * (0.5 * half + 0.2), y + tall * 2.4);
    context.lineTo(x + across * (0.5 * half - 0.5), y + tall * 2.4);
    context.fill();
  }
}

function paintTable(context: Context, { width, height, unit, palette }: SettingOptions, top: number): void {
  const dark = palette.tone === 'dark';
  const wood = context.createLinearGradient(0, top, 0, height);
  wood.addColorStop(0, dark ? mix(palette.near, palette.accent, 0.16) : palette.near);
  wood.addColorStop(1, dark ? palette.ground : palette.middle);
  context.fillStyle = wood;
  context.fillRect(-width * bleed, top, width * 1.2, height * (1 + bleed) - top);
  context.fillStyle = withAlpha(palette.glow, dark ? 0.22 : 0.5);
  context.fillRect(-width * bleed, top, width * 1.2, 3 * unit);
}

function cup(context: Context, { unit, palette }: SettingOptions, { x, y }: Spot): void {
  const china = palette.tone === 'dark' ? mix(palette.inkSoft, palette.accent, 0.2) : palette.glow;
  context.fillStyle = withAlpha('#000000', 0.2);
  context.beginPath();
  context.ellipse(x + 8 * unit, y + 3 * unit, 62 * unit, 8 * unit, 0, 0, Math.PI * 2);
  context.fill();
  context.strokeStyle = china;
  context.lineWidth = 8 * unit;
  context.beginPath();
  context.arc(x + 42 * unit, y - 34 * unit, 15 * unit, -1.3, 1.5);
  context.stroke();
  context.fillStyle = china;
  context.beginPath();
  context.moveTo(x - 42 * unit, y - 60 * unit);
  context.lineTo(x + 42 * unit, y - 60 * unit);
  context.quadraticCurveTo(x + 40 * unit, y - 6 * unit, x + 18 * unit, y - 2 * unit);
  context.lineTo(x - 18 * unit, y - 2 * unit);
  context.quadraticCurveTo(x - 40 * unit, y - 6 * unit, x - 42 * unit, y - 60 * unit);
  context.fill();
  context.beginPath();
  context.ellipse(x, y - 1 * unit, 58 * unit, 6 * unit, 0, 0, Math.PI * 2);
  context.fill();
  context.fillStyle = mix(palette.near, '#000000', 0.25);
  context.beginPath();
  context.ellipse(x, y - 60 * unit, 40 * unit, 5.5 * unit, 0, 0, Math.PI * 2);
  context.fill();
}

function plant(context: Context, { unit, palette, random }: SettingOptions, { x, y }: Spot): void {
  const leaf = palette.tone === 'dark' ? mix(palette.near, palette.far, 0.35) : mix(palette.near, palette.ink, 0.25);
  for (let index = 0; index < 9; index++) {
    const lean = (index - 4) / 4;
    const tall = between(random, 130, 190) * unit * (1 - 0.3 * Math.abs(lean));
    context.fillStyle = mix(leaf, palette.glow, 0.06 * (index % 3));
    context.save();
    context.translate(x, y - 56 * unit);
    context.rotate(lean * 0.85);
    context.beginPath();
    context.moveTo(0, 0);
    context.bezierCurveTo(24 * unit, -tall * 0.4, 20 * unit, -tall * 0.75, 0, -tall);
    context.bezierCurveTo(-20 * unit, -tall * 0.75, -24 * unit, -tall * 0.4, 0, 0);
    context.fill();
    context.restore();
  }
  context.fillStyle = mix(palette.accent, palette.near, 0.35);
  context.beginPath();
  context.moveTo(x - 44 * unit, y - 72 * unit);
  context.lineTo(x + 44 * unit, y - 72 * unit);
  context.lineTo(x + 32 * unit, y);
  context.lineTo(x - 32 * unit, y);
  context.fill();
}

function lamp(context: Context, { unit, height, palette }: SettingOptions, { x, y }: Spot): void {
  context.strokeStyle = mix(palette.near, palette.ground, 0.2);
  context.lineWidth = 3 * unit;
  context.beginPath();
  context.moveTo(x, -height * bleed);
  context.lineTo(x, y);
  context.stroke();
  softLight(context, { x, y: y + 60 * unit, radius: 170 * unit, colour: palette.glow, alpha: 0.5 });
  context.fillStyle = palette.accent;
  context.beginPath();
  context.moveTo(x - 18 * unit, y);
  context.lineTo(x + 18 * unit, y);
  context.lineTo(x + 62 * unit, y + 58 * unit);
  context.lineTo(x - 62 * unit, y + 58 * unit);
  context.fill();
}

function rising({ unit, palette }: SettingOptions, { x, y }: Spot): Painter {
  return (context, { seconds }) => {
    context.lineCap = 'round';
    context.lineWidth = 5 * unit;
    for (const offset of [-14, 2, 17]) {
      const phase = seconds * 1.4 + offset;
      context.strokeStyle = withAlpha(
        palette.tone === 'dark' ? palette.ink : palette.glow,
        0.2 + 0.1 * Math.sin(phase),
      );
      context.beginPath();
      context.moveTo(x + offset * unit, y);
      const sway = 12 * unit;
      context.bezierCurveTo(
        x + offset * unit + sway * Math.sin(phase),
        y - 24 * unit,
        x + offset * unit - sway * Math.sin(phase + 0.6),
        y - 46 * unit,
        x + offset * unit + sway * Math.sin(phase + 1.2),
        y - 72 * unit,
      );
      context.stroke();
    }
  };
}
