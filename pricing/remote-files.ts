import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from 'undici';
import type { Proxies } from '../api/proxies.js';
import { fetchFailure, fetchPublicFile, publicRoutes } from '../api/public-file.js';
import { ReferenceProblem } from './pricing-trouble.js';
import type { RemoteFiles } from './reference-uploader.js';

export interface RemoteFilesOptions {
  /** Files are kept here by the SHA-256 of their bytes. */
  readonly folder: string;
  /** Also plain `http` and addresses of private networks. */
  readonly allowPrivate: boolean;
  readonly maxBytes?: number;
  readonly proxies?: Proxies;
}

/** The largest reference when the service does not say: a master of a minute, not a disk image. */
const defaultMaxBytes = 512 * 1024 * 1024;

/** Fetches references by address, each address once, into a folder where later runs find them by content. */
export function createRemoteFiles(options: RemoteFilesOptions): RemoteFiles & { close(): Promise<void> } {
  const { folder } = options;
  const agent = publicRoutes(options);
  const underWay = new Map<string, Promise<FetchedFile>>();

  async function fetchFile(source: RemoteSource, signal: AbortSignal | undefined): Promise<FetchedFile> {
    const { url, sha256 } = source;
    if (sha256 !== null) {
      const path = join(folder, sha256);
      const kept = await stat(path).catch(() => null);
      if (kept) return { path, sha256, sizeBytes: kept.size };
    }
    const fetched = await download(url, { ...options, agent, signal });
    if (sha256 !== null && fetched.sha256 !== sha256) {
      throw new ReferenceProblem(`its reference ${withoutQuery(url)} changed since it was checked`);
    }
    return fetched;
  }

  return {
    fetch(source, signal) {
      const key = `${source.sha256} ${source.url}`;
      const known = underWay.get(key) ?? fetchFile(source, signal);
      underWay.set(key, known);
      // An address that failed may deliver the file at the next attempt.
      known.catch(() => underWay.delete(key));
      return known;
    },
    close: () => agent.close(),
  };
}

interface RemoteSource {
  readonly url: string;
  readonly sha256: string | null;
}

interface FetchedFile {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

interface DownloadOptions extends RemoteFilesOptions {
  readonly agent: Agent;
  readonly signal: AbortSignal | undefined;
}

async function download(url: string, options: DownloadOptions): Promise<FetchedFile> {
  try {
    const { path, sha256, sizeBytes } = await fetchPublicFile(url, {
      ...options,
      maxBytes: options.maxBytes ?? defaultMaxBytes,
    });
    return { path, sha256, sizeBytes };
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new ReferenceProblem(`its reference ${withoutQuery(url)} cannot be fetched: ${fetchFailure(error)}`, {
      cause: error,
    });
  }
}

/** A query can carry a signature. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, '');
}
