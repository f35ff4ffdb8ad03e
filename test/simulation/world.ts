import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import type { ArchiveMarks } from '../../domain/ledger-mark.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Studio } from '../../studio/studio.js';
import { namesOf } from '../../workflows/names.js';
import { studio as service } from '../ledger/scene.js';
import type { Activity, Attempt } from './execution.js';
import { Faults } from './faults.js';
import { Gates, type Process } from './gates.js';
import { Office, type OfficeDeps } from './office.js';
import { gatedLedger, type Surroundings, startWorker, type Worker, workflowPort } from './process.js';
import { type Random, seeded } from './random.js';
import type { Sandbox } from './sandbox.js';
import type { Scenario } from './scenario.js';
import { Temporal } from './temporal.js';
import { Events } from './wire/events.js';
import { Network } from './wire/network.js';
import { openService } from './wire/service.js';

export interface WorldOptions {
  readonly seed: number;
  readonly only: readonly number[] | null;
  readonly sandbox: Sandbox;
  readonly scenario: Scenario;
  readonly ledger: Ledger;
  /** Empty, and removed by who gave it. */
  readonly folder: string;
  /** Of the archive. */
  readonly marks: ArchiveMarks;
  /** Where this world goes on from another one. */
  readonly startMs?: number;
}

interface Due {
  readonly dueMs: number;
  readonly what: string;
  readonly happen: () => void | Promise<void>;
}

/** One thing that may happen next. */
export interface Choice {
  readonly what: string;
  readonly happen: () => void | Promise<void>;
}

const startMs = Date.UTC(2026, 10, 28, 12);
const reconcileEveryMs = 40 * 60_000;
const lookAfterEveryMs = 20 * 60_000;

/** Everything that a seed moves: processes, service, server, people, one clock. */
export class World {
  nowMs: number;
  /** A backup of the ledger. */
  copy: Buffer | null = null;
  /** The database's clock against everybody else's. */
  skewMs = 0;
  lockedOutUntilMs = 0;
  temporalIsAway = false;
  readonly gates = new Gates();
  readonly schedule: Random;
  readonly faults: Faults;
  readonly temporal: Temporal;
  readonly workers: Worker[] = [];
  readonly archiveFolder: string;
  office!: Office;
  events!: Events;
  studio: Studio | null = null;
  readonly #options: WorldOptions;
  readonly #attempts = new Set<Attempt>();
  readonly #dues: Due[] = [];
  readonly #people: Process = { name: 'people', alive: true };
  /** What nobody in the product expected. */
  readonly unforeseen: string[] = [];
  #around!: Surroundings;
  #started = 0;

  constructor(options: WorldOptions) {
    const { seed, only, sandbox, folder } = options;
    this.#options = options;
    this.nowMs = options.startMs ?? startMs;
    this.schedule = seeded(seed, 'schedule');
    this.faults = new Faults(seeded(seed, 'faults'), only);
    this.temporal = new Temporal({ sandbox, clock: () => this.nowMs, isCalm: () => this.faults.calm });
    this.archiveFolder = join(folder, 'archive');
  }

  async open(): Promise<void> {
    const { scenario, ledger, folder, seed, marks } = this.#options;
    await mkdir(join(folder, 'studio'), { recursive: true });
    await this.openStudio();
    const deps = {
      ...{ gates: this.gates, faults: this.faults, clock: () => this.nowMs, studio: () => this.studio },
      ...{ probability: scenario.faultRate, lockedOut: () => this.nowMs < this.lockedOutUntilMs },
      knowsKeys: scenario.mode !== 'none',
      onMovie: (movieId: string) => this.#tellOf(movieId),
    };
    this.#around = {
      ...{
        ...deps,
        network: new Network(deps),
        ledger,
        marks,
        temporal: this.temporal,
        archiveFolder: this.archiveFolder,
      },
      ...{ rowsPerSlice: scenario.rowsPerSlice, ordersPerSecond: scenario.ordersPerSecond },
    };
    await this.startWorker();
    await this.startWorker();
    const office: OfficeDeps = {
      ...{ ledger: gatedLedger(this.#people, this.#around), workflows: workflowPort(this.#people, this.#around) },
      ...{ service, clock: () => this.nowMs, scenario, random: seeded(seed, 'people') },
      api: this.#around.network.api(this.#people),
      books: () => this.studio?.books() ?? null,
      onTheWire: () =>
        this.gates.parked.some(({ kind, label }) => kind === 'request' && label.startsWith('POST movies')),
    };
    this.office = new Office(office);
    this.events = new Events(this.#around, this.#people);
    const names = namesOf(ledger.id);
    this.#repeat(reconcileEveryMs, 'reconcile', () => {
      if (this.temporalIsAway) return;
      const start = { workflowId: names.reconcile, taskQueue: names.workflowQueue, args: [] };
      this.temporal.start({ type: 'reconcileWorkflow', ...start });
    });
    let looking = false;
    this.#repeat(lookAfterEveryMs, 'people look after everything', () => {
      if (looking) return;
      looking = true;
      this.run('people look after everything', () =>
        this.office.lookAfter().finally(() => {
          looking = false;
        }),
      );
    });
  }

  /** Once its time is over, the service says so; sooner or later. */
  #tellOf(movieId: string): void {
    const { scenario } = this.#options;
    if (!scenario.events) return;
    const inMs = scenario.jobSeconds * 1_000 + this.schedule.between(0, 20_000);
    this.later(inMs, `an event of ${movieId}`, () =>
      this.run('an event', () => this.events.tell({ movieId, status: 'completed' })),
    );
  }

  async openStudio(): Promise<void> {
    const { folder, scenario } = this.#options;
    this.studio = await openService(join(folder, 'studio'), scenario, () => this.nowMs);
  }

  async startWorker(): Promise<void> {
    this.#started += 1;
    this.workers.push(await startWorker(`worker ${this.#started}`, this.#around));
  }

  /** Begins something that goes on by itself, from gate to gate. */
  run(what: string, doing: () => Promise<unknown>): void {
    doing().catch((error: unknown) => this.unforeseen.push(`${what}: ${error}`));
  }

  later(inMs: number, what: string, happen: () => void | Promise<void>): void {
    this.#dues.push({ dueMs: this.nowMs + inMs, what, happen });
  }

  #repeat(everyMs: number, what: string, happen: () => void): void {
    this.later(everyMs, what, () => {
      happen();
      this.#repeat(everyMs, what, happen);
    });
  }

  /** Everything that may happen now. */
  choices(): readonly Choice[] {
    const { gates, temporal, temporalIsAway } = this;
    const alive = this.workers.filter((worker) => worker.alive);
    const doors = gates.parked
      .filter(({ kind }) => !(temporalIsAway && (kind === 'report' || kind === 'temporal')))
      .map((gate) => ({
        what: `${gate.process.name}: ${gate.kind} ${gate.label}`,
        happen: () => gates.open(gate, gate.expiresMs < this.nowMs ? 'expired' : 'turn'),
      }));
    if (temporalIsAway || alive.length === 0) return doors;
    const tasks = temporal.tasks.map((execution) => ({
      what: `workflow task of ${execution.workflowId}`,
      happen: () =>
        temporal.runTask(
          execution,
          alive.find((one) => one === execution.cached?.process) ?? this.schedule.pick(alive),
        ),
    }));
    const starts = temporal.startable.map((activity) => ({
      what: `${activity.type} of ${activity.execution.workflowId} ${JSON.stringify(activity.args)}, attempt ${activity.attempt}`,
      happen: () => this.#begin(activity, this.schedule.pick(alive)),
    }));
    const cancels = [...this.#attempts].filter(isToHear).map((attempt) => ({
      what: `${attempt.activity.type} at ${attempt.process.name} hears that it is canceled`,
      happen: () => attempt.cancel.abort(new CancelledFailure('CANCELLED')),
    }));
    return [...doors, ...tasks, ...starts, ...cancels];
  }

  #begin(activity: Activity, worker: Worker): void {
    const attempt = this.temporal.begin(activity, worker);
    this.#attempts.add(attempt);
    const { workflowId, runId } = activity.execution;
    const context = {
      ...{ heartbeat: () => undefined, cancellationSignal: attempt.cancel.signal },
      info: { workflowExecution: { workflowId, runId }, attempt: activity.attempt },
    } as unknown as Context; // what the activities read of it
    const act = worker.activities[activity.type as keyof Worker['activities']] as (
      ...args: unknown[]
    ) => Promise<unknown>;
    const report = async (outcome: { readonly value: unknown } | { readonly error: unknown }) => {
      await this.gates.park({ kind: 'report', label: activity.type, process: worker });
      this.#attempts.delete(attempt);
      this.temporal.finish(attempt, outcome);
    };
    this.run(activity.type, () =>
      asyncLocalStorage
        .run(context, () => act(...activity.args))
        .then(
          (value) => report({ value }),
          (error: unknown) => report({ error }),
        ),
    );
  }

  /** When something happens by itself. */
  get nextDueMs(): number {
    const temporal = this.temporalIsAway ? Number.POSITIVE_INFINITY : this.temporal.nextDueMs;
    return Math.min(temporal, ...this.#dues.map(({ dueMs }) => dueMs));
  }

  /** Lets time pass, and what is due by then happen. @returns what happened. */
  async passTo(nowMs: number): Promise<readonly string[]> {
    this.nowMs = Math.max(this.nowMs, nowMs);
    const due = this.#dues.filter(({ dueMs }) => dueMs <= this.nowMs);
    for (const one of due) this.#dues.splice(this.#dues.indexOf(one), 1);
    for (const one of due) await one.happen();
    if (!this.temporalIsAway) this.temporal.expire();
    return due.map(({ what }) => what);
  }

  /** SIGKILL. What it had sent may arrive all the same. */
  kill(worker: Worker): void {
    worker.alive = false;
    this.workers.splice(this.workers.indexOf(worker), 1);
    const left = this.gates.parked.filter(({ process }) => process === worker);
    const sent = left.filter(({ kind }) => kind === 'request' && this.faults.random.chance(0.5));
    this.gates.drop(left.filter((gate) => !sent.includes(gate)));
    for (const gate of sent) this.gates.open(gate, 'expired');
    for (const attempt of this.#attempts) if (attempt.process === worker) this.#attempts.delete(attempt);
    this.temporal.losesProcess(worker);
  }

  /** Running attempts, of which some worker may seem to be dead. */
  get attempts(): readonly Attempt[] {
    return [...this.#attempts];
  }

  async close(): Promise<void> {
    for (const worker of this.workers) worker.alive = false;
    this.#people.alive = false;
    await this.temporal.end();
    await this.studio?.close();
  }
}

function isToHear({ activity, cancel, process }: Attempt): boolean {
  const isOld = activity.run?.cancel !== cancel || !activity.execution.activities.has(activity.seq);
  return process.alive && !cancel.signal.aborted && (isOld || activity.cancelRequested);
}
