import type { FileHandle } from 'node:fs/promises';
import pLimit from 'p-limit';
import { isPictureDamage } from '../../domain/files/picture-damage.js';

/** What is wrong with a picture: `damaged` shows less than it should, `doubtful` shows something. */
export interface ImageProblem {
  readonly kind: 'damaged' | 'doubtful' | 'too large';
  readonly words: string;
}

/** No master is larger; decoded it takes 300 MB. */
const maxMegapixels = 100;

/** Two at once: a file that is not in the order of its rows is held whole while decoding. */
const limit = pLimit(2);

/** Formats whose damage a decoder detects; others are left to the service. */
const knownStarts = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'RIFF'];

/**
 * Decodes a picture to its end: no header shows what a copy or a download left out of the middle. A changed byte may
 * still decode; only the eye finds that.
 *
 * @returns null for a whole picture, and for one that nothing here can decode.
 */
export async function imageProblem(path: string, file: FileHandle): Promise<ImageProblem | null> {
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
  const head = buffer.toString('latin1');
  if (!knownStarts.some((start) => head.startsWith(start))) return null;
  const decoder = await loadDecoder();
  return decoder === null ? null : limit(() => look(decoder, path));
}

type Decoder = (typeof import('sharp'))['default'];

/** Some machines have none. */
async function loadDecoder(): Promise<Decoder | null> {
  try {
    const { default: sharp } = await import('sharp');
    sharp.cache(false); // each file is read once
    return sharp;
  } catch {
    return null;
  }
}

async function look(sharp: Decoder, path: string): Promise<ImageProblem | null> {
  const size = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (size === null) return { kind: 'damaged', words: 'the picture is damaged: it cannot be read' };
  const { width, height } = size;
  if (width * height > maxMegapixels * 1_000_000) {
    const words = `the picture has ${width} x ${height} pixels; at most ${maxMegapixels} megapixels`;
    return { kind: 'too large', words };
  }
  const words = await decoderWords(sharp, path);
  if (words === null) return null;
  return isPictureDamage(words)
    ? { kind: 'damaged', words: 'the picture is damaged: its end is missing, or a part of it was changed' }
    : { kind: 'doubtful', words: 'the picture has parts that its format does not know; look whether it is right' };
}

/** The decoder's complaint; null for none. Small pictures come out, and every byte goes in. */
async function decoderWords(sharp: Decoder, path: string): Promise<string | null> {
  try {
    await sharp(path, { failOn: 'warning', limitInputPixels: false, sequentialRead: true })
      .resize(8, 8, { fit: 'fill', fastShrinkOnLoad: false })
      .raw()
      .toBuffer();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
