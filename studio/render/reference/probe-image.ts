import { open } from 'node:fs/promises';
import { imageSize } from 'image-size';
import { UnsupportedReferenceError } from './unsupported-reference-error.js';

/** Headers come first; embedded colour profiles and thumbnails of real photographs stay well below this. */
const headerBytes = 1024 * 1024;
/** Four bytes a pixel once decoded: 256 MB, the most that one image may take of the renderer's memory. */
const maximumPixels = 64_000_000;

/** Size as it is looked at: a photograph's turned side is taken into account. */
export async function probeImage(path: string): Promise<{ readonly width: number; readonly height: number }> {
  const { width, height } = readSize(await firstBytes(path));
  if (width < 1 || height < 1) throw new UnsupportedReferenceError('the image has no pixels');
  if (width * height > maximumPixels) {
    throw new UnsupportedReferenceError(
      `the image has ${width} x ${height} pixels; at most ${maximumPixels / 1_000_000} megapixels would do`,
    );
  }
  return { width, height };
}

function readSize(header: Uint8Array): { readonly width: number; readonly height: number } {
  try {
    const { width, height, orientation } = imageSize(header);
    const lying = orientation !== undefined && orientation >= 5;
    return lying ? { width: height, height: width } : { width, height };
  } catch (cause) {
    throw new UnsupportedReferenceError('the image has no readable header', { cause });
  }
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
