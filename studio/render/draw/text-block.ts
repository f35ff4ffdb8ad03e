import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { withAlpha } from '../look/colour.js';
import type { Entrance } from '../look/look.js';
import type { Palette } from '../look/palette.js';
import type { Box } from '../plan/composition.js';
import type { SetText, Typesetter } from '../text/typesetter.js';
import { easeOut, overshoot, ramp } from './easing.js';

/** Draws a text `since` seconds after it came in; it is gone at `left` 0. */
export type TextPainter = (context: SKRSContext2D, time: { readonly since: number; readonly left: number }) => void;

export interface TextBlockOptions {
  readonly typesetter: Typesetter;
  readonly box: Box;
  readonly palette: Palette;
  readonly entrance: Entrance;
  readonly unit: number;
}

interface Line {
  readonly canvas: Canvas;
  readonly x: number;
  readonly y: number;
}

const leaveSeconds = 0.22;
/** Of the stroke above the first line. */
const barRoom = 40;

/** Stands on the lower edge of its box. Each line is drawn once, with its shadow, and moved as a picture. */
export function textBlock(set: SetText, options: TextBlockOptions): TextPainter {
  const { box, palette, entrance, unit } = options;
  const margin = Math.ceil(set.sizePx * 0.5);
  const height = set.lines.length * set.lineHeightPx;
  const top = box.y + box.height - height;
  const lines = set.shownLines.map((text, index) =>
    bakeLine(text, { ...options, set, margin, top: top + index * set.lineHeightPx }),
  );
  const calm = calmGround(lines, { ...options, margin });
  const rightToLeft = set.direction === 'rtl';
  const bar = {
    x: rightToLeft ? box.x + box.width : box.x,
    y: top - 30 * unit,
    length: 64 * unit * (rightToLeft ? -1 : 1),
    thick: 6 * unit,
  };

  return (context, { since, left }) => {
    const presence = ramp(left, 0, leaveSeconds);
    context.globalAlpha = presence * easeOut(ramp(since, 0, 0.4));
    context.drawImage(calm.canvas, calm.x, calm.y);
    context.fillStyle = palette.accent;
    context.globalAlpha = presence;
    context.fillRect(bar.x, bar.y, bar.length * easeOut(ramp(since, 0, 0.5)), bar.thick);
    for (const [index, line] of lines.entries()) {
      const arrived = ramp(
        since,
        0.06 + index * Math.min(0.1, 0.5 / lines.length),
        0.06 + index * Math.min(0.1, 0.5 / lines.length) + enterSeconds[entrance],
      );
      if (arrived > 0)
        enter(context, { line, entrance, arrived, presence, rightToLeft, lineHeightPx: set.lineHeightPx });
    }
    context.globalAlpha = 1;
  };
}

/** The film's ground behind the words, without an edge: no roof, branch or lamp is read as a part of a letter. */
function calmGround(
  lines: readonly Line[],
  { palette, unit, margin }: TextBlockOptions & { readonly margin: number },
): Line {
  const edge = Math.ceil(190 * unit);
  const [x, y] = [Math.min(...lines.map((line) => line.x)), Math.min(...lines.map((line) => line.y))];
  const right = Math.max(...lines.map((line) => line.x + line.canvas.width));
  const bottom = Math.max(...lines.map((line) => line.y + line.canvas.height));
  const canvas = createCanvas(right - x + 2 * edge, bottom - y + 2 * edge);
  const context = canvas.getContext('2d');
  context.filter = `blur(${Math.max(1, edge / 3.2)}px)`;
  context.fillStyle = withAlpha(palette.ground, palette.tone === 'dark' ? 0.68 : 0.8);
  const [across, down] = [right - x - 2 * margin, bottom - y - 2 * margin];
  context.fillRect(edge + margin, edge + margin - barRoom * unit, across, down + barRoom * unit);
  return { canvas, x: x - edge, y: y - edge };
}

const enterSeconds: Readonly<Record<Entrance, number>> = { rise: 0.6, fade: 0.8, wipe: 0.55, snap: 0.32 };

interface Entering {
  readonly line: Line;
  readonly entrance: Entrance;
  readonly arrived: number;
  readonly presence: number;
  readonly rightToLeft: boolean;
  readonly lineHeightPx: number;
}

function enter(
  context: SKRSContext2D,
  { line, entrance, arrived, presence, rightToLeft, lineHeightPx }: Entering,
): void {
  const { canvas, x, y } = line;
  const eased = easeOut(arrived);
  context.save();
  context.globalAlpha = presence * (entrance === 'fade' ? eased : Math.min(1, arrived * 4));
  if (arrived < 1 && entrance === 'rise') {
    context.beginPath();
    context.rect(x, y, canvas.width, canvas.height);
    context.clip();
    context.translate(0, (1 - eased) * lineHeightPx);
  } else if (arrived < 1 && entrance === 'fade') {
    context.translate(0, (1 - eased) * lineHeightPx * 0.18);
  } else if (arrived < 1 && entrance === 'wipe') {
    context.beginPath();
    context.rect(rightToLeft ? x + canvas.width * (1 - eased) : x, y, canvas.width * eased, canvas.height);
    context.clip();
  } else if (arrived < 1) {
    const scale = 0.86 + 0.14 * overshoot(arrived);
    context.translate(rightToLeft ? x + canvas.width : x, y + canvas.height / 2);
    context.scale(scale, scale);
    context.translate(rightToLeft ? -x - canvas.width : -x, -y - canvas.height / 2);
  }
  context.drawImage(canvas, x, y);
  context.restore();
}

function bakeLine(
  text: string,
  {
    typesetter,
    box,
    palette,
    unit,
    set,
    margin,
    top,
  }: TextBlockOptions & { readonly set: SetText; readonly margin: number; readonly top: number },
): Line {
  const measuring = createCanvas(1, 1).getContext('2d');
  typesetter.prepare(measuring, { text, voice: set.voice, sizePx: set.sizePx });
  const { width, actualBoundingBoxAscent, actualBoundingBoxDescent } = measuring.measureText(text);
  const above = Math.ceil(Math.max(set.sizePx, actualBoundingBoxAscent)) + margin;
  const below = Math.ceil(Math.max(set.sizePx * 0.3, actualBoundingBoxDescent)) + margin;
  const canvas = createCanvas(Math.ceil(width) + 2 * margin, above + below);
  const context = canvas.getContext('2d');
  typesetter.prepare(context, { text, voice: set.voice, sizePx: set.sizePx });
  context.direction = set.direction;
  context.textAlign = set.direction === 'rtl' ? 'right' : 'left';
  context.fillStyle = palette.ink;
  context.shadowColor = withAlpha(palette.ground, palette.tone === 'dark' ? 0.6 : 0.9);
  context.shadowBlur = 16 * unit;
  const inset = set.direction === 'rtl' ? canvas.width - margin : margin;
  context.fillText(text, inset, above);
  const x = set.direction === 'rtl' ? box.x + box.width - canvas.width + margin : box.x - margin;
  const baseline = top + set.lineHeightPx * 0.5 + set.sizePx * 0.36;
  return { canvas, x: Math.round(x), y: Math.round(baseline - above) };
}
