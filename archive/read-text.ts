import { text } from 'node:stream/consumers';
import type { ArchiveStore } from './archive-store.js';

/** Reads a text of the archive; null if missing. */
export async function readText(store: ArchiveStore, path: string): Promise<string | null> {
  return (await store.stat(path)) ? text(await store.open(path)) : null;
}
