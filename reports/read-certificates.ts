import type { CertifiedBatch } from '../ledger/verification/outside-check.js';
import { certificateName } from './certificate-files.js';

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

/** Where an archive has its certificates. */
export interface CertificateSource {
  /** The folders of its batches. */
  folders(): Promise<readonly string[]>;
  /** Null when it is not there. */
  read(path: string): Promise<string | null>;
}

/** The certificates of an archive, one for each batch, whichever ledger wrote them. */
export async function readCertificates(archive: CertificateSource): Promise<Certificates> {
  const certificates: CertifiedBatch[] = [];
  const unreadable: string[] = [];
  for (const folder of await archive.folders()) {
    const path = `${folder}/${certificateName}`;
    const text = await archive.read(path);
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
