import { mix, withAlpha } from '../../look/colour.js';
import { between } from '../../random.js';
import { bake, bleed, dither, placeSoft, softLight } from '../backdrop.js';
import type { Painter, SettingOptions } from '../painter.js';

/** Nowhere in particular: bands of colour that flow across the frame like cloth. */
export function paintRibbons(options: SettingOptions): Painter {
  const { width, height, palette, random, variant, energy } = options;
  const dark = palette.tone === 'dark';
  const backdrop = bake(options, (context) => {
    const air = context.createLinearGradient(0, 0, width * 0.4, height);
    air.addColorStop(0, dark ? palette.ground : palette.sky[1]);
    air.addColorStop(1, dark ? palette.middle : palette.sky[0]);
    context.fillStyle = air;
    context.fillRect(-width * bleed, -height * bleed, width * 1.2, height * 1.2);
    softLight(context, {
      x: width * options.focus,
      y: height * 0.35,
      radius: Math.max(width, height) * 0.6,
      colour: dark ? palette.sky[2] : palette.glow,
      alpha: 0.5,
    });
  });
  dither(backdrop);
  const slope = (variant % 2 === 0 ? -1 : 1) * between(random, 0.08, 0.3);
  const tones = dark
    ? [palette.middle, palette.far, palette.sky[2], palette.accent]
    : [palette.far, palette.middle, palette.near, palette.accent];
  const ribbons = Array.from({ length: 5 }, (_, index) => ({
    level: 0.36 + 0.15 * index + between(random, -0.03, 0.03),
    thick: between(random, 0.13, 0.24),
    swing: between(random, 0.05, 0.12),
    wave: between(random, 0.7, 1.3),
    phase: random() * 7,
    pace: between(random, 0.16, 0.36) * (0.5 + energy) * (random() < 0.5 ? -1 : 1),
    from: tones[index % 4] ?? palette.far,
    to: mix(tones[(index + 1) % 4] ?? palette.far, palette.glow, 0.15),
  }));
  const steps = 28;

  return (context, moment) => {
    placeSoft(context, backdrop, { width, height, x: (moment.progress - 0.5) * 0.4 });
    for (const { level, thick, swing, wave, phase, pace, from, to } of ribbons) {
      const edge = (share: number, offset: number) =>
        height *
        (level +
          slope * (share - 0.5) +
          swing * Math.sin(share * Math.PI * 2 * wave + phase + moment.seconds * pace + offset));
      const gradient = context.createLinearGradient(0, 0, width, 0);
      gradient.addColorStop(0, withAlpha(from, 0.85));
      gradient.addColorStop(1, withAlpha(to, 0.6));
      context.fillStyle = gradient;
      context.beginPath();
      for (let step = 0; step <= steps; step++) context.lineTo((step / steps) * width, edge(step / steps, 0));
      for (let step = steps; step >= 0; step--) {
        const share = step / steps;
        const depth = thick * (0.55 + 0.45 * Math.sin(share * Math.PI * 1.4 + phase - moment.seconds * pace * 0.7));
        context.lineTo(share * width, edge(share, 0.5) + depth * height * 0.7);
      }
      context.fill();
    }
  };
}
