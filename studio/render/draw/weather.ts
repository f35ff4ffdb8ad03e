import { withAlpha } from '../look/colour.js';
import type { Weather } from '../plan/settings.js';
import { between } from '../random.js';
import type { Painter, SettingOptions } from './painter.js';

/** What falls or rises through the whole frame, in front of the setting. */
export function weatherPainter(weather: Weather, options: SettingOptions): Painter | null {
  switch (weather) {
    case 'rain':
      return rain(options);
    case 'snow':
      return flakes(options, { colours: ['#ffffff'], fall: 0.09, count: 110, size: [1.6, 5], square: false });
    case 'confetti':
      return flakes(options, {
        colours: [options.palette.accent, options.palette.glow, options.palette.sky[2], options.palette.far],
        fall: 0.16,
        count: 70,
        size: [5, 11],
        square: true,
      });
    case 'embers':
      return flakes(options, {
        colours: [options.palette.accent, options.palette.glow],
        fall: -0.11,
        count: 60,
        size: [1.4, 4],
        square: false,
      });
    case 'none':
      return null;
  }
}

function rain({ width, height, unit, palette, random }: SettingOptions): Painter {
  const drops = Array.from({ length: 130 }, () => ({
    x: random() * 1.2,
    y: random(),
    length: between(random, 18, 46) * unit,
    pace: between(random, 0.9, 1.5),
  }));
  return (context, { seconds }) => {
    context.strokeStyle = withAlpha(palette.tone === 'dark' ? palette.inkSoft : palette.near, 0.34);
    context.lineWidth = Math.max(1, 1.6 * unit);
    context.beginPath();
    for (const { x, y, length, pace } of drops) {
      const at = (y + seconds * pace) % 1.1;
      const [dx, dy] = [(x - at * 0.18) * width, at * height - length];
      context.moveTo(dx, dy);
      context.lineTo(dx - length * 0.16, dy + length);
    }
    context.stroke();
  };
}

interface Flakes {
  readonly colours: readonly string[];
  /** Frames' heights a second; negative rises. */
  readonly fall: number;
  readonly count: number;
  readonly size: readonly [smallest: number, largest: number];
  readonly square: boolean;
}

function flakes(
  { width, height, unit, random }: SettingOptions,
  { colours, fall, count, size, square }: Flakes,
): Painter {
  const each = Array.from({ length: count }, (_, index) => ({
    x: random(),
    y: random(),
    size: between(random, ...size) * unit,
    pace: between(random, 0.6, 1.3),
    phase: random() * 7,
    colour: colours[index % colours.length] ?? '#ffffff',
  }));
  return (context, { seconds }) => {
    for (const flake of each) {
      const y = ((((flake.y + seconds * fall * flake.pace) % 1.1) + 1.1) % 1.1) * height - 0.05 * height;
      const x = ((flake.x + 0.03 * Math.sin(seconds * flake.pace + flake.phase) + 1) % 1) * width;
      context.globalAlpha = 0.85;
      context.fillStyle = flake.colour;
      context.beginPath();
      if (square) {
        const turn = Math.abs(Math.cos(seconds * 3 * flake.pace + flake.phase));
        context.rect(x, y, flake.size, flake.size * 0.6 * turn + 1);
      } else {
        context.arc(x, y, flake.size / 2, 0, Math.PI * 2);
      }
      context.fill();
    }
    context.globalAlpha = 1;
  };
}
