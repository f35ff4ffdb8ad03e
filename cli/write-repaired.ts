import { createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ManifestOptions, ManifestSource } from '../manifests/read-manifest.js';
import { repairedBytes } from '../manifests/repair-manifest.js';
import { type CliContext, CliError, exitCodes } from './context.js';
import { say } from './print.js';

interface Repairing {
  readonly to: string;
  readonly context: CliContext;
}

/** Writes the repaired manifest beside its name and gives it that name when it is whole; no file is overwritten. */
export async function writeRepaired(
  source: ManifestSource,
  options: ManifestOptions,
  { to, context }: Repairing,
): Promise<void> {
  const path = resolve(context.cwd, to);
  const part = `${path}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(repairedBytes(source, options)), createWriteStream(part, { flags: 'wx' }));
    await link(part, path); // unlike a rename, it fails where there is a file
    say(context, `Wrote ${to}`);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new CliError(`Cannot write ${to}: there is a file of that name; name another by --fix`, exitCodes.usage, {
      cause,
    });
  } finally {
    await rm(part, { force: true });
  }
}
