import type { ArchiveHere } from '../operations/audit.js';
import type { FilmPort } from '../operations/batch/film-port.js';
import type { OperationDeps } from '../operations/deps.js';
import type { HealthDeps } from '../operations/health/desk-health.js';
import type { InvoiceDeps } from '../operations/money/invoice-uploads.js';
import type { ResolveInput } from '../operations/unknowns.js';
import type { WhyWaitingDeps } from '../operations/why-waiting.js';
import type { ApiDeps } from './api/api-deps.js';
import type { FreshSignIn } from './guard/fresh-sign-in.js';
import type { CompanySettings } from './sign-in/company.js';
import type { Site } from './site.js';

/** What the desk stands on: the operations, and where browsers find it. */
export interface DeskDeps
  extends
    OperationDeps,
    Pick<HealthDeps, 'diagnose' | 'listWorkers'>,
    Pick<InvoiceDeps, 'renewReports'>,
    Pick<ApiDeps, 'remoteFiles' | 'uploadsFolder' | 'allowPrivateReferences'> {
  readonly site: Site;
  readonly films: FilmPort;
  /** What the archive says of the books; null where it is on other machines. */
  readonly archiveHere: ArchiveHere | null;
  /** The movie service, asked for a movie that somebody names. */
  readonly movieApi: ResolveInput['movieApi'];
  /** Left out: people come in by codes alone. */
  readonly company?: CompanySettings | null;
  /** What an approval asks of the sign-in; whoever works alone has this machine, and is not asked. */
  readonly freshSignIn: FreshSignIn;
  /** What Temporal knows of the workers. */
  readonly seeWorkers: WhyWaitingDeps['seeWorkers'];
  /** Hears of errors that are ours, with the number of the request that a person was shown. */
  readonly onFault: (error: unknown, requestId: string) => void;
}
