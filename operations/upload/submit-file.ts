import { assertMay } from '../../ledger/access/sight.js';
import { fileSource, type ManifestOptions } from '../../manifests/read-manifest.js';
import type { OperationDeps } from '../deps.js';
import { type ManifestInput, type OpenManifest, openManifest } from '../open-manifest.js';
import { type SubmitInput, type Submitted, submit } from '../submit.js';

export interface SubmitFileInput extends Pick<SubmitInput, 'actor' | 'otherBatch'> {
  /** Where the manifest is; the files that it names are in the same folder. */
  readonly path: string;
  /** The sender's name for it. */
  readonly name: string;
  readonly read: ManifestOptions;
  readonly flags: ManifestInput['flags'];
  readonly remoteFiles: ManifestInput['remoteFiles'];
}

export type SubmittedFile = Submitted & {
  readonly manifest: Pick<OpenManifest, 'campaign' | 'findings' | 'rowCount'>;
};

/**
 * Submits a manifest that was received as a file. Nothing of it is read before the role has been checked.
 *
 * @throws ManifestError with every finding when one of them is an error; ReferenceProblem when a remote reference is
 * not a file; LedgerError without the role, or when the path has no budget.
 */
export async function submitFile(
  deps: OperationDeps,
  { path, name, read, flags, remoteFiles, ...as }: SubmitFileInput,
): Promise<SubmittedFile> {
  await assertMay(deps.ledger.db, as.actor, { act: 'submit', words: `submit ${name}` });
  const source = await fileSource(path, name);
  const manifest = await openManifest({ source, read, flags, remoteFiles });
  const { campaign, findings, rowCount } = manifest;
  return { ...(await submit(deps, { manifest, ...as })), manifest: { campaign, findings, rowCount } };
}
