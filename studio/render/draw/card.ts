import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { mix, withAlpha } from '../look/colour.js';
import type { Palette } from '../look/palette.js';
import type { Box } from '../plan/composition.js';
import type { Picture } from '../reference/picture.js';
import type { Typesetter } from '../text/typesetter.js';

/** How a reference is held in the frame. */
export type CardStyle = 'product' | 'portrait' | 'picture';

export interface CardOptions {
  readonly slot: Box;
  readonly style: CardStyle;
  /** Name plate; null for none. */
  readonly label: string | null;
  readonly palette: Palette;
  readonly typesetter: Typesetter;
  readonly unit: number;
}

/** A finished card: one canvas for each still, and where its middle goes. */
export interface Card {
  readonly canvases: readonly Canvas[];
  readonly x: number;
  readonly y: number;
}

/** Nothing is cropped but a portrait, which is cut to a circle around its upper half, where faces are. */
export function makeCard(picture: Picture, options: CardOptions): Card {
  const { slot } = options;
  const canvases = picture.stills.map((still) => {
    if (options.style === 'portrait') return portrait(still, options);
    return picture.cutOut ? cutOut(still, options) : framed(still, options);
  });
  return { canvases, x: slot.x + slot.width / 2, y: slot.y + slot.height / 2 };
}

function framed(still: Canvas, options: CardOptions): Canvas {
  const { slot, style, palette, unit, label } = options;
  const border = (style === 'product' ? 9 : 6) * unit;
  const plate = label ? plateHeight(unit) : 0;
  const scale = Math.min((slot.width - 2 * border) / still.width, (slot.height - plate - 2 * border) / still.height);
  const [across, down] = [still.width * scale, still.height * scale];
  const radius = 18 * unit;
  return onCanvas(options, (context) => {
    const [x, y] = [(slot.width - across) / 2, (slot.height - plate - down) / 2];
    withShadow(context, options, () => {
      context.fillStyle = palette.tone === 'dark' ? palette.inkSoft : '#ffffff';
      context.beginPath();
      context.roundRect(x - border, y - border, across + 2 * border, down + 2 * border, radius);
      context.fill();
    });
    context.save();
    context.beginPath();
    context.roundRect(x, y, across, down, Math.max(0, radius - border));
    context.clip();
    smooth(context).drawImage(still, x, y, across, down);
    context.restore();
    if (label) drawPlate(context, { ...options, label, y: y + down + border + plate * 0.62 });
  });
}

function cutOut(still: Canvas, options: CardOptions): Canvas {
  const { slot, palette, unit, label } = options;
  const plate = label ? plateHeight(unit) : 0;
  const ground = 26 * unit;
  const scale = Math.min(slot.width / still.width, (slot.height - plate - ground) / still.height);
  const [across, down] = [still.width * scale, still.height * scale];
  return onCanvas(options, (context) => {
    const [x, y] = [(slot.width - across) / 2, (slot.height - plate - ground - down) / 2];
    const haloRadius = Math.min(Math.max(across, down) * 0.62, slot.width / 2 + shadowRoom(unit), slot.height / 2);
    const halo = context.createRadialGradient(
      slot.width / 2,
      y + down / 2,
      0,
      slot.width / 2,
      y + down / 2,
      haloRadius,
    );
    halo.addColorStop(0, withAlpha(palette.glow, 0.4));
    halo.addColorStop(1, withAlpha(palette.glow, 0));
    context.fillStyle = halo;
    context.fillRect(-slot.width, -slot.height, slot.width * 3, slot.height * 3);
    context.save();
    context.filter = `blur(${Math.max(1, 12 * unit)}px)`;
    context.fillStyle = 'rgba(0, 0, 0, 0.42)';
    context.beginPath();
    context.ellipse(
      slot.width / 2,
      y + down + 4 * unit,
      across * 0.36,
      Math.max(4 * unit, across * 0.045),
      0,
      0,
      Math.PI * 2,
    );
    context.fill();
    context.restore();
    smooth(context).drawImage(still, x, y, across, down);
    if (label) drawPlate(context, { ...options, label, y: y + down + ground + plate * 0.5 });
  });
}

function portrait(still: Canvas, options: CardOptions): Canvas {
  const { slot, palette, unit, label } = options;
  const plate = label ? plateHeight(unit) : 0;
  const radius = Math.min(slot.width, slot.height - plate) / 2 - 8 * unit;
  const middle = { x: slot.width / 2, y: (slot.height - plate) / 2 };
  const scale = (radius * 2) / Math.min(still.width, still.height);
  const excess = still.height * scale - radius * 2;
  return onCanvas(options, (context) => {
    withShadow(context, options, () => {
      context.fillStyle = palette.accent;
      context.beginPath();
      context.arc(middle.x, middle.y, radius + 7 * unit, 0, Math.PI * 2);
      context.fill();
    });
    context.save();
    context.beginPath();
    context.arc(middle.x, middle.y, radius, 0, Math.PI * 2);
    context.clip();
    smooth(context).drawImage(
      still,
      middle.x - (still.width * scale) / 2,
      middle.y - radius - excess * 0.3,
      still.width * scale,
      still.height * scale,
    );
    context.restore();
    if (label) drawPlate(context, { ...options, label, y: middle.y + radius + 7 * unit + plate * 0.42 });
  });
}

function plateHeight(unit: number): number {
  return 70 * unit;
}

/** The name on a strip of the film's ink, over the card's lower edge; as long as it must be, in two lines at most. */
function drawPlate(
  context: SKRSContext2D,
  { slot, label, palette, typesetter, unit, y }: CardOptions & { readonly label: string; readonly y: number },
): void {
  const sizes = [26, 22, 18, 15, 12];
  const set = sizes
    .map((size) => typesetter.set(label, { voice: 'label', sizePx: size * unit, width: slot.width - 40 * unit }))
    .find(({ lines }, index) => lines.length <= 2 || index === sizes.length - 1);
  if (!set) return;
  const [across, down] = [set.widthPx + 36 * unit, set.lines.length * set.lineHeightPx + 16 * unit];
  context.fillStyle = palette.tone === 'dark' ? mix(palette.ground, '#000000', 0.2) : palette.ink;
  context.beginPath();
  context.roundRect((slot.width - across) / 2, y - down / 2, across, down, Math.min(down / 2, 22 * unit));
  context.fill();
  context.fillStyle = palette.tone === 'dark' ? palette.ink : palette.ground;
  for (const [index, line] of set.lines.entries()) {
    typesetter.prepare(context, { text: line, voice: 'label', sizePx: set.sizePx });
    context.textAlign = 'center';
    context.fillText(
      line,
      slot.width / 2,
      y - down / 2 + 8 * unit + set.lineHeightPx * (index + 0.5) + set.sizePx * 0.35,
    );
  }
}

/** A canvas with room around the slot for shadows; its middle is the slot's middle. */
function onCanvas({ slot, unit }: CardOptions, paint: (context: SKRSContext2D) => void): Canvas {
  const room = shadowRoom(unit);
  const canvas = createCanvas(Math.ceil(slot.width) + 2 * room, Math.ceil(slot.height) + 2 * room);
  const context = canvas.getContext('2d');
  context.translate(room, room);
  paint(context);
  return canvas;
}

function shadowRoom(unit: number): number {
  return Math.ceil(60 * unit);
}

function withShadow(context: SKRSContext2D, { unit }: CardOptions, paint: () => void): void {
  context.save();
  context.shadowColor = 'rgba(0, 0, 0, 0.38)';
  context.shadowBlur = 34 * unit;
  context.shadowOffsetY = 12 * unit;
  paint();
  context.restore();
}

function smooth(context: SKRSContext2D): SKRSContext2D {
  context.imageSmoothingQuality = 'high';
  return context;
}
