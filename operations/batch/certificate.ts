import { assertSeesBatch } from '../../ledger/access/sight.js';
import { type BatchView, readBatch } from '../../ledger/batches/batches.js';
import { type CertificateFacts, certificateFacts } from '../../ledger/progress/certificate-facts.js';
import type { BatchLook } from '../batches.js';
import type { OperationDeps } from '../deps.js';

export interface Certified {
  readonly batch: BatchView;
  /** The facts of certificate.json, read now. */
  readonly facts: CertificateFacts;
}

/** The closing account of a batch, for the person who signs it off. */
export async function readCertificate(
  { ledger }: Pick<OperationDeps, 'ledger'>,
  { batchId, actor }: BatchLook,
): Promise<Certified> {
  await assertSeesBatch(ledger.db, actor, batchId);
  return { batch: await readBatch(ledger, batchId), facts: await certificateFacts(ledger, batchId) };
}
