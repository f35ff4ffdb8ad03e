import sharp from 'sharp';
import { isPictureDamage } from '../../../domain/files/picture-damage.js';

/**
 * Decodes a picture to its end, a few rows in memory at a time. Only for the child: it decodes untrusted files.
 *
 * @throws {Error} when a part of it does not decode
 */
export async function decodeImage(path: string): Promise<void> {
  try {
    await sharp(path, { failOn: 'warning', limitInputPixels: false, sequentialRead: true })
      .resize(8, 8, { fit: 'fill', fastShrinkOnLoad: false })
      .raw()
      .toBuffer();
  } catch (cause) {
    if (!isPictureDamage((cause as Error).message)) return;
    throw new Error('the image is damaged: its end is missing, or a part of it was changed', { cause });
  }
}
