import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setPolicy } from '../../ledger/access/policies.js';
import { setBudget } from '../../ledger/money/budgets.js';
import { ada, fay, setTime } from '../ledger/scene.js';
import { type Counts, count, observeSends } from './coverage.js';
import { faultClass } from './fault-classes.js';
import type { Fault } from './faults.js';
import { emptyLedger, ledgerFrom } from './ledger-copies.js';
import { left, play } from './play.js';
import { marksInMemory, restore } from './restored.js';
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
    const options = { seed, only, sandbox: this.#sandbox, scenario, ledger, folder, marks: marksInMemory() };
    const world = new World(options);
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
      const stage = {
        world,
        ledger,
        counts,
        rows: scenario.rows,
        forgotten: new Set<string>(),
        accepted: new Set<string>(),
      };
      let { broken, steps } = await play(stage, { trace, askEvery, ...scenario });
      if (broken.length > 0) trace.push(...(await left(ledger)));
      await observeSends(ledger, counts);
      if (broken.length === 0 && world.copy) {
        ({ broken, steps } = await restore({ lost: stage, copy: world.copy, options, how: { trace, askEvery } }));
      }
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
