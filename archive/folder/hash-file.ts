import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Content } from '../archive-store.js';

/** Reads a stream to its end. */
export async function contentOf(stream: Readable): Promise<Content> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of stream) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

/** Reads a local file to its end. */
export function hashFile(file: string): Promise<Content> {
  return contentOf(createReadStream(file, { highWaterMark: 1024 * 1024 }));
}
