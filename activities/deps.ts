import type { MovieApi } from '../api/movie-api.js';
import type { MovieArchiver } from '../archive/movie-archiver.js';
import type { PollingLimits } from '../domain/polling.js';
import type { Service } from '../domain/service.js';
import type { Ledger } from '../ledger/ledger.js';
import type { RemoteFiles } from '../pricing/reference-uploader.js';
import type { ReportTarget } from '../reports/report-folder.js';
import type { OnEvent } from '../reports/wording/work-event.js';

export interface ActivityDeps {
  readonly ledger: Ledger;
  readonly api: MovieApi;
  readonly archiver: MovieArchiver;
  /** Has the archive know of the orders in the ledger, before one of them leaves. */
  readonly markArchive?: () => Promise<void>;
  /** Where the service is asked to send the events of new movies; null where nobody listens. */
  readonly webhookUrl: string | null;
  /** The one service this worker orders from; rows of another service are not its own. */
  readonly service: Service;
  /** Milliseconds since 1970: the machine's clock, or the time-skipping server's in tests. */
  readonly clock: () => number;
  readonly polling: PollingLimits;
  readonly pacing: Pacing;
  readonly rowsPerSlice: number;
  /** Orders handed out by Temporal in a second, over all workers; null: as many as there are. */
  readonly ordersPerSecond: number | null;
  /** Rows in the making side by side in one batch, where the batch does not ask for less. */
  readonly maxInFlight: number;
  /** Where the results and the certificate of a batch go. */
  readonly reportFolder: (batchId: string) => ReportTarget;
  /** Fetches `https` references once and keeps their bytes. */
  readonly remoteFiles: RemoteFiles;
  /** How the last workflow of a batch ended where it should not have; null while it runs, or where none ran. */
  readonly badEndOf: (batchId: string) => Promise<string | null>;
  /** Hears of what a person wants to know. */
  readonly onEvent?: OnEvent;
  /** Starts the workflow of a batch, or finds it running. */
  readonly startBatch: (batchId: string) => Promise<boolean>;
  /** Starts it, or has the running one take up rows that came back to life. */
  readonly takeUpRows: (batchId: string) => Promise<boolean>;
}

/** How long an attempt stays before it hands its wait to Temporal. On a skipped clock both are 0. */
export interface Pacing {
  /** Waits up to this long are slept in the attempt: a retry through the server costs two transitions. */
  readonly patienceMs: number;
  /** Movies that end together share one answer, and so one workflow task. */
  readonly gatherMs: number;
  /** Movies that end one by one are saved by the follower, which answers for those of so long a while together. */
  readonly trickleMs: number;
  /** A page of looks takes this long at most: a movie that the service does not answer for holds up no other for longer. */
  readonly looksMs: number;
}

export const defaultPacing: Pacing = { patienceMs: 1_000, gatherMs: 200, trickleMs: 10_000, looksMs: 30_000 };
