import { readFile } from 'node:fs/promises';
import { type Canvas, createCanvas, loadImage } from '@napi-rs/canvas';
import type { Picture } from './picture.js';

/**
 * Decodes an image and keeps it no larger than needed: the whole of it is in memory only while it is read.
 *
 * @param largestSide in pixels of the result
 * @throws {Error} when the image is damaged
 */
export async function loadPicture(path: string, largestSide: number): Promise<Picture> {
  const image = await loadImage(await readFile(path));
  const scale = Math.min(1, largestSide / Math.max(image.width, image.height));
  const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = createCanvas(width ?? 1, height ?? 1);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return { stills: [canvas], width: canvas.width, height: canvas.height, cutOut: hasClearCorners(canvas) };
}

function hasClearCorners(canvas: Canvas): boolean {
  const context = canvas.getContext('2d');
  const corners = [
    [0, 0],
    [canvas.width - 1, 0],
    [0, canvas.height - 1],
    [canvas.width - 1, canvas.height - 1],
  ] as const;
  return corners.filter(([x, y]) => (context.getImageData(x, y, 1, 1).data[3] ?? 255) < 16).length >= 3;
}
