import { constants, createWriteStream } from 'node:fs';
import { copyFile, link, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CliContext } from './context.js';
import { CliError, exitCodes } from './exit-codes.js';

/**
 * Writes a file that is not there yet, and gives it its name when it is whole: what is there may be somebody's work.
 *
 * @param file as the person named it
 * @param replace whether it may take the place of what is there
 * @throws CliError when there is a file of that name, or no folder for it.
 */
export async function writeNewFile(
  { cwd }: Pick<CliContext, 'cwd'>,
  file: string,
  content: AsyncIterable<Buffer> | readonly Buffer[],
  { replace = false }: { readonly replace?: boolean } = {},
): Promise<void> {
  if (file === '-') throw new CliError('Cannot write to -: name a file', exitCodes.usage);
  const path = resolve(cwd, file);
  const part = `${path}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(content), createWriteStream(part, { flags: 'wx' }));
    await (replace ? rename(part, path) : publish(part, path));
  } catch (cause) {
    throw explained(file, cause as NodeJS.ErrnoException, part);
  } finally {
    await rm(part, { force: true }).catch(() => undefined); // where its folder is none, there is nothing to remove
  }
}

/** Unlike a rename, neither way overwrites; a disk without links gets a copy. */
async function publish(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // from the file system
    if (code === undefined || !linkless.has(code)) throw error;
    await copyFile(part, path, constants.COPYFILE_EXCL);
  }
}

const linkless: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK']);

function explained(file: string, cause: NodeJS.ErrnoException, part: string): unknown {
  const refused = (why: string) => new CliError(`Cannot write ${file}: ${why}`, exitCodes.usage, { cause });
  if (cause.code === 'EEXIST') return refused('the file exists; choose another name');
  if (cause.path !== part) return cause;
  if (cause.code === 'ENOENT') return refused(`there is no folder ${dirname(file)}; create it, or choose another`);
  return cause.code === 'ENOTDIR' ? refused(`${dirname(file)} is not a folder; choose another`) : cause;
}
