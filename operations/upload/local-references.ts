import pLimit from 'p-limit';
import type { MovieApi } from '../../api/movie-api.js';
import { findUpload, rememberUpload } from '../../ledger/plan/uploads.js';
import { type BytesReference, type RemoteFiles, referenceUploader } from '../../pricing/reference-uploader.js';
import type { OperationDeps } from '../deps.js';
import type { OpenManifest } from '../open-manifest.js';

const maxConcurrentUploads = 4;

export interface LocalReferences {
  readonly manifest: Pick<OpenManifest, 'rows'>;
  readonly api: Pick<MovieApi, 'uploadReference'>;
  readonly remoteFiles: RemoteFiles;
  readonly signal: AbortSignal;
}

/**
 * Uploads the files of this machine that a manifest refers to, each content once, and records them in the ledger: a
 * worker elsewhere does not have these files. What was uploaded before is not uploaded again.
 *
 * @returns how many contents the manifest refers to.
 * @throws ReferenceProblem for a file that cannot be read or has changed; MovieApiError, ConnectionError.
 */
export async function uploadLocalReferences(
  { ledger, service, clock }: OperationDeps,
  { manifest, api, remoteFiles, signal }: LocalReferences,
): Promise<number> {
  const uploads = {
    find: (sha256: string) => findUpload(ledger, { service, sha256 }),
    remember: (sha256: string, upload: { readonly referenceId: string; readonly mimeType: string | null }) =>
      rememberUpload(ledger, { service, sha256, ...upload, nowMs: clock() }),
  };
  const upload = referenceUploader({ api, uploads, remoteFiles, signal });
  const limit = pLimit(maxConcurrentUploads);
  const contents = new Set<string>();
  for await (const page of manifest.rows()) {
    const local = page.flatMap(({ brief }) => brief.references).flatMap((reference) => localOf(reference) ?? []);
    const fresh = local.filter(({ source }) => !contents.has(source.sha256 ?? ''));
    for (const { source } of fresh) contents.add(source.sha256 ?? '');
    await limit.map(fresh, upload);
  }
  return contents.size;
}

function localOf(reference: { readonly source: { readonly kind: string } }): BytesReference | null {
  return reference.source.kind === 'file' ? (reference as BytesReference) : null;
}
