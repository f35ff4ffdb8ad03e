import { formatOf } from './formats.js';
import { probeMedia } from './probe-media.js';
import type { ReferenceContent } from './probe-reference.js';
import { readDocument } from './read-document.js';

/** Runs in the child: opens the file for good, so that what is accepted here can be used later. */
export async function probeContent(path: string, mimeType: string): Promise<ReferenceContent> {
  if (formatOf(mimeType)?.kind !== 'document') return probeMedia(path, mimeType);
  await readDocument(path, mimeType);
  return { mimeType, kind: 'document', width: null, height: null, durationSeconds: null };
}
