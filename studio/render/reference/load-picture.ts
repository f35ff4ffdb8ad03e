import { readFile } from 'node:fs/promises';
import { type Canvas, createCanvas, loadImage } from '@napi-rs/canvas';
import type { MediaSource, MediaTool, Still } from '../media/media-tool.js';
import type { Picture } from './picture.js';

export interface PictureOptions {
  /** Of the result, in pixels: the whole image is in memory only while it is read. */
  readonly largestSide: number;
  readonly onStep: () => void;
}

/** @throws {Error} when the image is damaged */
export async function loadImagePicture(path: string, { largestSide, onStep }: PictureOptions): Promise<Picture> {
  const image = await loadImage(await readFile(path));
  const canvas = scaledTo(image, largestSide);
  if (isBlank(canvas)) throw new Error('the image is damaged: nothing of it can be seen');
  onStep();
  return { stills: [canvas], width: canvas.width, height: canvas.height, cutOut: hasClearCorners(canvas) };
}

/** Where in a film its stills are taken: not at its ends, which are often black. */
const momentShares = [0.15, 0.5, 0.85];

/** @throws {Error} when not one still can be read */
export async function loadFilmPicture(
  source: MediaSource,
  { tool, largestSide, onStep }: PictureOptions & { readonly tool: MediaTool },
): Promise<Picture> {
  const { durationSeconds, rotation } = await filmFacts(source.path);
  const moments = momentShares.map((share) => durationSeconds * share);
  const read = await tool.readStills(source, { moments, largestSide, onStep });
  const stills = read.map((still) => upright(still, tool.turnsStills ? 0 : rotation));
  const [first] = stills;
  if (!first) throw new Error('the film has no picture that can be read');
  return { stills, width: first.width, height: first.height, cutOut: false };
}

async function filmFacts(path: string): Promise<{ readonly durationSeconds: number; readonly rotation: number }> {
  const { ALL_FORMATS, FilePathSource, Input } = await import('mediabunny');
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryVideoTrack();
    return { durationSeconds: await input.computeDuration(), rotation: track?.rotation ?? 0 };
  } finally {
    input.dispose();
  }
}

/** Phones store upright films lying on their side. */
function upright({ width, height, rgba }: Still, rotation: number): Canvas {
  const stored = createCanvas(width, height);
  const image = stored.getContext('2d').createImageData(width, height);
  image.data.set(rgba);
  stored.getContext('2d').putImageData(image, 0, 0);
  if (rotation % 360 === 0) return stored;
  const lying = rotation % 180 !== 0;
  const canvas = createCanvas(lying ? height : width, lying ? width : height);
  const context = canvas.getContext('2d');
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((rotation * Math.PI) / 180);
  context.drawImage(stored, -width / 2, -height / 2);
  return canvas;
}

function scaledTo(
  image: { readonly width: number; readonly height: number } & Parameters<
    ReturnType<Canvas['getContext']>['drawImage']
  >[0],
  largestSide: number,
): Canvas {
  const scale = Math.min(1, largestSide / Math.max(image.width, image.height));
  const canvas = createCanvas(
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  );
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Decoders give what they have of half a file, which may be nothing. */
function isBlank(canvas: Canvas): boolean {
  const small = scaledTo(canvas, 32);
  const { data } = small.getContext('2d').getImageData(0, 0, small.width, small.height);
  return data.every((value, index) => index % 4 !== 3 || value === 0);
}

function hasClearCorners(canvas: Canvas): boolean {
  const context = canvas.getContext('2d');
  const [right, bottom] = [canvas.width - 1, canvas.height - 1];
  const corners = [
    [0, 0],
    [right, 0],
    [0, bottom],
    [right, bottom],
  ] as const;
  return corners.filter(([x, y]) => (context.getImageData(x, y, 1, 1).data[3] ?? 255) < 16).length >= 3;
}
