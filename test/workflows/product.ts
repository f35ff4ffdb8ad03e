import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { inject } from 'vitest';
import type { Activities } from '../../activities/activities.js';
import { createActivities } from '../../activities/create-activities.js';
import { defaultPacing } from '../../activities/deps.js';
import { createMovieApi, type MovieApi } from '../../api/movie-api.js';
import { createFileStore } from '../../archive/folder/file-store.js';
import { createMovieArchiver } from '../../archive/movie-archiver.js';
import type { Brief } from '../../domain/brief.js';
import { contentDigest } from '../../domain/digests/content-digest.js';
import { defaultPolling, type PollingLimits } from '../../domain/polling.js';
import type { Service } from '../../domain/service.js';
import { createTemporalClient } from '../../home/temporal/temporal-client.js';
import type { BatchSettings } from '../../ledger/batches/batch-record.js';
import { type Ledger, LedgerError, openLedger } from '../../ledger/ledger.js';
import { setBudget } from '../../ledger/money/budgets.js';
import { createBatch } from '../../ledger/plan/create-batch.js';
import { approveBatch } from '../../ledger/plan/decisions.js';
import { createRemoteFiles } from '../../pricing/remote-files.js';
import { createReportFolder } from '../../reports/report-folder.js';
import type { WorkEvent } from '../../reports/wording/work-event.js';
import { serveStudio } from '../../studio/serve.js';
import type { Studio, StudioOptions } from '../../studio/studio.js';
import { serveWebhooks } from '../../web/webhooks/serve-webhooks.js';
import { unreplayableFails } from '../../worker/workflow-code.js';
import { type LedgerNames, namesOf } from '../../workflows/names.js';
import { setTime } from '../ledger/scene.js';
import { failedReplays, historiesFrom } from './replay.js';

/**
 * The whole product below the command line, on the time-skipping server: real workflows, activities, ledger, archive
 * and studio, all on the server's clock.
 */
export interface Product {
  readonly env: TestWorkflowEnvironment;
  readonly ledger: Ledger;
  /** What its work is called in Temporal. */
  readonly names: LedgerNames;
  readonly studio: Studio;
  /** What the workers have told so far. */
  readonly events: readonly WorkEvent[];
  readonly api: MovieApi;
  /** The server's time when an activity last started. */
  readonly nowMs: () => number;
  submit(briefs: readonly Brief[], settings?: Partial<BatchSettings>): Promise<string>;
  approve(batchId: string): Promise<void>;
  start(batchId: string): Promise<void>;
  /** Waits for the batch's workflow, skipping time. */
  result(batchId: string): Promise<string>;
  /** Waits until the estimates of a batch that waits for its decision are fresh again. */
  reprice(batchId: string): Promise<void>;
  nudge(batchId: string): Promise<void>;
  /** Ends the workers, and starts others with the workflows of this file. */
  deploy(workflowsPath: string): Promise<void>;
  /** Answers how many workflows it started. */
  reconcile(): Promise<number>;
  /** @throws Error when a workflow of the test does not replay from its history. */
  close(): Promise<void>;
}

export interface ProductOptions {
  /** A real dev server, on the machine's clock; time-skipping where it does not say. */
  readonly server?: 'dev';
  /** A server that others use too, and that outlives the product. */
  readonly on?: TestWorkflowEnvironment;
  readonly studio?: Partial<StudioOptions>;
  readonly activities?: (real: Activities) => Partial<Activities>;
  readonly maxInFlight?: number;
  readonly rowsPerSlice?: number;
  readonly ordersPerSecond?: number;
  readonly polling?: PollingLimits;
  /** The studio sends events, which are received here; their secret, and whether both sides know it. On a real server only. */
  readonly webhooks?: { readonly secret: string; readonly checked: boolean };
}

export const submitter = { name: 'sam', roles: ['submitter', 'finance', 'operator'], channel: 'terminal' } as const;
const service: Service = { name: 'studio', baseUrl: 'embedded', rehearsal: true };
const apiKey = 'test-key-of-the-studio';

let quiet = false;

/** The SDK warns that the time-skipping server is old, once a connection. */
function beQuiet(): void {
  if (quiet) return;
  quiet = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
    shutdownSignals: [],
  });
}

export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const real = options.server === 'dev';
  const env = options.on ?? (await startServer(options));
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-product-'));
  let now = await env.currentTimeMs();
  const clock = () => (real ? Date.now() : Number(now));
  const ledger = await openLedger({ url: `sqlite:${join(folder, 'ledger.db')}` });
  setTime(ledger, clock);
  const names = namesOf(ledger.id);
  const { webhooks } = options;
  const temporal = createTemporalClient(
    { address: env.address, namespace: env.namespace ?? 'default', proxy: null },
    ledger.id,
  );
  const receiver = webhooks
    ? await serveWebhooks(
        { host: '127.0.0.1', port: 0, path: '/webhooks', secrets: webhooks.checked ? [webhooks.secret] : [] },
        { ledger, clock, workflows: temporal },
      )
    : null;
  const served = await serveStudio({
    ...{ port: 0, dataFolder: join(folder, 'studio'), apiKeys: [apiKey], render: 'stub', clock, books: true },
    ...(webhooks && { webhooks: { secret: webhooks.secret, allowLoopback: true } }),
    ...options.studio,
  });
  const api = createMovieApi({ baseUrl: served.url, apiKey });
  const events: WorkEvent[] = [];
  const ours = createActivities({
    ...{ ledger, api, service, clock, polling: options.polling ?? defaultPolling },
    archiver: createMovieArchiver({ store: await createFileStore(join(folder, 'out')), clock }),
    remoteFiles: createRemoteFiles({ folder: join(folder, 'references'), allowPrivate: true }),
    reportFolder: (batchId) => createReportFolder(join(folder, 'out', batchId)),
    startBatch: async (batchId) => {
      await start(batchId);
      return true;
    },
    badEndOf: temporal.badEndOf,
    takeUpRows: temporal.takeUpRows,
    onEvent: (event) => events.push(event),
    webhookUrl: receiver ? `http://127.0.0.1:${receiver.port}/webhooks` : null,
    pacing: real ? defaultPacing : { ...defaultPacing, patienceMs: 0, gatherMs: 0, trickleMs: 0 },
    rowsPerSlice: options.rowsPerSlice ?? 100,
    maxInFlight: options.maxInFlight ?? 100,
    ordersPerSecond: options.ordersPerSecond ?? null,
  });
  const activities = onServerTime({ ...ours, ...options.activities?.(ours) }, async () => {
    now = await env.currentTimeMs();
  });
  const common = { connection: env.nativeConnection, activities };
  const startWorkers = async (code: Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>) => {
    const making = { ...common, ...code, taskQueue: names.workflowQueue, workflowFailureErrorTypes: unreplayableFails };
    const started = [await Worker.create(making), await Worker.create({ ...common, taskQueue: names.orderQueue })];
    const runs = started.map((worker) => worker.run());
    return async () => {
      for (const worker of started) worker.shutdown();
      await Promise.all(runs);
    };
  };
  let stopWorkers = await startWorkers({ workflowBundle: { codePath: inject('workflowBundle') } });
  const submitted: string[] = [];
  let deployed = false;

  async function submit(briefs: readonly Brief[], settings: Partial<BatchSettings> = {}): Promise<string> {
    now = await env.currentTimeMs();
    const budgetPath = settings.budgetPath ?? 'spring';
    await setBudget(ledger, {
      rehearsal: true,
      path: budgetPath,
      limitMinor: 1_000_000,
      currency: 'USD',
      actor: submitter,
      nowMs: clock(),
    });
    const { batchId } = await createBatch(ledger, {
      ...{ service, campaign: 'spring', actor: submitter, nowMs: clock() },
      manifest: { name: 'spring.csv', columns: ['id', 'prompt'] },
      settings: {
        ...{ budgetPath, currency: null, tolerance: null, canary: null, maxInFlight: null, deadlineSeconds: null },
        ...{ include: [], respend: false, allowDuplicates: false, allowFree: false },
        ...settings,
      },
      rows: () => pageOf(briefs),
    });
    submitted.push(batchId);
    return batchId;
  }

  const nudge = (batchId: string) => env.client.workflow.getHandle(names.batch(batchId)).signal('nudge');
  const start = (batchId: string) =>
    env.client.workflow.start('batchWorkflow', {
      ...{ args: [{ ledgerId: ledger.id, batchId }], taskQueue: names.workflowQueue, workflowId: names.batch(batchId) },
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  return {
    ...{ env, ledger, names, events, api, studio: served.studio, submit, nowMs: clock },
    approve: async (batchId) => {
      await approveBatch(ledger, { batchId, actor: submitter, nowMs: clock() });
    },
    start: async (batchId) => void (await start(batchId)),
    result: (batchId) => env.client.workflow.getHandle(names.batch(batchId)).result() as Promise<string>,
    async reprice(batchId) {
      const nowMs = Number(await env.currentTimeMs());
      const refusal = await approveBatch(ledger, { batchId, actor: submitter, nowMs }).catch((error: unknown) => error);
      if (!(refusal instanceof LedgerError) || refusal.code !== 'stale_estimates')
        throw new Error(`Not stale: ${refusal}`);
      await env.sleep('6 minutes'); // until the gate looks
    },
    nudge,
    async deploy(workflowsPath) {
      await stopWorkers();
      deployed = true;
      stopWorkers = await startWorkers({ workflowsPath });
    },
    reconcile: () =>
      env.client.workflow.execute('reconcileWorkflow', {
        ...{ args: [], taskQueue: names.workflowQueue, workflowId: names.reconcile },
      }) as Promise<number>,
    async close() {
      const histories = await Promise.all(submitted.map((batchId) => historiesFrom(env.client, names.batch(batchId))));
      const failures = deployed ? [] : await failedReplays(histories.flat()); // other code made those
      await stopWorkers();
      await api.close();
      await served.close();
      await receiver?.close();
      await temporal.close();
      await ledger.close();
      if (!options.on) await env.teardown();
      await rm(folder, { recursive: true, force: true });
      if (failures.length > 0) throw new Error(`Workflows do not replay:\n${failures.join('\n')}`);
    },
  };
}

export function startServer({ server }: Pick<ProductOptions, 'server'>): Promise<TestWorkflowEnvironment> {
  beQuiet();
  if (server !== 'dev') {
    const executable = { type: 'existing-path', path: inject('testServer') } as const;
    return TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
  }
  const executable = { type: 'existing-path', path: inject('devServer') } as const;
  const extraArgs = ['--headless', '--log-level', 'error'];
  const timers = ['--dynamic-config-value', 'history.timerProcessorMaxTimeShift="10ms"'];
  return TestWorkflowEnvironment.createLocal({ server: { executable, extraArgs: [...extraArgs, ...timers] } });
}

export function brief(rowKey: string, over: Partial<Brief> = {}): Brief {
  return {
    rowKey,
    prompt: `A runner at dawn, take ${rowKey}`,
    durationSeconds: 5,
    aspectRatio: '16:9',
    style: null,
    references: [],
    ...over,
  };
}

async function* pageOf(briefs: readonly Brief[]) {
  yield briefs.map((one, index) => ({
    brief: one,
    contentDigest: contentDigest(one) ?? '',
    cells: [one.rowKey, one.prompt],
    row: index + 2,
  }));
}

/** The clock is read from the server before each activity: within one, no time passes there. */
function onServerTime(activities: Activities, look: () => Promise<void>): Activities {
  const timed = Object.entries(activities).map(([name, activity]) => [
    name,
    async (...args: unknown[]) => {
      await look();
      return (activity as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  return Object.fromEntries(timed) as Activities; // same names, same signatures
}
