import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { sql } from 'kysely';
import type { Brief } from '../domain/brief.js';
import { contentDigest } from '../domain/digests/content-digest.js';
import { readConfig } from '../home/config.js';
import { freePort } from '../home/free-port.js';
import { type Installation, openInstallation } from '../home/installation.js';
import { createTemporalClient } from '../home/temporal/temporal-client.js';
import { readBatch } from '../ledger/batches/batches.js';
import { countRows } from '../ledger/batches/rows.js';
import { setBudget } from '../ledger/money/budgets.js';
import { createBatch } from '../ledger/plan/create-batch.js';
import { approveBatch } from '../ledger/plan/decisions.js';
import { namesOf } from '../workflows/names.js';
import { benchKey, benchWebhookSecret, stopped } from './bench-services.js';
import { benchPrompt, type JobSeconds, secondsOf } from './job-lengths.js';
import { cpuMsOf, type Measured, peakMemoryMbOf } from './measured-process.js';
import { partOf } from './median.js';

export interface GreenlightOptions {
  readonly baseUrl: string;
  readonly address: string;
  readonly movies: number;
  readonly inFlight: number;
  readonly jobSeconds: JobSeconds;
  /** Estimates are so many times the real time. */
  readonly estimatesBy?: number;
  /** Whether the studio tells the worker of each movie; otherwise it is only asked. */
  readonly webhooks?: boolean;
}

export interface GreenlightResult {
  /** From the approval to the closed books. */
  readonly makingMs: number;
  readonly events: number;
  readonly historyBytes: number;
  readonly delivered: number;
  readonly polls: number;
  /** From a movie's end at the service to its files here: of half of them, and of all but one in a hundred. */
  readonly savedMs: { readonly p50: number; readonly p99: number };
}

const actor = { name: 'bench', roles: ['submitter', 'finance', 'operator'], channel: 'terminal' } as const;

/** A worker of the built program, in a process of its own like any other, and a batch that was just approved. */
export interface Begun {
  readonly installation: Installation;
  readonly temporal: ReturnType<typeof createTemporalClient>;
  readonly batchId: string;
  readonly worker: number;
  /** When it was approved, and what the worker had used by then. */
  readonly startedAt: number;
  readonly cpuBeforeMs: number;
}

/** Runs `work` while the movies are made, and ends the worker after it. */
export async function whileMaking<T>(options: GreenlightOptions, work: (begun: Begun) => Promise<T>): Promise<T> {
  const { baseUrl, address, movies, inFlight } = options;
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-'));
  const env = {
    ...{ GREENLIGHT_HOME: join(folder, 'home'), GREENLIGHT_MAX_IN_FLIGHT: String(inFlight), TEMPORAL_ADDRESS: address },
    ...{ MOVIE_API_URL: baseUrl, MOVIE_API_KEY: benchKey },
    ...(options.webhooks && (await webhookSettings())),
  };
  const installation = await openInstallation(await readConfig({ env, cwd: folder }));
  const temporal = createTemporalClient({ address, namespace: 'default', proxy: null }, installation.ledger.id);
  const worker = spawn(process.execPath, [builtProgram, 'worker'], {
    ...{ cwd: folder, env: { ...process.env, ...env } },
    stdio: ['ignore', 'ignore', 'inherit'], // nobody reads what it says of each movie
  });
  const ended = new Promise<never>((_, reject) => {
    worker.once('exit', (code, signal) => reject(new Error(`Cannot bench: the worker ended with ${code ?? signal}`)));
  });
  ended.catch(() => undefined); // it also ends when its work is done
  try {
    const batchId = await submit(installation, { movies, inFlight });
    await temporal.startBatch(batchId);
    await inState(installation, batchId, 'waiting');
    await spoilEstimates(installation, options.estimatesBy ?? 1);
    const cpuBeforeMs = cpuMsOf(pidOf(worker));
    const startedAt = performance.now();
    await approveBatch(installation.ledger, { batchId, actor, nowMs: Date.now() });
    await temporal.nudgeBatch(batchId);
    const begun = { installation, temporal, batchId, worker: pidOf(worker), startedAt, cpuBeforeMs };
    return await Promise.race([work(begun), ended]);
  } finally {
    await stopped(worker);
    await temporal.close();
    await installation.close();
  }
}

/** Orders the movies, and has them saved. */
export async function greenlight(options: GreenlightOptions): Promise<Measured<GreenlightResult>> {
  const { movies } = options;
  return whileMaking(options, async ({ installation, temporal, batchId, worker, startedAt, cpuBeforeMs }) => {
    const names = namesOf(installation.ledger.id);
    await temporal.client.workflow.getHandle(names.batch(batchId)).result();
    const makingMs = performance.now() - startedAt;
    const cpuMs = cpuMsOf(worker) - cpuBeforeMs;
    const { delivered = 0 } = await countRows(installation.ledger, batchId);
    const slices = Math.ceil(movies / installation.config.rowsPerSlice);
    const sliceIds = Array.from({ length: slices }, (_, slice) => names.slice(batchId, slice, 1));
    const history = await historyOf(temporal.client, [names.batch(batchId), ...sliceIds]);
    return {
      result: { makingMs, delivered, ...history, ...(await looksOf(installation, options)) },
      cpuMs,
      peakMemoryMb: peakMemoryMbOf(worker),
    };
  });
}

async function webhookSettings() {
  const place = `127.0.0.1:${await freePort()}`;
  return {
    ...{ GREENLIGHT_WEBHOOK_URL: `http://${place}/webhooks`, GREENLIGHT_WEBHOOK_LISTEN: place },
    GREENLIGHT_WEBHOOK_SECRET: benchWebhookSecret,
  };
}

const builtProgram = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('Cannot bench: the worker did not start; run "npm run build" first');
  return pid;
}

async function submit({ ledger, service }: Installation, { movies, inFlight }: { movies: number; inFlight: number }) {
  await setBudget(ledger, {
    rehearsal: service.rehearsal,
    path: 'bench',
    limitMinor: 1e9,
    currency: 'USD',
    actor,
    nowMs: Date.now(),
  });
  const { batchId } = await createBatch(ledger, {
    ...{ service, campaign: 'bench', actor, nowMs: Date.now(), rows: () => rowsOf(movies) },
    manifest: { name: 'bench.csv', columns: ['id', 'prompt'] },
    settings: {
      ...{ budgetPath: 'bench', currency: null, tolerance: null, canary: null, deadlineSeconds: null },
      ...{ maxInFlight: inFlight, include: [], respend: false, allowDuplicates: false, allowFree: false },
    },
  });
  return batchId;
}

async function* rowsOf(movies: number) {
  for (let from = 0; from < movies; from += 500) {
    const numbers = Array.from({ length: Math.min(500, movies - from) }, (_, index) => from + index);
    yield numbers.map((number) => {
      const rowKey = `m-${number}`;
      const prompt = benchPrompt(number);
      const brief: Brief = { rowKey, prompt, durationSeconds: 5, aspectRatio: null, style: null, references: [] };
      return { brief, contentDigest: contentDigest(brief) ?? '', cells: [rowKey, prompt], row: number + 2 };
    });
  }
}

/** As a service would have given them that knows its own movies badly. */
async function spoilEstimates({ ledger }: Installation, by: number): Promise<void> {
  if (by === 1) return;
  const runtime = sql<number>`cast(round(runtime_seconds * ${by}) as integer)`;
  await ledger.db.updateTable('rows').set({ runtime_seconds: runtime }).execute();
}

async function looksOf({ ledger }: Installation, { jobSeconds }: GreenlightOptions) {
  const rows = await ledger.db.selectFrom('rows').select(['row_key', 'ordered_ms', 'ended_ms', 'polls']).execute();
  const saved = rows.map(
    (row) => (row.ended_ms ?? 0) - (row.ordered_ms ?? 0) - 1_000 * secondsOf(Number(row.row_key.slice(2)), jobSeconds),
  );
  return {
    polls: rows.reduce((sum, row) => sum + row.polls, 0),
    savedMs: { p50: partOf(saved, 0.5), p99: partOf(saved, 0.99) },
  };
}

async function inState({ ledger }: Installation, batchId: string, state: string): Promise<void> {
  for (;;) {
    const batch = await readBatch(ledger, batchId);
    if (batch.state === state) return;
    if (batch.state !== 'preparing') throw new Error(`Cannot bench: the batch is ${batch.state}, ${batch.stateReason}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function historyOf(client: Client, ids: readonly string[]) {
  const histories = await Promise.all(ids.map((id) => client.workflow.getHandle(id).describe()));
  const sum = (of: (one: (typeof histories)[number]) => number) => histories.reduce((total, one) => total + of(one), 0);
  return { events: sum((one) => one.historyLength), historyBytes: sum((one) => one.historySize ?? 0) };
}
