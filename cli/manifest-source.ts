import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileSource, type ManifestSource } from '../manifests/read-manifest.js';
import { type CliContext, CliError, exitCodes } from './context.js';

export interface OpenSource {
  readonly source: ManifestSource;
  /** Gives back what was spooled. */
  close(): Promise<void>;
}

/** The manifest that a command names; `-` is standard input, kept in a file until `close`, since it is read twice. */
export async function openSource({ stdin, cwd }: Pick<CliContext, 'stdin' | 'cwd'>, path: string): Promise<OpenSource> {
  if (path !== '-') {
    return { source: await fileSource(resolve(cwd, path), path), close: async () => {} };
  }
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-stdin-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const spooled = join(folder, 'manifest');
    await pipeline(stdin, createWriteStream(spooled, { mode: 0o600 }));
    if ((await stat(spooled)).size === 0) {
      throw new CliError('Cannot read standard input: it is empty; pipe a manifest into it', exitCodes.usage);
    }
    const source = { name: 'standard input', folder: cwd, open: () => createReadStream(spooled) };
    return { source, close };
  } catch (error) {
    await close();
    throw error;
  }
}
