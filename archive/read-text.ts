import { text } from 'node:stream/consumers';
import type { ArchiveStore } from './archive-store.js';

/** A text of the archive; null when it is not there. */
export async function readText(store: ArchiveStore, path: string): Promise<string | null> {
  return (await store.stat(path)) ? text(await store.open(path)) : null;
}
