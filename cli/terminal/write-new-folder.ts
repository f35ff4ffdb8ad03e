import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { BundleEntry } from '../../reports/bundle/bundle-entry.js';
import { writeFolder } from '../../reports/bundle/write-folder.js';
import type { CliContext } from './context.js';
import { CliError, exitCodes } from './exit-codes.js';

/**
 * Writes a folder that is not there yet, and gives it its name when it is whole.
 *
 * @param folder as the person named it
 * @throws CliError when there is something of that name, or no folder for it.
 */
export async function writeNewFolder(
  { cwd }: Pick<CliContext, 'cwd'>,
  folder: string,
  entries: AsyncIterable<BundleEntry>,
): Promise<void> {
  const path = resolve(cwd, folder);
  if (await isThere(path)) throw refused(folder, 'it exists; choose another name with --out');
  const part = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  try {
    await makeIn(part, folder);
    await writeFolder(part, entries);
    await rename(part, path).catch((cause) => {
      throw renamed.has(cause.code) ? refused(folder, 'it exists by now; choose another name with --out') : cause;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

const renamed: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

async function makeIn(part: string, folder: string): Promise<void> {
  await mkdir(part).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT')
      throw refused(folder, `there is no folder ${dirname(folder)}; create it, or choose another`);
    throw cause.code === 'ENOTDIR' ? refused(folder, `${dirname(folder)} is not a folder; choose another`) : cause;
  });
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function refused(folder: string, why: string): CliError {
  return new CliError(`Cannot write ${folder}: ${why}`, exitCodes.usage);
}
