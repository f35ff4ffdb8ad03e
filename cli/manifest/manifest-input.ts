import { join } from 'node:path';
import type { Config } from '../../home/config.js';
import { ManifestError, type ManifestOptions } from '../../manifests/read-manifest.js';
import { type OpenManifest, openManifest } from '../../operations/open-manifest.js';
import type { RemoteFiles } from '../../pricing/reference-uploader.js';
import type { RemoteFilesOptions } from '../../pricing/remote-files.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { type ManifestFlags, settingFlags } from './manifest-flags.js';
import { openSource } from './manifest-source.js';

export interface ManifestPlace {
  /** As the person wrote it: a file, an address, or `-` for standard input. */
  readonly path: string;
  readonly flags: ManifestFlags & { readonly yes?: true | undefined };
  readonly config: Config;
}

type ClosableFiles = RemoteFiles & { close(): Promise<void> };

export interface OpenedManifest {
  readonly manifest: OpenManifest;
  readonly remoteFiles: ClosableFiles;
  close(): Promise<void>;
}

/** Reads and checks the manifest of a command; its remote references go into the home's cache. */
export async function openManifestOf(context: CliContext, place: ManifestPlace): Promise<OpenedManifest> {
  const { path, flags, config } = place;
  const { allowPrivateReferences: allowPrivate, proxies } = config;
  const { source, close } = await openSource(context, path, { fetching: async () => ({ allowPrivate, proxies }) });
  const remoteFiles = remoteFilesLater({
    folder: join(config.home, 'references'),
    allowPrivate,
    proxies,
  });
  const release = async () => {
    await remoteFiles.close();
    await close();
  };
  try {
    const read = readOptions(flags, config);
    const manifest = await openManifest({ source, read, flags: settingFlags(flags), remoteFiles });
    if (flags.yes && manifest.guessedEncoding !== null) throw needsAnswer(path, manifest.guessedEncoding, manifest);
    return { manifest, remoteFiles, close: release };
  } catch (error) {
    await release();
    throw error instanceof ManifestError && path !== '-' ? withCheck(error, path) : error;
  }
}

/** The client that fetches costs 50 ms of CPU, and few sheets name an address. */
function remoteFilesLater(options: RemoteFilesOptions): ClosableFiles {
  let opened: Promise<ClosableFiles> | undefined;
  const open = async () => {
    const { createRemoteFiles } = await import('../../pricing/remote-files.js');
    return createRemoteFiles(options);
  };
  return {
    async fetch(source, signal) {
      opened ??= open();
      return (await opened).fetch(source, signal);
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

/** A guess may change letters of every prompt, and `--yes` means that nobody looks at them. */
function needsAnswer(path: string, encoding: string, { findings }: OpenManifest): CliError {
  const said = findings.find(({ code }) => code === 'encoding')?.message ?? '';
  return new CliError(
    `Cannot use ${path} with --yes: ${said || `--encoding ${encoding} confirms how it is read`}`,
    exitCodes.stopped,
  );
}

/** One line says the first finding; the command that shows all of them is said with it. */
function withCheck(error: ManifestError, path: string): CliError {
  const hint = error.findings.length > 1 ? `; greenlight check ${path} shows all` : '';
  return new CliError(`${error.message}${hint}`, exitCodes.usage, { cause: error });
}

function readOptions(flags: ManifestFlags, { allowPrivateReferences }: Config): ManifestOptions {
  const { campaign, sheet, encoding, map, hiddenRows, strict } = flags;
  return {
    allowPrivateAddresses: allowPrivateReferences,
    ...(campaign !== undefined && { campaign }),
    ...(sheet !== undefined && { sheet }),
    ...(map !== undefined && { map }),
    ...(hiddenRows !== undefined && { hiddenRows }),
    ...(encoding !== undefined && { encoding }),
    ...(strict !== undefined && { strict }),
  };
}
