import type { Service } from '../../domain/service.js';
import { ofService } from '../batches/service-filter.js';
import { serviceNumber } from '../batches/services.js';
import type { Ledger } from '../ledger.js';

export interface UploadQuestion {
  readonly service: Pick<Service, 'name' | 'baseUrl'>;
  /** Of the file's bytes, hex. */
  readonly sha256: string;
}

/** The service's id for a file that was uploaded before, whoever uploaded it. */
export async function findUpload(ledger: Ledger, { service, sha256 }: UploadQuestion): Promise<string | null> {
  const found = await ledger.db
    .selectFrom('uploads')
    .innerJoin('services', 'services.service_no', 'uploads.service_no')
    .select('reference_id')
    .where(ofService(service))
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return found?.reference_id ?? null;
}

export interface Upload extends UploadQuestion {
  readonly service: Service;
  readonly referenceId: string;
  readonly mimeType?: string | null;
  readonly nowMs: number;
}

/** Of two uploads of the same bytes the first counts. */
export async function rememberUpload(
  ledger: Ledger,
  { service, sha256, referenceId, mimeType = null, nowMs }: Upload,
): Promise<void> {
  await ledger.write(async (tx) => {
    const service_no = await serviceNumber(tx, service);
    await tx
      .insertInto('uploads')
      .values({ service_no, sha256, reference_id: referenceId, mime_type: mimeType, uploaded_ms: nowMs })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
