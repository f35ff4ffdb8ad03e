import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeUnfinished, unfinishedName } from '../../processes/unfinished-files.js';
import { type ArchiveNotes, segmentsOf } from '../archive-store.js';
import { errnoOf, onDisk } from '../errors.js';
import { folderEntries } from './folder-entries.js';
import { linkOrCopy } from './link-or-copy.js';

/** Notes as small files of a folder archive, behind a dot. Nothing is created before the first one is written. */
export function createFileNotes(root: string): ArchiveNotes {
  const place = (path: string) => join(root, `.${segmentsOf(path).join('/')}`);
  const on = <T>(doing: string, work: () => Promise<T>) => onDisk(`${doing} the notes of "${root}"`, work);

  /** Calls `use` with a file that holds the text, and removes it afterwards. */
  async function withPart<T>(path: string, text: string, use: (part: string) => Promise<T>): Promise<T> {
    const folder = dirname(place(path));
    if (folder !== root) await mkdir(folder, { recursive: true });
    await removeUnfinished(folder);
    const part = join(folder, unfinishedName());
    try {
      await writeFile(part, text, { flag: 'wx', flush: true });
      return await use(part);
    } finally {
      await rm(part, { force: true });
    }
  }

  return {
    list: (folder) =>
      on('read', async () => {
        // Whoever begins looks at them, and may have nothing more to write. Where nobody may change anything, they stay.
        await removeUnfinished(place(folder)).catch(() => undefined);
        const names = (await folderEntries(place(folder))).map(({ name }) => name);
        return names
          .filter((name) => !name.startsWith('.'))
          .sort()
          .map((name) => `${folder}/${name}`);
      }),
    read: (path) => on('read', () => ifThere(readFile(place(path), 'utf8'))),
    create: (path, text) => on('write', () => withPart(path, text, (part) => nameOnce(part, place(path)))),
    write: (path, text) => on('write', () => withPart(path, text, (part) => rename(part, place(path)))),
    remove: (path) => on('remove', () => rm(place(path), { force: true })),
  };
}

/** Equals no file: the name of an existing note is taken, whatever it says. */
const anyContent = { sha256: '', sizeBytes: -1 };

async function nameOnce(part: string, target: string): Promise<'created' | 'taken'> {
  const given = await linkOrCopy(target, part, { content: anyContent, copyTo: () => `${part}.copy` });
  return given === 'published' ? 'created' : 'taken';
}

async function ifThere(reading: Promise<string>): Promise<string | null> {
  try {
    return await reading;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ESRCH') return null; // ended while it was read
    throw error;
  }
}
