import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBatchStates } from '../../domain/batch-state.js';
import { setPolicy } from '../../ledger/access/policies.js';
import type { Ledger } from '../../ledger/ledger.js';
import { setBudget } from '../../ledger/money/budgets.js';
import { ledgerFaults } from '../../ledger/progress/orphans.js';
import { checkBooks } from '../../ledger/verification/check-books.js';
import { ada, fay, setTime } from '../ledger/scene.js';
import { brokenPromises } from '../oracle.js';
import { type Counts, count, observe, observeSends } from './coverage.js';
import { calmDown, disturb, disturbances, type Stage } from './disturbances.js';
import { faultClass } from './fault-classes.js';
import type { Fault } from './faults.js';
import { emptyLedger, ledgerFrom } from './ledger-copies.js';
import type { Sandbox } from './sandbox.js';
import { drawScenario } from './scenario.js';
import { World } from './world.js';

export interface SimulationOptions {
  readonly seed: number;
  /** The faults that may happen, by their numbers; all where it does not say. */
  readonly only?: readonly number[] | null;
  /** Asks the oracle after so many commits; 1 finds the step at which a promise was broken. */
  readonly askEvery?: number;
}

export interface Simulated {
  readonly seed: number;
  /** The promises that were broken; none when all is well. */
  readonly broken: readonly string[];
  readonly faults: readonly Fault[];
  readonly trace: readonly string[];
  readonly counts: Counts;
  readonly steps: number;
}

const mostSteps = 10_000;
const mostDays = 60;

/** Memory, where this machine has a disk that is made of it. */
const folders = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export class Simulator {
  readonly #sandbox: Sandbox;
  readonly #folder: string;
  readonly #empty: Buffer;
  #runs = 0;

  private constructor(sandbox: Sandbox, folder: string, empty: Buffer) {
    this.#sandbox = sandbox;
    this.#folder = folder;
    this.#empty = empty;
  }

  static async open(sandbox: Sandbox): Promise<Simulator> {
    const folder = await mkdtemp(join(folders, 'greenlight-simulation-'));
    return new Simulator(sandbox, folder, await emptyLedger(folder));
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs one seed to its rest. Same seed, same run. */
  async run({ seed, only = null, askEvery = 25 }: SimulationOptions): Promise<Simulated> {
    const folder = join(this.#folder, `seed-${this.#runs++}`);
    await mkdir(folder);
    const ledger = await ledgerFrom(this.#empty);
    const scenario = drawScenario(seed);
    const world = new World({ seed, only, sandbox: this.#sandbox, scenario, ledger, folder });
    const counts: Counts = new Map();
    const trace: string[] = [];
    const ordinary = chance();
    try {
      setTime(ledger, () => world.nowMs + world.skewMs);
      const actor = ada;
      const nowMs = world.nowMs;
      await setPolicy(ledger, { change: scenario.policy, actor, nowMs });
      const budget = { path: 'acme', rehearsal: true, currency: 'USD', actor: fay, nowMs };
      await setBudget(ledger, { ...budget, limitMinor: scenario.limitMinor });
      await world.open();
      world.run('submit', () => world.office.do('submit'));
      const stage = { world, ledger, counts, rows: scenario.rows };
      const { broken, steps } = await play(stage, { trace, askEvery, ...scenario });
      await observeSends(ledger, counts);
      if (broken.length > 0) trace.push(...(await left(ledger)));
      for (const { kind } of world.faults.happened) {
        count(counts, `fault ${kind}`);
        count(counts, `class ${faultClass(kind)}`);
      }
      return { seed, broken, faults: world.faults.happened, trace, counts, steps };
    } finally {
      ordinary();
      await world.close();
      await ledger.close();
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** The product draws jitter, and keeps timers for signs of life: here nothing is left to chance, and no timer runs. */
function chance(): () => void {
  const { random } = Math;
  const { setInterval: interval } = globalThis;
  Math.random = () => 0.5;
  globalThis.setInterval = (() => ({ unref: () => undefined })) as unknown as typeof setInterval;
  return () => {
    Math.random = random;
    globalThis.setInterval = interval;
  };
}

interface Play {
  readonly trace: string[];
  readonly askEvery: number;
  readonly disturbanceRate: number;
  readonly patience: number;
  readonly startsWell: boolean;
}

async function play(stage: Stage, { trace, askEvery, disturbanceRate, patience, startsWell }: Play) {
  const { world, ledger, counts } = stage;
  let commits = 0;
  let isQuiet = startsWell;
  world.faults.calm = isQuiet;
  const end = world.nowMs + mostDays * 86_400_000;
  for (let steps = 1; ; steps += 1) {
    await world.gates.settled();
    if (world.unforeseen.length > 0) return { steps, broken: world.unforeseen };
    if (steps === patience) calmDown(world);
    if (isQuiet && (steps >= patience || trace.at(-1)?.includes(': order of'))) {
      isQuiet = false;
      world.faults.calm = steps >= patience;
    }
    if (steps > mostSteps) return { steps, broken: ['it does not come to rest: too many steps'] };
    const disturbance = world.faults.draw(disturbanceRate, disturbances, `step ${steps}`);
    if (disturbance) {
      trace.push(`${steps}: ${disturbance}`);
      await disturb(stage, disturbance);
      continue;
    }
    const choices = world.choices();
    if (choices.length === 0) {
      if (world.faults.calm && (await isAtRest(ledger, world))) return { steps, broken: await atRest(stage) };
      if (world.nextDueMs > end) return { steps, broken: ['it does not come to rest: too late'] };
      const due = await world.passTo(world.nextDueMs);
      trace.push(`${steps}: ${new Date(world.nowMs).toISOString()} ${due.join(', ')}`);
      continue;
    }
    const choice = world.schedule.pick(choices);
    trace.push(`${steps}: ${choice.what}`);
    try {
      await choice.happen();
    } catch (error) {
      return { steps, broken: [String(error)] };
    }
    if (!choice.what.includes(': write')) continue;
    await world.gates.settled();
    commits += 1;
    await observe(ledger, counts);
    if (commits % askEvery !== 0) continue;
    const broken = await brokenNow(stage, false);
    if (broken.length > 0) return { steps, broken };
  }
}

async function isAtRest({ db }: Ledger, { temporal, faults, studio }: World): Promise<boolean> {
  if (!studio) return false;
  const open = [...openBatchStates, 'unsettled'] as const;
  const batch = await db
    .selectFrom('batches')
    .select('batch_id')
    .where('state', 'in', [...open])
    .executeTakeFirst();
  const running = temporal.executions.some(({ state }) => state === 'running');
  const any = await db.selectFrom('batches').select('batch_id').executeTakeFirst();
  return any !== undefined && !batch && !running && faults.calm;
}

async function left({ db }: Ledger): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('rows')
    .select(['batch_id', 'row_key', 'state', 'movie_id', 'reason', 'alarm'])
    .execute();
  const sends = await db.selectFrom('sends').select(['row_key', 'attempt', 'send_id', 'answer']).execute();
  const batches = await db.selectFrom('batches').select(['batch_id', 'state', 'stops']).execute();
  return [...batches, ...rows, ...sends].map((each) => JSON.stringify(each));
}

async function brokenNow({ world, ledger }: Stage, atEnd: boolean): Promise<readonly string[]> {
  if (!world.studio) return [];
  const books = world.studio.books();
  const all = await brokenPromises({ ledger, books, archiveFolder: world.archiveFolder });
  // Judged at rest only: while something goes on, a movie may be made of which nobody has heard yet.
  return atEnd ? all : all.filter((one) => !/^O(9|1[0-4]) /.test(one));
}

async function atRest(stage: Stage): Promise<readonly string[]> {
  const { ledger } = stage;
  const faults = (await ledgerFaults(ledger)).filter(({ kind }) => kind !== 'late_movie');
  return [
    ...(await brokenNow(stage, true)),
    ...faults.map((fault) => `books: ${JSON.stringify(fault)}`),
    ...(await checkBooks(ledger.db, null)).map((fault) => `books: ${JSON.stringify(fault)}`),
  ];
}
