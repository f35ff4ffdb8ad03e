import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ArchiveNotes } from './archive-store.js';

const Identity = z.object({ archive_id: z.string().min(1) });

const path = 'archive.json';

/**
 * Returns the archive's identity, assigned at the first call: an archive that is moved or copied keeps it. Concurrent
 * first calls all get the same.
 *
 * @throws StorageError when it cannot be read or written; Error when something else is written in its place.
 */
export async function archiveId(notes: ArchiveNotes): Promise<string> {
  const known = await knownArchiveId(notes);
  if (known !== null) return known;
  await notes.create(path, `${JSON.stringify({ archive_id: randomUUID() }, null, 2)}\n`);
  return read((await notes.read(path)) ?? '');
}

/** The same without assigning one: null for an archive that has none yet. */
export async function knownArchiveId(notes: Pick<ArchiveNotes, 'read'>): Promise<string | null> {
  const known = await notes.read(path);
  return known === null ? null : read(known);
}

function read(text: string): string {
  try {
    return Identity.parse(JSON.parse(text)).archive_id;
  } catch (cause) {
    throw new Error(`Cannot read .${path} of the archive: it is not an archive's identity; restore it, or remove it`, {
      cause,
    });
  }
}
