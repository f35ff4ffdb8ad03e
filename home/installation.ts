import type { MovieApi, MovieApiDeps } from '../api/movie-api.js';
import { proxyFor } from '../api/proxies.js';
import type { ArchiveStore } from '../archive/archive-store.js';
import type { ArchiveMarks } from '../domain/ledger-mark.js';
import type { Service } from '../domain/service.js';
import { type Ledger, type LedgerOptions, openLedger } from '../ledger/ledger.js';
import type { WorkerListed } from '../operations/health/desk-health.js';
import type { WorkersSeen } from '../operations/why-waiting.js';
import type { ReportTarget } from '../reports/report-folder.js';
import { openArchive } from './archive/open-archive.js';
import { otherArchive } from './archive/other-archive.js';
import type { Config, TemporalConfig } from './config.js';
import { studioUrl } from './embedded.js';
import { refuseOwnStudio } from './refuse-own-studio.js';
import { Releases } from './releases.js';
import { openParts, type Parts } from './services.js';
import { studioKey } from './studio-process.js';
import { createLazyWorkflows } from './temporal/lazy-workflows.js';
import type { BatchWorkflows } from './temporal/temporal-client.js';

/** One configuration, opened: what every command and worker uses. Opening starts nothing. */
export interface Installation {
  readonly config: Config;
  readonly ledger: Ledger;
  readonly service: Service;
  readonly archive: ArchiveStore;
  /** What the archive knows about ledgers. */
  readonly marks: ArchiveMarks;
  /** Where the archive keeps the reports of a batch. */
  readonly reports: (batchId: string) => ReportTarget;
  readonly clock: () => number;
  readonly workflows: BatchWorkflows;
  /** Where Temporal is, or null while the embedded one is not running. */
  readonly temporal: TemporalConfig | null;
  /** What Temporal knows about the workers, and about one batch. */
  seeWorkers(batchId: string | null): Promise<WorkersSeen>;
  /** Lists the workers, for checks of their health; null when Temporal is unavailable. */
  listWorkers(): Promise<readonly WorkerListed[] | null>;
  /**
   * Makes a client of the movie service.
   *
   * @throws Error when it is the home's own studio and that is not running.
   */
  movieApi(): Promise<MovieApi>;
  /**
   * Receives the events of the movie service, if they come to this machine.
   *
   * @returns the callback address for orders; null when the service is only polled.
   * @throws Error when it cannot listen at the configured address.
   */
  receiveWebhooks(): Promise<string | null>;
  /** Releases everything, in reverse order of opening. */
  close(): Promise<void>;
}

/** The home's own studio keeps its name whatever its port, so that the money of rehearsals stays apart from others. */
const embeddedStudio: Service = { name: 'studio', baseUrl: 'embedded', rehearsal: true };

/** @param onOutage called when the ledger's database is unavailable and when it is back; without it, nothing waits. */
export async function openInstallation(
  config: Config,
  { onOutage }: Pick<LedgerOptions, 'onOutage'> = {},
): Promise<Installation> {
  const releases = new Releases();
  return releases.whole(async () => {
    const parts = await openParts(config.home);
    releases.add(() => parts.close());
    const { databaseUrl, billing, idempotency, maxInFlight } = config;
    const ledger = await openLedger({ url: databaseUrl, seed: { billing, idempotency, maxInFlight }, onOutage });
    releases.add(() => ledger.close());
    const temporal = config.temporal ?? embeddedTemporal(parts);
    const workflows = createLazyWorkflows(temporal, ledger.id);
    releases.add(() => workflows.close());
    const archive = await openArchive(config);
    releases.add(() => archive.close());
    return {
      config,
      ledger,
      service: config.movieApi ? realService(config.movieApi) : embeddedStudio,
      ...{ archive: archive.store, marks: archive.marks, reports: archive.reports },
      clock: ledger.clock,
      workflows,
      temporal,
      async seeWorkers(batchId) {
        const { seeWorkers } = await import('./temporal/see-workers.js'); // few commands ask
        const seen = await seeWorkers(temporal, ledger.id, batchId);
        return seen.workers > 0 ? seen : { ...seen, otherArchive: await otherArchive(ledger, archive.store) };
      },
      async listWorkers() {
        const { listWorkers } = await import('./temporal/list-workers.js'); // only the desk asks
        return listWorkers(temporal, ledger.id);
      },
      async movieApi() {
        const { createMovieApi } = await import('../api/movie-api.js'); // not every command calls the service
        const api = createMovieApi(await movieService(config, parts));
        releases.add(() => api.close());
        return api;
      },
      async receiveWebhooks() {
        const { openWebhooks } = await import('./webhooks.js'); // only workers need it
        const { url, close: stop } = await openWebhooks(config, { ledger, clock: ledger.clock, workflows });
        releases.add(stop);
        return url;
      },
      close: () => releases.all(),
    };
  });
}

function realService({ name, url }: { readonly name: string; readonly url: string }): Service {
  return { name, baseUrl: url, rehearsal: false };
}

function embeddedTemporal(parts: Parts): TemporalConfig | null {
  const part = parts.running('temporal');
  return part ? { address: `127.0.0.1:${part.port}`, namespace: 'default', proxy: null } : null;
}

async function movieService(config: Config, parts: Parts): Promise<Pick<MovieApiDeps, 'baseUrl' | 'apiKey' | 'proxy'>> {
  if (config.movieApi) {
    const { url, key } = config.movieApi;
    return { baseUrl: url, apiKey: key, proxy: proxyFor(url, config.proxies) };
  }
  refuseOwnStudio(config);
  const baseUrl = studioUrl(parts);
  if (!baseUrl) throw new Error('Cannot reach the built-in studio: it is not running; start "greenlight worker"');
  return { baseUrl, apiKey: await studioKey(config.home) };
}
