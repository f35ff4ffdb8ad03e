import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { type ArchiveFolder, type Content, checkedName, type Published } from '../archive-store.js';
import { errnoOf, onDisk } from '../errors.js';
import { type FolderSyncs, syncFolder } from './folder-syncs.js';
import { linkOrCopy } from './link-or-copy.js';
import { syncPath } from './sync-file.js';

/**
 * Unfinished files lie next to the finished ones, so that publishing is a link within one folder: a work folder for
 * each movie costs more than everything else that is written for it. The dot keeps them out of sight.
 */
const workPrefix = '.unfinished-';

/** A movie has about four files; a service may list thousands, and each is open meanwhile. */
const maxConcurrentConfirms = 16;

export interface FileFolderOptions {
  /** The folder's real path. */
  readonly path: string;
  /** Whether it was created just now and is empty. */
  readonly isNew: boolean;
  /** Real path of the archive. */
  readonly root: string;
  /** Folders whose entry in their parent survives a power cut; kept by the store. */
  readonly lasting: Set<string>;
  /** One for the store: the movies of a batch share a parent. */
  readonly parents: FolderSyncs;
}

/** One folder of a folder archive. */
export async function openFileFolder({
  path,
  isNew,
  root,
  lasting,
  parents,
}: FileFolderOptions): Promise<ArchiveFolder> {
  const names = isNew ? [] : await onDisk(`read "${path}"`, () => readdirSync(path));
  const save = <T>(name: string, doing: () => T | Promise<T>) => onDisk(`save "${join(path, name)}"`, doing);
  const workFile = () => join(path, `${workPrefix}${randomUUID()}`);
  const give = (name: string, localFile: string, content: Content) =>
    linkOrCopy(join(path, name), localFile, { content, copyTo: workFile });

  async function giveText(name: string, bytes: Buffer): Promise<Published> {
    const file = workFile();
    try {
      writeFileSync(file, bytes, { flag: 'wx' });
      await syncPath(file, 'r+');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return await give(name, file, { sha256, sizeBytes: bytes.length });
    } finally {
      removeFile(file);
    }
  }

  /** A folder's own entry is in its parent, and so on up. Only the parents are worth remembering: they serve many. */
  async function syncUpwards(): Promise<void> {
    await syncFolder(path);
    for (let child = path; child !== root && !lasting.has(child); child = dirname(child)) {
      await parents.sync(dirname(child));
      if (child !== path) lasting.add(child);
    }
  }

  return {
    work: { path, prefix: workPrefix, entries: names.filter((name) => name.startsWith(workPrefix)) },
    confirm: (localFiles) =>
      save('', async () => {
        await pLimit(maxConcurrentConfirms).map(localFiles, confirmOrRemove);
      }),
    publish: async (name, localFile, content) => save(checkedName(name), () => give(name, localFile, content)),
    writeText: async (name, text) => save(checkedName(name), () => giveText(name, Buffer.from(text))),
    sync: () => save('', syncUpwards),
    dropWork: () =>
      save('', () => {
        for (const name of readdirSync(path)) {
          if (name.startsWith(workPrefix)) removeFile(join(path, name));
        }
      }),
  };
}

/**
 * Removes a file that the disk did not take: asked a second time, systems report success, and reads come from memory.
 */
async function confirmOrRemove(path: string): Promise<void> {
  try {
    await syncPath(path, 'r+');
  } catch (error) {
    removeFile(path);
    throw error;
  }
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
