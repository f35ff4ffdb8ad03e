import type { Kysely } from 'kysely';
import { archivedAmong } from '../archived/archived-batches.js';
import type { Tables } from '../database/tables.js';
import type { ChainEnd } from '../money/entry-chain.js';
import type { ChainAnchor } from './chain-check.js';
import { type BookFault, batchFault, differences, otherFault, type Stored } from './ledger-fault.js';

/** The end of the audit chain at some moment, as something outside the ledger has it. */
export interface AuditAnchor {
  /** `the certificate of spring-1`, `the mark of the archive`. */
  readonly from: string;
  readonly length: number;
  readonly head: string;
}

/** What a certificate in the archive says of a batch. */
export interface CertifiedBatch {
  /** Of the ledger that wrote it; an archive may hold those of others. */
  readonly ledgerId: string;
  readonly batchId: string;
  readonly audit: Pick<AuditAnchor, 'length' | 'head'>;
  readonly planDigest: string | null;
  readonly submittedBy: string;
  readonly decidedBy: string | null;
  readonly decidedAtMs: number | null;
  /** Null in certificates of earlier versions. */
  readonly entries: ChainEnd | null;
  /** Movies that this batch delivered. */
  readonly movies: readonly {
    readonly rowKey: string;
    readonly movieId: string;
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
  }[];
}

/** Proofs that are kept outside the ledger: whoever changes it would have to change these too. */
export interface OutsideProofs {
  readonly marks: readonly AuditAnchor[];
  readonly certificates: readonly CertifiedBatch[];
}

export function chainAnchorsOf({ certificates }: OutsideProofs, ledgerId: string): readonly ChainAnchor[] {
  return certificates.flatMap(({ batchId, entries, ledgerId: of }) =>
    entries && of === ledgerId ? [{ batchId, ...entries, from: `the certificate of ${batchId}` }] : [],
  );
}

/** Compares the ledger with marks and certificates of its archive. */
export async function checkOutside(db: Kysely<Tables>, outside: OutsideProofs): Promise<readonly BookFault[]> {
  const { ledger_id } = await db.selectFrom('ledger').select('ledger_id').executeTakeFirstOrThrow();
  const own = outside.certificates.filter(({ ledgerId }) => ledgerId === ledger_id);
  const anchors = own.map(({ batchId, audit }) => ({
    from: `the certificate of ${batchId}`,
    ...audit,
  }));
  const faults: BookFault[] = [];
  for (const anchor of [...outside.marks, ...anchors]) faults.push(...(await anchorFaults(db, anchor)));
  for (const certificate of own) faults.push(...(await certificateFaults(db, certificate)));
  for (const certificate of outside.certificates) {
    if (!own.includes(certificate) && (await isOurBatch(db, certificate))) {
      const detail = `the certificate of this very plan names ledger ${certificate.ledgerId}, this is ${ledger_id}`;
      faults.push(batchFault('ledger_changed', certificate.batchId, detail));
    }
  }
  return faults;
}

/** The same plan decided on at the same moment is the same decision: another ledger's would not be. */
async function isOurBatch(db: Kysely<Tables>, { batchId, planDigest, decidedAtMs }: CertifiedBatch): Promise<boolean> {
  const batch = await db
    .selectFrom('decisions')
    .select('batch_id')
    .where('batch_id', '=', batchId)
    .where('plan_digest', '=', planDigest ?? '')
    .where('at_ms', '=', decidedAtMs ?? -1)
    .executeTakeFirst();
  return batch !== undefined;
}

async function anchorFaults(db: Kysely<Tables>, { from, length, head }: AuditAnchor): Promise<readonly BookFault[]> {
  if (length === 0) return [];
  const record = await db.selectFrom('audit').select('hash').where('seq', '=', length).executeTakeFirst();
  if (!record) return [otherFault('audit_cut', 'audit', `by ${from} it has ${length} records or more`)];
  return record.hash === head
    ? []
    : [otherFault('audit_replaced', 'audit', `record ${length} is not the one that ${from} has`)];
}

async function certificateFaults(db: Kysely<Tables>, certificate: CertifiedBatch): Promise<readonly BookFault[]> {
  const { batchId } = certificate;
  const batch = await db
    .selectFrom('batches')
    .leftJoin('decisions', 'decisions.batch_id', 'batches.batch_id')
    .select(['batches.plan_digest', 'batches.submitted_by', 'decisions.by_name', 'decisions.at_ms'])
    .where('batches.batch_id', '=', batchId)
    .executeTakeFirst();
  if (!batch) return [batchFault('batch_missing', batchId, 'the archive has its certificate')];
  const pairs: readonly Stored[] = [
    ['plan digest', batch.plan_digest, certificate.planDigest],
    ['submitted by', batch.submitted_by, certificate.submittedBy],
    ['decided by', batch.by_name, certificate.decidedBy],
    ['decided at', batch.at_ms, certificate.decidedAtMs],
  ];
  const changed = differences(pairs).map((detail) => batchFault('certified_otherwise', batchId, detail));
  return [...changed, ...(await movieFaults(db, certificate))];
}

async function movieFaults(db: Kysely<Tables>, { batchId, movies }: CertifiedBatch): Promise<readonly BookFault[]> {
  const rows = await db
    .selectFrom('rows')
    .select(['row_key', 'movie_id'])
    .where('batch_id', '=', batchId)
    .where('movie_id', 'is not', null)
    .execute();
  const files = await db.selectFrom('files').select(['path', 'sha256']).where('batch_id', '=', batchId).execute();
  const isArchived = (await archivedAmong(db, batchId)) !== null;
  const movieOf = new Map(rows.map(({ row_key, movie_id }) => [row_key, movie_id]));
  const hashOf = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  return movies.flatMap(({ rowKey, movieId, files: certified }) => {
    const movie = movieOf.get(rowKey);
    if (movie !== movieId) {
      return [
        batchFault('movie_changed', batchId, `its movie is ${movie ?? 'missing'}, certified was ${movieId}`, rowKey),
      ];
    }
    if (isArchived) return []; // its files are compared with those in its file
    return certified
      .filter(({ path, sha256 }) => hashOf.get(path) !== sha256)
      .map(({ path }) => batchFault('file_changed', batchId, `${path} has another hash than was certified`, rowKey));
  });
}
