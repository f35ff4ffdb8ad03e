import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readdir, realpath, rmdir, unlink, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ArchiveStore, type Content, type Published, segmentsOf } from './archive-store.js';
import { errnoOf, onDisk, StorageError } from './errors.js';
import { giveName, lstatOrNull } from './give-name.js';

/** Beside the archive, on the same disk, so that publishing is a link and not a copy. Its dot keeps it out of `list`. */
const workName = '.unfinished';

/**
 * A folder as archive; made if it is not there.
 *
 * @throws StorageError when the folder cannot be made or written.
 */
export async function createFileStore(folder: string): Promise<ArchiveStore> {
  const root = await onDisk(`use "${folder}" as archive`, async () => {
    await mkdir(join(folder, workName), { recursive: true });
    return realpath(folder);
  });

  const place = (path: string) => join(root, ...segmentsOf(path));
  /** Links within the archive are a person's choice; one that leads out of it would let a name write anywhere. */
  const inside = async (path: string) => {
    const real = await realpath(path);
    if (real === root || real.startsWith(root + sep)) return real;
    throw new StorageError(
      `Cannot use "${relative(root, path)}" in "${folder}": a link leads out of the archive`,
      'EXDEV',
    );
  };

  /** The real folder of a file, made if it is not there. */
  async function parentOf(path: string): Promise<string> {
    const parent = join(root, ...segmentsOf(path).slice(0, -1));
    try {
      return await inside(parent);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
    // Nothing may be made beyond a link either.
    await inside(await deepestExisting(parent, root));
    await mkdir(parent, { recursive: true });
    return inside(parent);
  }

  /** Names are flat, so that removing one never meets the making of another; `+` occurs in no segment. */
  const work = (segments: readonly string[]) => join(root, workName, segments.join('+'));
  const save = <T>(path: string, doing: () => Promise<T>) => onDisk(`save "${path}" in "${folder}"`, doing);
  const read = <T>(path: string, doing: () => Promise<T>) => onDisk(`read "${path}" in "${folder}"`, doing);

  /** A new name beside the unfinished files of the same folder. */
  const workFile = async (path: string) => {
    const parent = work(segmentsOf(path).slice(0, -1));
    await mkdir(parent, { recursive: true });
    return join(parent, randomUUID());
  };

  async function give(path: string, localFile: string, content: Content): Promise<Published> {
    const target = join(await parentOf(path), basename(path));
    return giveName(target, localFile, { content, copyTo: () => workFile(path) });
  }

  async function giveText(path: string, bytes: Buffer): Promise<Published> {
    const file = await workFile(path);
    try {
      await writeFile(file, bytes, { flag: 'wx', flush: true });
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return await give(path, file, { sha256, sizeBytes: bytes.length });
    } finally {
      await removeFile(file);
    }
  }

  /** Entries of the root that are on the disk for good: batches, each with many movies to come. */
  const lasting = new Set<string>();
  async function syncUpwards([batch = '', ...below]: readonly string[]): Promise<void> {
    for (let depth = below.length; depth >= 0; depth -= 1) {
      await syncFolder(join(root, batch, ...below.slice(0, depth)));
    }
    if (!lasting.has(batch)) await syncFolder(root);
    lasting.add(batch);
  }

  return {
    url: pathToFileURL(root).href,
    workFolder: (folder) =>
      save(folder, async () => {
        const path = work(segmentsOf(folder));
        await mkdir(path, { recursive: true });
        return path;
      }),
    dropWork: (folder) => save(folder, () => removeFlat(work(segmentsOf(folder)))),
    publish: (path, localFile, content) => save(path, () => give(path, localFile, content)),
    writeText: (path, text) => save(path, () => giveText(path, Buffer.from(text))),
    sync: (folder) => save(folder, () => syncUpwards(segmentsOf(folder))),
    stat: (path) =>
      read(path, async () => {
        try {
          const found = await lstat(place(path));
          await inside(place(path));
          return found.isFile() ? { sizeBytes: found.size } : null;
        } catch (error) {
          if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null;
          throw error;
        }
      }),
    open: (path) =>
      read(path, async () => {
        const handle = await open(await inside(place(path)), 'r');
        return handle.createReadStream({ highWaterMark: 1024 * 1024 });
      }),
    list: (folder) => read(folder, () => filesBelow(place(folder), folder)),
  };
}

async function filesBelow(folder: string, prefix: string): Promise<readonly string[]> {
  const found: string[] = [];
  let entries: Awaited<ReturnType<typeof readEntries>>;
  try {
    entries = await readEntries(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = `${prefix}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(join(folder, entry.name), path)));
    else if (entry.isFile()) found.push(path);
  }
  return found.sort();
}

function readEntries(folder: string) {
  return readdir(folder, { withFileTypes: true });
}

/** Work folders hold files only: this takes a third of the calls that a removal of any tree takes. */
async function removeFlat(folder: string): Promise<void> {
  try {
    for (const name of await readdir(folder)) await removeFile(join(folder, name));
    await rmdir(folder);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

async function deepestExisting(path: string, root: string): Promise<string> {
  return path === root || (await lstatOrNull(path)) ? path : deepestExisting(join(path, '..'), root);
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Windows has no such call for folders, some network disks neither.
    if (!['EPERM', 'EINVAL', 'ENOTSUP'].includes(errnoOf(error) ?? '')) throw error;
  } finally {
    await handle.close();
  }
}
