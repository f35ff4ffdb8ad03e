import type { SKRSContext2D } from '@napi-rs/canvas';
import { mix, withAlpha } from '../../look/colour.js';
import { between } from '../../random.js';
import { bake, bleed, disc, dither, placeSoft, softLight } from '../backdrop.js';
import { clamp01 } from '../easing.js';
import type { Painter, SettingOptions } from '../painter.js';

interface Node {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly phase: number;
}

/** Points and the lines between them, with signals under way, over a floor in perspective. */
export function paintNetwork(options: SettingOptions): Painter {
  const { width, height, unit, palette } = options;
  const horizon = height * 0.68;
  const backdrop = bake(options, (context) => paintAir(context, options, horizon));
  dither(backdrop);
  const nodes = spread(options, 34);
  const links = nearestLinks(nodes, width / height);
  const line = palette.tone === 'dark' ? palette.sky[2] : palette.near;
  const floor = perspectiveFloor(options, { horizon, colour: line });

  return (context, moment) => {
    const travel = moment.progress - 0.5;
    placeSoft(context, backdrop, { width, height, x: travel * 0.2 });
    floor(context, moment);
    const at = (node: Node) => ({
      x: (node.x + 0.012 * Math.sin(moment.seconds * 0.5 + node.phase) + travel * 0.03 * node.size) * width,
      y: (node.y + 0.014 * Math.cos(moment.seconds * 0.43 + node.phase)) * height,
    });
    context.strokeStyle = withAlpha(line, 0.4);
    context.lineWidth = Math.max(1, 1.4 * unit);
    context.beginPath();
    for (const [from, to] of links) {
      const [a, b] = [at(from), at(to)];
      context.moveTo(a.x, a.y);
      context.lineTo(b.x, b.y);
    }
    context.stroke();
    for (const [index, [from, to]] of links.entries()) {
      if (index % 3 !== 0) continue;
      const way = clamp01((moment.seconds * 0.5 + from.phase) % 1.6);
      const [a, b] = [at(from), at(to)];
      disc(context, {
        x: a.x + (b.x - a.x) * way,
        y: a.y + (b.y - a.y) * way,
        radius: 3.2 * unit,
        colour: palette.accent,
      });
    }
    for (const node of nodes) {
      disc(context, {
        ...at(node),
        radius: (3 + 5 * node.size) * unit,
        colour: node.size > 0.8 ? palette.accent : mix(line, palette.glow, 0.35),
      });
    }
  };
}

function paintAir(context: SKRSContext2D, options: SettingOptions, horizon: number): void {
  const { width, height, palette } = options;
  const air = context.createLinearGradient(0, 0, 0, height);
  air.addColorStop(0, palette.tone === 'dark' ? palette.ground : palette.sky[0]);
  air.addColorStop(0.68, palette.tone === 'dark' ? palette.middle : palette.sky[1]);
  air.addColorStop(1, palette.tone === 'dark' ? palette.ground : palette.sky[2]);
  context.fillStyle = air;
  context.fillRect(-width * bleed, -height * bleed, width * 1.2, height * 1.2);
  softLight(context, {
    x: width * options.focus,
    y: horizon,
    radius: Math.max(width, height) * 0.6,
    colour: palette.accent,
    alpha: 0.3,
  });
}

function spread({ random }: SettingOptions, count: number): readonly Node[] {
  return Array.from({ length: count }, (_, index) => ({
    x: ((index % 7) + between(random, 0.1, 0.9)) / 7,
    y: 0.04 + 0.62 * ((Math.floor(index / 7) + random()) / 5),
    size: random(),
    phase: random() * 7,
  }));
}

function nearestLinks(nodes: readonly Node[], stretch: number): readonly (readonly [Node, Node])[] {
  return nodes.flatMap((node, index) =>
    nodes
      .slice(index + 1)
      .map((other) => ({ other, distance: Math.hypot((node.x - other.x) * stretch, node.y - other.y) }))
      .filter(({ distance }) => distance < 0.27)
      .sort((a, b) => a.distance - b.distance)
      .slice(0, 3)
      .map(({ other }) => [node, other] as const),
  );
}

function perspectiveFloor(
  { width, height, unit, energy }: SettingOptions,
  { horizon, colour }: { readonly horizon: number; readonly colour: string },
): Painter {
  return (context, { seconds }) => {
    const fade = context.createLinearGradient(0, horizon, 0, height);
    fade.addColorStop(0, withAlpha(colour, 0));
    fade.addColorStop(1, withAlpha(colour, 0.5));
    context.strokeStyle = fade;
    context.lineWidth = Math.max(1, 1.3 * unit);
    context.beginPath();
    for (let ray = -12; ray <= 12; ray++) {
      context.moveTo(width / 2 + ray * 26 * unit, horizon);
      context.lineTo(width / 2 + ray * 210 * unit, height);
    }
    const roll = (seconds * (0.25 + 0.5 * energy)) % 1;
    for (let row = 0; row < 9; row++) {
      const depth = ((row + roll) / 9) ** 2.2;
      context.moveTo(0, horizon + depth * (height - horizon));
      context.lineTo(width, horizon + depth * (height - horizon));
    }
    context.stroke();
  };
}
