import { constants } from 'node:fs';
import { access, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ArchiveStore, type ByteRange, isSegment, segmentsOf } from '../archive-store.js';
import { errnoOf, onDisk } from '../errors.js';
import { createFence } from './fence.js';
import { openFileFolder } from './file-folder.js';
import { createFileNotes } from './file-notes.js';
import { folderEntries } from './folder-entries.js';
import { FolderSyncs } from './folder-syncs.js';

/**
 * Opens a folder as an archive; creates it if missing.
 *
 * @throws StorageError when the folder cannot be created or written.
 */
export async function createFileStore(folder: string): Promise<ArchiveStore> {
  const use = <T>(doing: () => Promise<T>) => onDisk(`use "${folder}" as archive`, doing);
  const root = await use(async () => {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
    return realpath(folder);
  });
  const fence = createFence(root);
  const lasting = new Set<string>();
  const parents = new FolderSyncs();
  const place = (path: string) => join(root, ...segmentsOf(path));
  const read = <T>(path: string, doing: () => Promise<T>) => onDisk(`read "${path}" in "${folder}"`, doing);

  return {
    url: pathToFileURL(root).href,
    notes: createFileNotes(root),
    openFolder: async (path) => {
      const found = await onDisk(`open "${path}" in "${folder}"`, () => fence.folder(place(path)));
      return openFileFolder({ ...found, root, lasting, parents });
    },
    stat: (path) => read(path, () => statFile(path)),
    open: (path, range) => read(path, () => openFile(path, range)),
    list: (path) => read(path, () => filesBelow(place(path), path)),
    folders: (below = '') => read(below, () => foldersIn(below === '' ? root : place(below), below)),
    presign: null,
    check: () => use(() => access(root, constants.W_OK | constants.X_OK)),
  };

  async function openFile(path: string, range: ByteRange | undefined) {
    const handle = await open(fence.inside(place(path)), 'r');
    return handle.createReadStream({ highWaterMark: 1024 * 1024, ...range });
  }

  async function statFile(path: string): Promise<{ readonly sizeBytes: number } | null> {
    try {
      const found = await lstat(place(path));
      fence.inside(place(path));
      return found.isFile() ? { sizeBytes: found.size } : null;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null;
      throw error;
    }
  }
}

async function filesBelow(folder: string, prefix: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await folderEntries(folder)) {
    if (!isSegment(entry.name)) continue;
    const path = `${prefix}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(join(folder, entry.name), path)));
    else if (entry.isFile()) found.push(path);
  }
  return found.sort();
}

async function foldersIn(folder: string, below: string): Promise<readonly string[]> {
  const entries = await folderEntries(folder);
  const names = entries.flatMap((entry) => (entry.isDirectory() && isSegment(entry.name) ? entry.name : []));
  return names.sort().map((name) => (below === '' ? name : `${below}/${name}`));
}
