import type { FileHandle } from 'node:fs/promises';
import pLimit from 'p-limit';

/** What is wrong with a picture: `damaged` shows less than it should, `doubtful` shows something. */
export interface ImageProblem {
  readonly kind: 'damaged' | 'doubtful' | 'too large';
  readonly words: string;
}

/** No master is larger; decoded it takes 300 MB. */
const maxMegapixels = 100;

/** Two at once: what is decoded is held as a whole where the file is not in the order of its rows. */
const limit = pLimit(2);

/** Formats whose damage a decoder tells; others are the service's to judge. */
const knownStarts = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'RIFF'];

/**
 * Decodes a picture to its end: what a copy or a download left out of the middle is seen in no header. A byte that is
 * another one may still decode; nothing but the eye finds that.
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

type Decoder = typeof import('sharp')['default'];

/** There is none for some machines. */
async function loadDecoder(): Promise<Decoder | null> {
  try {
    const { default: sharp } = await import('sharp');
    sharp.cache(false); // each file is looked at once
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
  if ((await decoded(sharp, path, 'warning')) === null) return null;
  const reason = await decoded(sharp, path, 'error');
  return reason === null
    ? { kind: 'doubtful', words: 'the picture may be damaged: a part of it does not decode; look at it' }
    : { kind: 'damaged', words: 'the picture is damaged: its end is missing, or a part of it was changed' };
}

/** Why it does not decode; null where it does. Small pictures come out, and every byte goes in. */
async function decoded(sharp: Decoder, path: string, failOn: 'warning' | 'error'): Promise<string | null> {
  try {
    await sharp(path, { failOn, limitInputPixels: false, sequentialRead: true })
      .resize(8, 8, { fit: 'fill', fastShrinkOnLoad: false })
      .raw()
      .toBuffer();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
