import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startTimeOf } from './start-time.js';

/** A name, of no other file, for one that this process writes until it gets its own name. */
export function unfinishedName(name = ''): string {
  const writer = `${hostname()}-${process.pid}-${startTimeOf(process.pid) ?? ''}`;
  return `.${writer}-${randomUUID()}${name === '' ? '' : `.${name}`}.part`;
}

const form =
  /^\.(?<host>.+)-(?<pid>\d+)-(?<start>\w*)-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\..+)?\.part(\.copy)?$/;

/**
 * Removes what killed processes of this machine left unfinished in a folder, which may not be there; others may still be
 * writing theirs. A process id alone proves nothing: it is used again, in a container that starts again at once.
 */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const { host, pid, start } = form.exec(name)?.groups ?? {};
    if (host === hostname() && startTimeOf(Number(pid)) !== start) await rm(join(folder, name), { force: true });
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
