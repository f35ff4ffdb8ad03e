import { createHash } from 'node:crypto';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import pLimit from 'p-limit';
import type { Trouble } from '../../sheets/findings/finding.js';
import { imageProblem } from './image-check.js';
import { createNearFiles, type NearFile, type NearFiles } from './near-file.js';
import { type ReferenceKind, typeOfFile } from './reference-type.js';

export interface LocalFile {
  /** Absolute, with symbolic links followed. */
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly kind: ReferenceKind;
}

/** A file, and what a person should know about it; or why it cannot be used. */
export type LocalFileReading =
  | { readonly file: LocalFile; readonly warning: Trouble | null }
  | { readonly trouble: Trouble };

/** Reads each file once in a run. `known` answers at once for what `look` has read before. */
export interface LocalFiles {
  look(paths: ReadonlySet<string>): Promise<void>;
  known(path: string): LocalFileReading;
}

/** The largest reference that we take when the service does not say. */
const maxBytes = 512 * 1024 * 1024;
/** Disks read a few files at once faster than one by one; more only wait for each other. */
const maxConcurrentReads = 4;

/** Files next to a manifest. None outside its folder is opened, wherever `..` or a symbolic link leads. */
export function createLocalFiles(folder: string): LocalFiles {
  const readings = new Map<string, LocalFileReading>();
  const limit = pLimit(maxConcurrentReads);
  const near = createNearFiles(folder);
  let root: Promise<string> | null = null;
  return {
    async look(paths) {
      root ??= realpath(folder);
      const realFolder = await root;
      const fresh = [...paths].filter((path) => !readings.has(path));
      await Promise.all(
        fresh.map((path) => limit(async () => readings.set(path, await readingOf(path, { folder, realFolder, near })))),
      );
    },
    known(path) {
      const reading = readings.get(path);
      if (!reading) throw new Error(`Cannot tell what ${path} is: it has not been looked at`);
      return reading;
    },
  };
}

interface Places {
  readonly folder: string;
  readonly realFolder: string;
  readonly near: NearFiles;
}

async function readingOf(path: string, { folder, realFolder, near }: Places): Promise<LocalFileReading> {
  const refused = (code: string, message: string): LocalFileReading => ({
    trouble: { severity: 'error', code, message, before: path },
  });
  if (path.includes('\0')) return refused('reference_path', 'it has a NUL character');
  const outside = `"${cut(path)}" is outside of the manifest's folder; copy it into that`;
  const isElsewhere = isAbsolute(path) || /^[a-z]:[\\/]/i.test(path);
  if (isElsewhere || isOutside(resolve(folder, path.replaceAll('\\', '/')), resolve(folder))) {
    return refused('reference_outside', outside);
  }
  let real = await realPathOf(path, folder);
  if (real === null) {
    const other = await near.find(path);
    if (!other?.isSameLook) return refused('reference_missing', missing(path, other));
    real = await realPathOf(other.path, folder);
    if (real === null) return refused('reference_missing', missing(path, null));
  }
  if (typeof real !== 'string') return refused('reference_unreadable', `"${cut(path)}" cannot be read: ${real.code}`);
  if (isOutside(real, realFolder)) return refused('reference_outside', outside);
  try {
    return await readFile(real, path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // from the file system
    return refused('reference_unreadable', `"${cut(path)}" cannot be read: ${code ?? message}`);
  }
}

function missing(path: string, near: NearFile | null): string {
  const address = /^www\.[^/\\\s]+\.[a-z]{2,}(?:\/|$)/i.test(path) ? `; an address begins with https://` : '';
  const meant = near === null ? address : `; there is "${cut(near.path)}"`;
  return `there is no file "${cut(path)}" next to the manifest${meant}`;
}

/** The real path as written, else with the other system's separators. Null when there is no such file. */
async function realPathOf(path: string, folder: string): Promise<string | { readonly code: string } | null> {
  for (const spelling of new Set([path, path.replaceAll('\\', '/')])) {
    try {
      return await realpath(resolve(folder, spelling));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException; // from the file system
      if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ENAMETOOLONG') return { code: code ?? 'unknown' };
    }
  }
  return null;
}

function isOutside(real: string, realFolder: string): boolean {
  const way = relative(realFolder, real);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

async function readFile(real: string, path: string): Promise<LocalFileReading> {
  const refused = (code: string, message: string): LocalFileReading => ({
    trouble: { severity: 'error', code, message, before: path },
  });
  const found = await stat(real);
  if (found.isDirectory()) return refused('reference_folder', `"${cut(path)}" is a folder; name a file in it`);
  // Reading a pipe or a device would wait forever.
  if (!found.isFile()) return refused('reference_type', `"${cut(path)}" is not a regular file`);
  if (found.size === 0) return refused('reference_empty', `"${cut(path)}" is empty`);
  if (found.size > maxBytes) {
    return refused('reference_size', `"${cut(path)}" has ${found.size} bytes; at most ${maxBytes}`);
  }
  const file = await open(real, 'r');
  try {
    const type = await typeOfFile(real, file);
    if ('refused' in type) return refused('reference_type', `"${cut(path)}" cannot be used: ${type.refused}`);
    const problem = type.kind === 'image' ? await imageProblem(real, file) : null;
    const words = problem && `"${cut(path)}" cannot be used: ${problem.words}`;
    if (problem?.kind === 'too large') return refused('reference_pixels', words ?? '');
    if (problem?.kind === 'damaged') return refused('reference_damaged', words ?? '');
    const warning = problem && {
      ...({ severity: 'warning', code: 'reference_doubtful', before: path } as const),
      message: `"${cut(path)}": ${problem.words}`,
    };
    return { file: { path: real, kind: type.kind, ...(await hashOf(file)) }, warning };
  } finally {
    await file.close();
  }
}

async function hashOf(file: FileHandle): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

function cut(path: string): string {
  return path.length > 80 ? `…${path.slice(-79)}` : path;
}
