import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { BundleEntry } from '../../reports/bundle/bundle-entry.js';
import { checksumsName, listedChecksums } from '../../reports/bundle/checksums-file.js';
import { writeFolder } from '../../reports/bundle/write-folder.js';
import type { CliContext } from './context.js';
import { CliError, exitCodes } from './exit-codes.js';

/**
 * Writes a folder, and gives it its name when it is whole.
 *
 * @param folder as the person named it
 * @param replace whether it may take the place of an older bundle in which nothing else lies
 * @throws CliError when there is something of that name that stays, or no folder for it.
 */
export async function writeNewFolder(
  { cwd }: Pick<CliContext, 'cwd'>,
  folder: string,
  { entries, replace }: { readonly entries: AsyncIterable<BundleEntry>; readonly replace: boolean },
): Promise<void> {
  const path = resolve(cwd, folder);
  const older = await isThere(path);
  if (older && !replace) throw refused(folder, 'it exists; choose another name with --out, or --replace it');
  if (older) await requireBundle(path, folder);
  const hidden = () => join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  const [part, aside] = [hidden(), hidden()];
  try {
    await makeIn(part, folder);
    await writeFolder(part, entries);
    if (older) await rename(path, aside);
    await rename(part, path).catch(async (cause) => {
      if (older) await rename(aside, path);
      throw taken.has(cause.code) ? refused(folder, 'it already exists; choose another name with --out') : cause;
    });
    await rm(aside, { recursive: true, force: true });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

const taken: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

/** What somebody put beside the files of a bundle is theirs. */
async function requireBundle(path: string, folder: string): Promise<void> {
  const text = await readFile(join(path, checksumsName), 'utf8').catch(() => null);
  const listed = text === null ? null : listedChecksums(text);
  if (listed === null) throw refused(folder, 'it is not a bundle; choose another name with --out');
  const own = new Set([checksumsName, ...listed.map((file) => file.path)]);
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    const name = relative(path, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (entry.isDirectory() || own.has(name)) continue;
    throw refused(folder, `${name} in it is not of the bundle; move it away, or choose another name with --out`);
  }
}

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
