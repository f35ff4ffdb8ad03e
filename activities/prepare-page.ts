import { recordEstimates, rowsToEstimate } from '../ledger/plan/estimates.js';
import { findUpload, rememberUpload } from '../ledger/plan/uploads.js';
import { type PricedRow, priceRows } from '../pricing/price-rows.js';
import { PricingInterrupted } from '../pricing/pricing-trouble.js';
import type { Uploads } from '../pricing/reference-uploader.js';
import type { Activities } from './activities.js';
import type { ActivityDeps } from './deps.js';
import { notReady } from './failures.js';
import { withHeartbeats } from './heartbeats.js';
import { tell } from './tell.js';

/** Rows a page: some seconds of work, so that a restart repeats little. */
const rowsPerPage = 500;
const maxConcurrentRequests = 16;
/** Where the service does not say when to come back. */
const troubleWaitMs = 10_000;

/**
 * Uploads the references of the next rows that would be ordered, once per content, and asks for their prices. What was
 * priced before an interruption is kept, so that no request is repeated.
 */
export function createPreparePage(deps: ActivityDeps): Activities['preparePage'] {
  const { ledger, api, remoteFiles, webhookUrl } = deps;
  const uploads = uploadsOf(deps);
  return (batchId, after) =>
    withHeartbeats(async (signal) => {
      const rows = await rowsToEstimate(ledger, { batchId, afterPosition: after, limit: rowsPerPage });
      const last = rows.at(-1);
      if (!last) return null;
      const record = (priced: readonly PricedRow[]) => recordEstimates(ledger, { batchId, estimates: priced });
      try {
        const briefs = rows.map(({ brief }) => brief);
        const requests = { api, uploads, remoteFiles, webhookUrl, concurrency: maxConcurrentRequests, signal };
        await record(await priceRows({ ...requests, briefs }));
      } catch (error) {
        if (!(error instanceof PricingInterrupted)) throw error;
        await record(error.priced);
        const why = `prices could not be asked: ${error.message}`;
        tell(deps, { batchId, rowKey: null, kind: 'waits', detail: why });
        throw notReady(why, error.retryAfterMs ?? troubleWaitMs, 'Trouble');
      }
      return last.position;
    });
}

/** Uploads are remembered per service: an id of one means nothing to another. */
function uploadsOf({ ledger, service, clock }: ActivityDeps): Uploads {
  return {
    find: (sha256) => findUpload(ledger, { service, sha256 }),
    remember: (sha256, upload) => rememberUpload(ledger, { service, sha256, ...upload, nowMs: clock() }),
  };
}
