import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertifiedBatch } from '../ledger/verification/outside-check.js';

interface StoredCertificate {
  readonly batch: string;
  readonly ledger: string;
  readonly plan_digest: string | null;
  readonly submitted: { readonly by: string };
  readonly decision: { readonly by: string; readonly at: string } | null;
  readonly audit: CertifiedBatch['audit'];
  readonly entries?: NonNullable<CertifiedBatch['entries']>;
  readonly movies?: readonly {
    readonly id: string;
    readonly movie_id: string;
    readonly state: string;
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
  }[];
}

export interface Certificates {
  readonly certificates: readonly CertifiedBatch[];
  /** Paths of those that cannot be read. */
  readonly unreadable: readonly string[];
}

/** The certificates in the folder of an archive, one for each batch, whichever ledger wrote them. */
export async function readCertificates(archiveFolder: string): Promise<Certificates> {
  const certificates: CertifiedBatch[] = [];
  const unreadable: string[] = [];
  for (const path of await certificatePaths(archiveFolder)) {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
    if (text === null) continue;
    try {
      const stored = JSON.parse(text) as StoredCertificate; // what does not have this form throws below
      certificates.push(certified(stored));
    } catch {
      unreadable.push(path);
    }
  }
  return { certificates, unreadable };
}

async function certificatePaths(archiveFolder: string): Promise<readonly string[]> {
  const entries = await readdir(archiveFolder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return folders.map(({ name }) => join(archiveFolder, name, 'certificate.json'));
}

function certified({
  batch,
  ledger,
  plan_digest,
  submitted,
  decision,
  audit,
  entries,
  movies = [],
}: StoredCertificate): CertifiedBatch {
  return {
    ...{ batchId: batch, planDigest: plan_digest, submittedBy: submitted.by },
    ...{ ledgerId: ledger, decidedBy: decision?.by ?? null, decidedAtMs: decision ? Date.parse(decision.at) : null },
    ...{ audit: { length: audit.length, head: audit.head }, entries: entries ?? null },
    movies: movies
      .filter(({ state }) => state === 'delivered')
      .map(({ id, movie_id, files }) => ({ rowKey: id, movieId: movie_id, files })),
  };
}
