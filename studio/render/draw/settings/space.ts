import { mix, withAlpha } from '../../look/colour.js';
import { between } from '../../random.js';
import { bake, dither, fillSky, placeSoft, softLight } from '../backdrop.js';
import type { Painter, SettingOptions } from '../painter.js';

/** Stars that twinkle, clouds of light, and a planet with its ring. */
export function paintSpace(options: SettingOptions): Painter {
  const { width, height, unit, palette, random, focus } = options;
  const night = palette.tone === 'dark';
  // A film on paper has its space on paper too: ink on a black sky could not be read.
  const sky = night
    ? ([mix(palette.sky[0], '#000000', 0.45), palette.sky[0], mix(palette.sky[0], palette.sky[1], 0.8)] as const)
    : ([mix(palette.far, palette.middle, 0.4), palette.sky[0], palette.sky[2]] as const);
  const backdrop = bake(options, (context) => {
    fillSky(context, { ...options, palette: { ...palette, sky } }, height * 1.2);
    for (let cloud = 0; cloud < 6; cloud++) {
      softLight(context, {
        x: random() * width,
        y: random() * height,
        radius: between(random, 200, 460) * unit,
        colour: cloud % 2 === 0 ? palette.sky[2] : palette.accent,
        alpha: 0.13,
      });
    }
  });
  dither(backdrop);
  const planet = {
    x: width * (focus + between(random, -0.1, 0.06)),
    y: height * (width > height ? between(random, 0.3, 0.42) : between(random, 0.18, 0.24)),
    radius: between(random, 120, 170) * unit,
  };
  const stars = Array.from({ length: 240 }, () => ({
    x: random(),
    y: random(),
    size: between(random, 0.8, 2.6) * unit,
    phase: random() * 7,
    pace: between(random, 0.6, 2.4),
  }));

  return (context, moment) => {
    const travel = moment.progress - 0.5;
    placeSoft(context, backdrop, { width, height, x: travel * 0.4 });
    context.fillStyle = night ? '#ffffff' : palette.near;
    for (const star of stars) {
      context.globalAlpha = 0.35 + 0.6 * Math.abs(Math.sin(moment.seconds * star.pace + star.phase));
      context.fillRect(((star.x + travel * 0.02 * star.size + 1) % 1) * width, star.y * height, star.size, star.size);
    }
    context.globalAlpha = 1;
    drawPlanet(context, options, { ...planet, x: planet.x + travel * width * 0.05, tilt: -0.32 });
  };
}

interface Planet {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly tilt: number;
}

function drawPlanet(
  context: Parameters<Painter>[0],
  { palette, unit }: SettingOptions,
  { x, y, radius, tilt }: Planet,
): void {
  context.save();
  context.translate(x, y);
  context.rotate(tilt);
  const ring = (from: number, to: number) => {
    context.strokeStyle = withAlpha(palette.tone === 'dark' ? palette.glow : palette.near, 0.75);
    context.lineWidth = 7 * unit;
    context.beginPath();
    context.ellipse(0, 0, radius * 1.75, radius * 0.42, 0, from, to);
    context.stroke();
    context.strokeStyle = withAlpha(palette.accent, 0.5);
    context.lineWidth = 15 * unit;
    context.beginPath();
    context.ellipse(0, 0, radius * 1.52, radius * 0.36, 0, from, to);
    context.stroke();
  };
  ring(Math.PI, Math.PI * 2);
  const body = context.createRadialGradient(-radius * 0.45, -radius * 0.5, radius * 0.1, 0, 0, radius);
  body.addColorStop(0, palette.glow);
  body.addColorStop(0.5, palette.accent);
  body.addColorStop(
    1,
    palette.tone === 'dark' ? mix(palette.accent, '#000000', 0.75) : mix(palette.accent, palette.ink, 0.3),
  );
  context.fillStyle = body;
  context.beginPath();
  context.arc(0, 0, radius, 0, Math.PI * 2);
  context.fill();
  ring(0, Math.PI);
  context.restore();
}
