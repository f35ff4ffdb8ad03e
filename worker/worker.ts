import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Client } from '@temporalio/client';
import { DefaultLogger, type LogEntry, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createActivities } from '../activities/create-activities.js';
import { defaultPacing } from '../activities/deps.js';
import { createArchiveThread } from '../archive/thread/archive-thread.js';
import { stagingFolderOf } from '../home/archive/open-archive.js';
import type { TemporalConfig } from '../home/config.js';
import type { Installation } from '../home/installation.js';
import { tellPeople } from '../home/notices/tell-people.js';
import { Releases } from '../home/releases.js';
import { tryTemporal } from '../home/temporal/try-temporal.js';
import { ledgerMark } from '../ledger/verification/restored-ledger.js';
import { createRemoteFiles } from '../pricing/remote-files.js';
import type { OnEvent } from '../reports/wording/work-event.js';
import type { Tracing } from '../telemetry/tracing.js';
import { namesOf } from '../workflows/names.js';
import { watchActs } from './act-watcher.js';
import { deploymentOf } from './build.js';
import { createMarkKeeper } from './mark-keeper.js';
import { nativeWay } from './native-way.js';
import { scheduleReconcile } from './reconcile-schedule.js';
import { refuseSkewedClock } from './refuse-skewed-clock.js';
import { requireOwnArchive } from './require-own-archive.js';
import { type Serving, workerOptions } from './worker-options.js';
import { workflowCode } from './workflow-code.js';

export interface RunningWorker {
  /** Rejects when a worker ends by itself. */
  readonly failed: Promise<never>;
  /** Says what keeps it from working; empty while it works. */
  lacking(): readonly string[];
  /** Takes no new work, gives running work some time to finish, and ends. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Where the SDK serves its own metrics, e.g. `127.0.0.1:9000`; null: nowhere. */
  readonly sdkMetricsAt?: string | null;
  /** Receives events of the batches and rows that this worker works on. */
  readonly onEvent?: OnEvent;
  /** Receives errors of the SDK itself, one line each. */
  readonly onProblem?: (words: string) => void;
  /** Null: no traces are recorded. */
  readonly tracing?: Tracing | null;
}

/**
 * How far garbage may grow the heap before a collection: by default, on a large machine, to four times the live data.
 * And the young generation of the threads that run workflows, which fills with data about finished promises.
 */
const memoryFlags = ['--heap-growing-percent=60', '--max-semi-space-size=4'];

/**
 * How much of a function runs before it is compiled for speed, sixteen times the default of Node 20: a worker has little
 * that is so hot, and compiling the rest of it cost more than a tenth of all CPU time of a thousand movies.
 */
const compileLater = '--interrupt-budget=1081344';

/**
 * For threads started later. The SDK takes a stack trace of every promise of a workflow, which is read only when
 * somebody inspects a workflow: a sixth of the worker's CPU time.
 */
const withoutTraces = '--stack-trace-limit=0';

/**
 * Starts the workers of this process: workflows and light activities on one queue, rate-limited orders on the other.
 *
 * @throws TemporalProblem when Temporal cannot be used.
 * @throws InstallationProblem when this machine's clock is off, or its archive is not the ledger's.
 * @throws Error when the movie service cannot be reached.
 */
export async function startWorker(
  installation: Installation,
  { sdkMetricsAt = null, onEvent, onProblem, tracing = null }: StartOptions = {},
): Promise<RunningWorker> {
  const { config, temporal, ledger, marks, service, clock } = installation;
  if (!temporal)
    throw new Error('Cannot start a worker: Temporal is not running; start "greenlight worker" or "greenlight run"');
  await refuseSkewedClock(ledger);
  await requireOwnArchive(ledger, installation.archive);
  // Before anything is opened: a worker that fails for lack of its namespace leaves its threads behind. The home's own
  // server was checked when it started.
  if (config.temporal) await tryTemporal(config.temporal);
  for (const flag of [...memoryFlags, compileLater, ...(config.debug ? [] : [withoutTraces])]) setFlagsFromString(flag);
  const releases = new Releases();
  return releases.whole(async () => {
    const runtime = quietRuntime(sdkMetricsAt, onProblem);
    releases.add(() => runtime.shutdown());
    const api = await installation.movieApi();
    const { polling, rowsPerSlice, maxInFlight, ordersPerSecond } = config;
    const remoteFiles = createRemoteFiles({
      folder: join(config.home, 'references'),
      allowPrivate: config.allowPrivateReferences,
      proxies: config.proxies,
    });
    releases.add(() => remoteFiles.close());
    const { name, baseUrl } = service;
    const keeper = createMarkKeeper(async () =>
      marks.write({ ...(await ledgerMark(ledger)), service: { name, baseUrl } }),
    );
    releases.add(() => keeper.stop());
    const archiver = createArchiveThread({
      ...{ archiveUrl: config.archiveUrl, stagingFolder: stagingFolderOf(config), proxies: config.proxies },
    });
    releases.add(() => archiver.close());
    const activities = createActivities({
      ...{ ledger, api, archiver, service, clock, polling, rowsPerSlice, maxInFlight, ordersPerSecond, remoteFiles },
      reportFolder: installation.reports,
      startBatch: installation.workflows.startBatch,
      takeUpRows: installation.workflows.takeUpRows,
      badEndOf: installation.workflows.badEndOf,
      webhookUrl: await installation.receiveWebhooks(),
      pacing: defaultPacing,
      markArchive: keeper.beforeSend,
      ...(onEvent && { onEvent }),
    });
    const names = namesOf(ledger.id);
    const workers = await createWorkers({ releases, temporal, names, activities, ordersPerSecond, tracing });
    releases.add(watchActs({ ledger, service, workflows: installation.workflows }));
    releases.add(tellPeople(installation));
    return run(workers, { releases, stopWaiting: ledger.stopWaiting });
  });
}

interface ToCreate extends Pick<Serving, 'names' | 'activities' | 'ordersPerSecond' | 'tracing'> {
  readonly releases: Releases;
  readonly temporal: TemporalConfig;
}

/** Connects to Temporal, makes the workers without running them, and schedules reconciling. */
async function createWorkers({ releases, temporal, names, ...serving }: ToCreate): Promise<readonly Worker[]> {
  const { namespace } = temporal;
  const connection = await NativeConnection.connect(nativeWay(temporal));
  releases.add(() => connection.close());
  const code = workflowCode();
  const workerDeploymentOptions = await deploymentOf(names.workflowQueue, code);
  const workers: Worker[] = [];
  for (const options of workerOptions({ ...serving, namespace, names, code, workerDeploymentOptions })) {
    const worker = await Worker.create({ connection, ...options });
    releases.add(() => drainUnstarted(worker));
    workers.push(worker);
  }
  await scheduleReconcile(new Client({ connection, namespace }), names);
  return workers;
}

/** A worker that never ran holds its connection until it has run, so this runs it for nothing. */
async function drainUnstarted(worker: Worker): Promise<void> {
  if (worker.getState() === 'INITIALIZED') await worker.runUntil(Promise.resolve());
}

interface Ending {
  readonly releases: Releases;
  /** Stops waiting for a ledger that is unavailable. */
  readonly stopWaiting: () => void;
}

function run(workers: readonly Worker[], { releases, stopWaiting }: Ending): RunningWorker {
  let stopping = false;
  const runs = workers.map((worker) => worker.run());
  const failed = Promise.race(runs).then(() => {
    if (stopping) return new Promise<never>(() => undefined);
    throw new Error('Cannot continue: a worker ended unexpectedly');
  });
  failed.catch(() => undefined); // callers that await it get the error; a worker that fails during a stop is in `runs`
  return {
    failed,
    lacking: () => lackingOf(workers, stopping),
    async stop() {
      stopping = true;
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.allSettled(runs);
      stopWaiting();
      await releases.all();
    },
  };
}

function lackingOf(workers: readonly Worker[], stopping: boolean): readonly string[] {
  if (stopping) return ['stopping'];
  return workers.every((worker) => worker.getState() === 'RUNNING') ? [] : ['a worker does not run'];
}

function problemWords({ message, meta }: LogEntry): string {
  const { error } = (meta ?? {}) as { readonly error?: unknown };
  return error === undefined ? message : `${message}: ${error instanceof Error ? error.message : String(error)}`;
}

/** Only errors reach the log; the command handles signals, since it knows what to say at Ctrl-C. */
function quietRuntime(metricsAt: string | null, onProblem: StartOptions['onProblem']): Runtime {
  return Runtime.install({
    logger: new DefaultLogger('ERROR', onProblem && ((entry) => onProblem(problemWords(entry)))),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: 'ERROR', forward: {} },
      ...(metricsAt !== null && {
        metrics: {
          prometheus: {
            bindAddress: metricsAt,
            countersTotalSuffix: true,
            unitSuffix: true,
            useSecondsForDurations: true,
          },
        },
      }),
    },
  });
}
