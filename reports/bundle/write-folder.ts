import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BundleEntry } from './bundle-entry.js';

/** Writes every entry below a folder that is there and empty. */
export async function writeFolder(folder: string, entries: AsyncIterable<BundleEntry>): Promise<void> {
  const made = new Set<string>();
  for await (const { path, content } of entries) {
    const file = join(folder, path);
    if (!made.has(dirname(file))) await mkdir(dirname(file), { recursive: true });
    made.add(dirname(file));
    await pipeline(content, createWriteStream(file, { flags: 'wx' }));
  }
}
