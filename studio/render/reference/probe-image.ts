import { readFile, stat } from 'node:fs/promises';
import { imageSize } from 'image-size';
import { imageDamage } from './image-damage.js';
import { UnsupportedReferenceError } from './unsupported-reference-error.js';

/** Larger than photographs of as many pixels as are allowed. */
const maximumBytes = 128 * 1024 * 1024;
/** Four bytes a pixel once decoded: 256 MB, the most that one image may take of the renderer's memory. */
const maximumPixels = 64_000_000;

/** Size as displayed: a photograph's rotation is taken into account. */
export async function probeImage(
  path: string,
  mimeType: string,
): Promise<{ readonly width: number; readonly height: number }> {
  const { size } = await stat(path);
  if (size > maximumBytes) {
    throw new UnsupportedReferenceError(`the image has ${size} bytes; at most ${maximumBytes} are allowed`);
  }
  const bytes = await readFile(path);
  const { width, height } = readSize(bytes);
  if (width < 1 || height < 1) throw new UnsupportedReferenceError('the image has no pixels');
  if (width * height > maximumPixels) {
    throw new UnsupportedReferenceError(
      `the image has ${width} x ${height} pixels; at most ${maximumPixels / 1_000_000} megapixels are allowed`,
    );
  }
  const damage = imageDamage(bytes, mimeType);
  if (damage !== null) throw new UnsupportedReferenceError(damage);
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
