import { formatOf } from './formats.js';
import { probeMedia } from './probe-media.js';
import type { ReferenceContent } from './probe-reference.js';
import { readDocument } from './read-document.js';

/** Runs in the child: really opens the file, so that what is accepted here can be used later. */
export async function probeContent(path: string, mimeType: string): Promise<ReferenceContent> {
  const kind = formatOf(mimeType)?.kind;
  if (kind === 'image') {
    if (mimeType !== 'image/avif') {
      const { decodeImage } = await import('./decode-image.js');
      await decodeImage(path);
    }
    const { loadImagePicture } = await import('./load-picture.js');
    const { width, height } = await loadImagePicture(path, { largestSide: 256, onStep: () => undefined });
    return { mimeType, kind, width, height, durationSeconds: null };
  }
  if (kind !== 'document') return probeMedia(path, mimeType);
  await readDocument(path, mimeType);
  return { mimeType, kind: 'document', width: null, height: null, durationSeconds: null };
}
