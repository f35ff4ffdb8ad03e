import type { ArchiveMarks } from '../domain/ledger-mark.js';
import type { Actor } from '../domain/roles.js';
import type { AuditFilter } from '../ledger/access/audit-filter.js';
import * as audit from '../ledger/access/audit.js';
import { assertMay, assertSeesAll, assertSeesBatch } from '../ledger/access/sight.js';
import type { LedgerFiles } from '../ledger/archived/archived-batches.js';
import { isBatch } from '../ledger/batches/batch-record.js';
import { atOneMoment } from '../ledger/database/snapshot.js';
import type { Ledger } from '../ledger/ledger.js';
import { type LedgerFault, ledgerFaults } from '../ledger/progress/orphans.js';
import { checkBooks } from '../ledger/verification/check-books.js';
import { auditCounters, type CounterDifference } from '../ledger/verification/counter-check.js';
import { type BookFault, batchFault, otherFault } from '../ledger/verification/ledger-fault.js';
import { ledgerMark } from '../ledger/verification/restored-ledger.js';
import { type CertificateSource, readCertificates } from '../reports/read-certificates.js';
import type { OperationDeps } from './deps.js';

/** Lists decisions and refused attempts, newest first; for people who see everything, or for a batch that they see. */
export async function listAudit(
  { ledger }: OperationDeps,
  { actor, ...filter }: audit.AuditPaging & { readonly actor: Actor },
): Promise<readonly audit.AuditRecord[]> {
  await assertSeesAudit(ledger, actor, filter.object);
  return audit.listAudit(ledger, filter);
}

/** Every record that matches a filter, oldest first. */
export async function* eachAudit(
  { ledger }: OperationDeps,
  { actor, ...filter }: AuditFilter & { readonly actor: Actor },
): AsyncGenerator<audit.AuditRecord, void, undefined> {
  await assertSeesAudit(ledger, actor, filter.object);
  yield* audit.eachAudit(ledger, filter);
}

async function assertSeesAudit(ledger: Ledger, actor: Actor, object: string | undefined): Promise<void> {
  if (object !== undefined && (await isBatch(ledger, object))) return assertSeesBatch(ledger.db, actor, object);
  await assertSeesAll(ledger.db, actor, 'the audit log');
}

/** Whether a record has text beyond ASCII, for which a spreadsheet needs a byte order mark. */
export function auditHasForeignText({ ledger }: Pick<OperationDeps, 'ledger'>): Promise<boolean> {
  return audit.auditHasForeignText(ledger);
}

/** Counters that differ from the sum of their entries; none on sound books. */
export function counterMismatches({ ledger }: Pick<OperationDeps, 'ledger'>): Promise<readonly CounterDifference[]> {
  return auditCounters(ledger);
}

/** What the archive knows about the ledger, if it can be reached from this machine. */
export interface ArchiveHere {
  readonly certificates: CertificateSource;
  readonly marks: ArchiveMarks;
  readonly files: Pick<LedgerFiles, 'read'>;
}

export interface BooksVerdict {
  readonly chain: audit.AuditVerdict;
  /** Counters that differ from the sum of their entries; none on sound books. */
  readonly differences: readonly CounterDifference[];
  /** Contradictions within the books, or with a proof outside them; none on sound books. */
  readonly faults: readonly BookFault[];
  /** How many proofs outside the ledger it was compared with; null when none are here. */
  readonly outside: { readonly marks: number; readonly certificates: number } | null;
  /** Movies made for orders that had been given up: paid, and for a person to review. */
  readonly lateMovies: readonly BookFault[];
}

/**
 * Recomputes every link of the chains and every counter, and compares everything that is recorded twice: decisions and
 * settings with the audit, briefs with their digests, orders with their entries, and all of it with the marks and
 * certificates of the archive, which are outside the ledger. Repairs nothing.
 *
 * @param look.archive null when it is on other machines: then nothing outside the ledger is compared
 * @throws LedgerError `not_allowed` without the role.
 */
export async function verifyBooks(
  { ledger }: OperationDeps,
  { actor, archive }: { readonly actor: Actor; readonly archive: ArchiveHere | null },
): Promise<BooksVerdict> {
  await assertMay(ledger.db, actor, { act: 'verify', words: 'verify the ledger' });
  // Read first: the ledger then has everything that is in there.
  const proofs = archive && (await readProofs(ledger, archive));
  const orders = await ledgerFaults(ledger);
  const faults = orders.filter(({ kind }) => kind !== 'late_movie').map(asBookFault);
  const unreadable = (proofs?.unreadable ?? []).map((path) =>
    otherFault('certificate_unreadable', path, 'it is not a certificate'),
  );
  return {
    chain: await audit.verifyAudit(ledger),
    differences: await auditCounters(ledger),
    faults: [...faults, ...unreadable, ...(await atOneMoment(ledger, (db) => checkBooks(db, proofs, archive?.files)))],
    lateMovies: orders.filter(({ kind }) => kind === 'late_movie').map(asBookFault),
    outside: proofs && { marks: proofs.marks.length, certificates: proofs.ownCertificates },
  };
}

async function readProofs(ledger: Ledger, { certificates, marks }: ArchiveHere) {
  const { ledgerId } = await ledgerMark(ledger);
  const own = (await marks.list()).filter((mark) => mark.ledgerId === ledgerId);
  const anchors = own.flatMap(({ audit: end, service }) =>
    end ? [{ ...end, from: `the archive's mark for ${service.name}` }] : [],
  );
  const read = await readCertificates(certificates);
  const ownCertificates = read.certificates.filter((certificate) => certificate.ledgerId === ledgerId).length;
  return { marks: anchors, ...read, ownCertificates };
}

function asBookFault({ kind, batchId, rowKey, detail }: LedgerFault): BookFault {
  return batchFault(kind, batchId, detail, rowKey);
}
