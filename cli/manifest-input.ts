import { join, resolve } from 'node:path';
import process from 'node:process';
import { createRemoteFiles } from '../api/remote-files.js';
import { fileSource, type ManifestOptions } from '../manifests/read-manifest.js';
import { type OpenManifest, openManifest } from '../operations/open-manifest.js';
import type { Config } from '../worker/config.js';
import type { CliContext } from './context.js';
import { type ManifestFlags, settingFlags } from './manifest-flags.js';

export interface ManifestPlace {
  /** As the person wrote it; `-` is standard input. */
  readonly path: string;
  readonly flags: ManifestFlags;
  readonly config: Config;
}

export interface OpenedManifest {
  readonly manifest: OpenManifest;
  readonly remoteFiles: ReturnType<typeof createRemoteFiles>;
  close(): Promise<void>;
}

/** Reads and checks the manifest of a command; its remote references go into the home's cache. */
export async function openManifestOf(context: CliContext, place: ManifestPlace): Promise<OpenedManifest> {
  const { path, flags, config } = place;
  const remoteFiles = createRemoteFiles({
    folder: join(config.home, 'references'),
    allowPrivate: config.allowPrivateReferences,
  });
  // Messages name the file as the person did.
  const source = await fileSource(context.cwd === process.cwd() ? path : resolve(context.cwd, path));
  const manifest = await openManifest({
    source,
    read: readOptions(flags, config),
    flags: settingFlags(flags),
    remoteFiles,
  });
  return { manifest, remoteFiles, close: () => remoteFiles.close() };
}

function readOptions(flags: ManifestFlags, { allowPrivateReferences }: Config): ManifestOptions {
  const { campaign, sheet, encoding, strict } = flags;
  return {
    allowPrivateAddresses: allowPrivateReferences,
    ...(campaign !== undefined && { campaign }),
    ...(sheet !== undefined && { sheet }),
    ...(encoding !== undefined && { encoding }),
    ...(strict !== undefined && { strict }),
  };
}
