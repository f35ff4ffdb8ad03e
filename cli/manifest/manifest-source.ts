import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileSource, type ManifestSource } from '../../manifests/read-manifest.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import type { FetchSheetOptions } from './fetch-sheet.js';
import { isAddress } from './sheet-address.js';

export interface OpenSource {
  readonly source: ManifestSource;
  /** Gives back what was spooled. */
  close(): Promise<void>;
}

/** As much of standard input as is kept: a million rows with room to spare. A pipe may never end, and a disk does. */
const mostSpooledBytes = 2 * 1024 ** 3;

export interface OpenSourceOptions {
  /** How a sheet at an address is fetched; where there is none, an address is no file. */
  readonly fetching?: () => Promise<FetchSheetOptions>;
  readonly mostBytes?: number;
}

/**
 * The manifest that a command names; `-` is standard input, and an address a sheet elsewhere, each kept in a file until
 * `close`, since it is read twice.
 *
 * @throws CliError when standard input is empty or goes on past `mostBytes`; ManifestError for a file that is none.
 */
export async function openSource(
  { stdin, cwd }: Pick<CliContext, 'stdin' | 'cwd'>,
  path: string,
  { fetching, mostBytes = mostSpooledBytes }: OpenSourceOptions = {},
): Promise<OpenSource> {
  if (fetching && isAddress(path)) {
    const { fetchSheet } = await import('./fetch-sheet.js'); // few manifests are elsewhere
    return fetchSheet(path, await fetching());
  }
  if (path !== '-') {
    return { source: await fileSource(resolve(cwd, path), path), close: async () => {} };
  }
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-stdin-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const spooled = join(folder, 'manifest');
    await pipeline(stdin, atMost(mostBytes), createWriteStream(spooled, { mode: 0o600 }));
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

function atMost(mostBytes: number) {
  return async function* (pieces: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer | string> {
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > mostBytes) {
        const message = `Cannot read standard input: it is longer than ${mostBytes} bytes; pipe a manifest into it`;
        throw new CliError(message, exitCodes.usage);
      }
      yield piece;
    }
  };
}
