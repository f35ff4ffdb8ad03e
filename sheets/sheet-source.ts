import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { fileError, type ManifestError } from './findings/manifest-error.js';
import { foreignAddress, foreignFolder } from './foreign-file.js';

/** The bytes of a manifest. Standard input is spooled into a file first, since a manifest is read more than once. */
export interface ManifestSource {
  /** Shown to people; its stem is the campaign if nothing else names one. */
  readonly name: string;
  /** Used instead of that stem, if the name has none. */
  readonly campaign?: string;
  /** References are relative to it, and none may lie outside it. */
  readonly folder: string;
  /** Opens a fresh stream of the same bytes each time. */
  open(): Readable;
}

/** Bytes that a stream reads from the disk at a time. */
const chunkBytes = 64 * 1024;

/**
 * Opens a manifest on this machine.
 *
 * @param name as the person wrote it, for messages; the path by default
 * @throws ManifestError when there is no such file, or it is a folder, empty or unreadable.
 */
export async function fileSource(path: string, name = path): Promise<ManifestSource> {
  const absolute = resolve(path);
  const address = foreignAddress(name);
  if (address !== null) throw fileError('not_a_file', `${name} cannot be used: ${address}`);
  const { isFile, isFolder, size } = await look(name, absolute);
  const foreign = isFolder ? foreignFolder(name) : null;
  if (foreign !== null) throw fileError('not_a_manifest', `${name} cannot be used: ${foreign}`);
  if (isFolder) throw fileError('not_a_file', `${name} is a folder, and a manifest is a CSV, XLSX or YAML file`);
  if (!isFile) throw fileError('not_a_file', `${name} is not a regular file; save it to one first`);
  if (size === 0) throw fileError('empty_file', `${name} is empty`);
  await access(absolute, constants.R_OK).catch((cause) => {
    throw fileError('unreadable_file', `${name} cannot be read: no permission; check its permissions`, { cause });
  });
  return {
    name,
    folder: dirname(absolute),
    open: () => createReadStream(absolute, { highWaterMark: chunkBytes }),
  };
}

async function look(name: string, absolute: string) {
  try {
    const found = await stat(absolute);
    return { isFile: found.isFile(), isFolder: found.isDirectory(), size: found.size };
  } catch (cause) {
    throw explain(name, cause);
  }
}

function explain(name: string, cause: unknown): ManifestError {
  const { code, message } = cause as NodeJS.ErrnoException; // from the file system
  if (code === 'ENOENT') return fileError('missing_file', `there is no file ${name}`, { cause });
  return fileError('unreadable_file', `${name} cannot be read: ${code ?? message}`, { cause });
}
