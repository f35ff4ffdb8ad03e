import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { withAlpha } from '../look/colour.js';
import { between } from '../random.js';
import type { Picture } from '../reference/picture.js';
import { clamp01, easeInOut } from './easing.js';
import type { Painter, SettingOptions } from './painter.js';

/** How much larger than the frame the picture is prepared: room for the camera, and in every second view a closer look. */
const sizes = [1.12, 1.46] as const;

/** A picture as the place of a view: it fills the frame, the camera moves over it, the film's colours lie on it. */
export function locationPainter(picture: Picture, options: SettingOptions): Painter {
  const { width, height, random } = options;
  const stills = picture.stills.map((still) => prepare(still, options));
  const direction = { x: between(random, -1, 1), y: between(random, -0.6, 0.6) };
  const closer = random() < 0.5;

  return (context, { progress }) => {
    const eased = clamp01(progress);
    const zoom = 1 + 0.06 * (closer ? eased : 1 - eased);
    const draw = (canvas: Canvas) => {
      context.save();
      context.translate(width / 2, height / 2);
      context.scale(zoom, zoom);
      const [roomX, roomY] = [(canvas.width - width) / 2, (canvas.height - height) / 2];
      context.drawImage(
        canvas,
        -canvas.width / 2 + roomX * direction.x * (eased * 2 - 1),
        -canvas.height / 2 + roomY * direction.y * (eased * 2 - 1),
      );
      context.restore();
    };
    const position = eased * (stills.length - 1);
    const [shown, next] = [stills[Math.floor(position)], stills[Math.ceil(position)]];
    if (shown) draw(shown);
    if (next && next !== shown) {
      context.globalAlpha = easeInOut(position % 1);
      draw(next);
      context.globalAlpha = 1;
    }
  };
}

function prepare(still: Canvas, { width, height, palette, variant }: SettingOptions): Canvas {
  const size = sizes[variant % 2 === 0 ? 0 : 1];
  const canvas = createCanvas(Math.ceil(width * size), Math.ceil(height * size));
  const context = canvas.getContext('2d');
  const scale = Math.max(canvas.width / still.width, canvas.height / still.height);
  const [across, down] = [still.width * scale, still.height * scale];
  context.imageSmoothingQuality = 'high';
  context.drawImage(still, (canvas.width - across) / 2, (canvas.height - down) / 2, across, down);
  const tint = context.createLinearGradient(0, 0, 0, canvas.height);
  tint.addColorStop(0, withAlpha(palette.sky[0], 0.16));
  tint.addColorStop(1, withAlpha(palette.ground, 0.3));
  context.fillStyle = tint;
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas;
}
