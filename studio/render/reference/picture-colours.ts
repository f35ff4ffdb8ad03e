import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { fromRgb, type Oklch } from '../look/colour.js';
import type { PaletteRecipe } from '../look/palette.js';

const side = 48;
const sectors = 24;
/** Hues closer than this are the same colour to the eye. */
const apartDegrees = 50;

/** The palette that a picture suggests: its strongest hue, the strongest one far from it, and how light and colourful it is. */
export function coloursOf(picture: Canvas): PaletteRecipe {
  const pixels = pixelsOf(picture);
  const weights = new Float64Array(sectors);
  for (const { chroma, hue } of pixels) {
    const sector = Math.floor((hue / 360) * sectors) % sectors;
    if (chroma > 0.02) weights[sector] = (weights[sector] ?? 0) + chroma;
  }
  const lightness = mean(pixels.map((pixel) => pixel.lightness));
  const tone = lightness > 0.74 ? 'light' : 'dark';
  const main = strongest(weights, () => true);
  if (main === null) return { hue: 0, accentHue: 0, strength: 0, tone };
  const accent = strongest(weights, (hue) => Math.abs(((hue - main + 540) % 360) - 180) > apartDegrees) ?? main;
  const strength = Math.min(1.3, Math.max(0.35, mean(pixels.map(({ chroma }) => chroma)) / 0.1));
  return { hue: main, accentHue: accent, strength, tone };
}

function strongest(weights: Float64Array, wanted: (hue: number) => boolean): number | null {
  let best: number | null = null;
  let heaviest = 0;
  for (const [sector, weight] of weights.entries()) {
    const hue = ((sector + 0.5) / sectors) * 360;
    if (weight > heaviest && wanted(hue)) [best, heaviest] = [hue, weight];
  }
  return best;
}

function pixelsOf(picture: Canvas): readonly Oklch[] {
  const canvas = createCanvas(side, side);
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0, side, side);
  const { data } = context.getImageData(0, 0, side, side);
  const pixels: Oklch[] = [];
  for (let index = 0; index < data.length; index += 4) {
    if ((data[index + 3] ?? 0) > 128)
      pixels.push(fromRgb([data[index] ?? 0, data[index + 1] ?? 0, data[index + 2] ?? 0]));
  }
  return pixels;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
