import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';
import { fileTypeFromFile } from 'file-type';
import { ConnectionError, ContractError, MovieApiError } from '../api/errors.js';
import type { MovieApi } from '../api/movie-api.js';
import type { BriefReference, ReferenceSource } from '../domain/brief.js';
import { ReferenceProblem } from './pricing-trouble.js';

/** Earlier uploads to this service, by the SHA-256 (hex) of the bytes. */
export interface Uploads {
  find(sha256: string): Promise<string | null>;
  remember(sha256: string, upload: { readonly referenceId: string; readonly mimeType: string | null }): Promise<void>;
}

/** Local copies of `https` references, fetched when missing. */
export interface RemoteFiles {
  /** @throws ReferenceProblem when the address is not a file, or has bytes other than those of `sha256`. */
  fetch(
    source: { readonly url: string; readonly sha256: string | null },
    signal?: AbortSignal,
  ): Promise<{ readonly path: string; readonly sha256: string; readonly sizeBytes: number }>;
}

interface UploaderDeps {
  readonly api: Pick<MovieApi, 'uploadReference'>;
  readonly uploads: Uploads;
  readonly remoteFiles: RemoteFiles;
  readonly signal: AbortSignal;
}

/** A reference whose bytes are here. Its upload carries the role and description of the first row that needs it. */
export type BytesReference = BriefReference & { readonly source: Exclude<ReferenceSource, { kind: 'id' }> };

/**
 * Returns the service's id of a reference, uploading its bytes at most once per content, even when many rows need it at
 * the same time. The bytes are hashed as they leave: what was approved is what is uploaded.
 */
export function referenceUploader(deps: UploaderDeps): (reference: BytesReference) => Promise<string> {
  const byContent = new Map<string, Promise<string>>();
  return (reference) => {
    const { sha256 } = reference.source;
    if (sha256 === null) throw new ReferenceProblem('its remote reference has not been fetched yet');
    const known = byContent.get(sha256) ?? findOrUpload(deps, reference, sha256);
    byContent.set(sha256, known);
    return known;
  };
}

async function findOrUpload(deps: UploaderDeps, reference: BytesReference, sha256: string): Promise<string> {
  const { source, role, description } = reference;
  const known = await deps.uploads.find(sha256);
  if (known !== null) return known;
  const path = source.kind === 'file' ? source.path : (await deps.remoteFiles.fetch(source, deps.signal)).path;
  const name = source.kind === 'file' ? basename(source.path) : nameOf(source.url);
  const uploaded = await upload(deps, { path, name, sha256, role, ...(description !== null && { description }) });
  await deps.uploads.remember(sha256, uploaded);
  return uploaded.referenceId;
}

interface Upload {
  readonly path: string;
  readonly name: string;
  readonly sha256: string;
  readonly role: string;
  readonly description?: string;
}

async function upload(
  { api, signal }: UploaderDeps,
  { path, name, sha256, role, description }: Upload,
): Promise<{ referenceId: string; mimeType: string | null }> {
  const hash = createHash('sha256');
  const { sizeBytes, mimeType } = await look({ path, name });
  const open = () => Readable.from(hashed(path, hash));
  const reference = await aboutFile(name, () =>
    api.uploadReference({ name, mimeType, sizeBytes, open, role, description }, { signal }),
  );
  if (hash.digest('hex') !== sha256)
    throw new ReferenceProblem(`its reference "${name}" has changed since it was checked`);
  return { referenceId: reference.id, mimeType: reference.mime_type ?? mimeType };
}

/** Any other error than the service's answer is about the file itself: it shrank, or a disk failed. */
async function aboutFile<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MovieApiError || error instanceof ContractError || error instanceof ConnectionError)
      throw error;
    throw new ReferenceProblem(`its reference "${name}" cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

async function look({ path, name }: { readonly path: string; readonly name: string }) {
  try {
    const { size } = await stat(path);
    const found = await fileTypeFromFile(path);
    return { sizeBytes: size, mimeType: found?.mime ?? plainTypes.get(extname(name).toLowerCase()) ?? null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // from the file system
    throw new ReferenceProblem(`its reference "${name}" cannot be read: ${code ?? message}`, { cause: error });
  }
}

/** Types without a signature in their bytes. */
const plainTypes: ReadonlyMap<string, string> = new Map([
  ['.txt', 'text/plain'],
  ['.md', 'text/markdown'],
  ['.csv', 'text/csv'],
]);

async function* hashed(path: string, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk);
    yield chunk;
  }
}

function nameOf(url: string): string {
  return decodeURIComponent(basename(new URL(url).pathname)) || 'reference';
}
