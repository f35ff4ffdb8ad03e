import { appendFile, readFile, writeFile } from 'node:fs/promises';
import type { RunnerTask, RunnerTestCase } from 'vitest';
import { startTests } from 'vitest/internal/browser';

/**
 * Runs the suites of the ledger for StrykerJS in one process that is kept: the sources are loaded once, and a mutant is
 * switched on while the tests run that reach it, those first that are likely to notice it. Its own runner for Vitest loads
 * all sources again for each mutant and runs the tests in their order, which takes ten times as long.
 */

type VitestRunner = Parameters<typeof startTests>[1];

/** What the instrumented sources write and read. */
interface MutantSwitch {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: { readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>> } | undefined;
}

interface TestResult {
  readonly id: string;
  readonly name: string;
  readonly timeSpentMs: number;
  /** 0 success, 1 failed, 2 skipped. */
  readonly status: 0 | 1 | 2;
  readonly failureMessage: string;
}

interface MutantRunOptions {
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
  readonly activeMutant: { readonly id: string; readonly fileName: string };
}

type MutantResult =
  | {
      readonly status: 'killed';
      readonly killedBy: readonly string[];
      readonly failureMessage: string;
      readonly nrOfTests: number;
    }
  | { readonly status: 'survived'; readonly nrOfTests: number };

const testTimeoutMs = 60_000;
/**
 * A test that takes longer with a mutant waits for what never comes: without one the longest takes two seconds. It is ended,
 * and the process with it, which may still hold something.
 */
const mutantTimeoutMs = 8_000;
/** So many are run by themselves before the others. */
const likelyCount = 12;
/** With fewer than all, a mutant that many tests reach is judged by these many: of each suite in turn, and the rarest. */
const mostTests = Number(process.env.GREENLIGHT_MUTATION_TESTS ?? Number.POSITIVE_INFINITY);
/** Each result as a line of JSON, for whoever does not want to wait for the report. */
const resultsPath = process.env.GREENLIGHT_MUTATION_RESULTS;

export const strykerPlugins = [{ kind: 'TestRunner', name: 'ledger', injectableClass: runnerClass() }];

function runnerClass() {
  return class LedgerRunner {
    readonly #switch: MutantSwitch;
    readonly #known = new Map<string, KnownTest>();
    /** How many of the last mutants each test has noticed: neighbours are noticed by the same tests. */
    readonly #noticed = new Map<string, number>();
    #collect: () => void = () => {};
    #worn = false;

    constructor() {
      const namespace = '__stryker__';
      const globals = globalThis as unknown as Record<string, MutantSwitch>;
      globals[namespace] ??= {};
      this.#switch = globals[namespace];
    }

    capabilities() {
      return { reloadEnvironment: false };
    }

    async init(): Promise<void> {
      await buildQueriesEachTime();
      for (const test of await readKnownTests()) this.#known.set(test.id, test);
      ({ collectLedgerSuites: this.#collect } = await import(`${process.cwd()}/test/mutation/ledger-suites.ts`));
    }

    async dryRun() {
      this.#switch.activeMutant = undefined;
      const tests = await this.#run({ chosen: undefined, untilFailure: false });
      const rarity = rarityOf(this.#switch.mutantCoverage?.perTest ?? {});
      for (const { id, name, timeSpentMs } of tests) {
        const suite = name.split(' > ')[0] ?? '';
        this.#known.set(id, { id, suite, costMs: timeSpentMs, rarity: rarity.get(id) ?? 0 });
      }
      await writeFile(knownTestsPath(), JSON.stringify([...this.#known.values()]));
      return { status: 'complete', tests, mutantCoverage: this.#switch.mutantCoverage };
    }

    async mutantRun(options: MutantRunOptions) {
      if (this.#worn) throw new Error('a test was given up in this process: begin with a new one');
      const result = await this.#judge(options);
      if (resultsPath) {
        const reached = options.testFilter?.length;
        await appendFile(resultsPath, `${JSON.stringify({ ...options.activeMutant, ...result, reached })}\n`);
      }
      return result;
    }

    async #judge({ testFilter = [], hitLimit, activeMutant }: MutantRunOptions): Promise<MutantResult> {
      this.#switch.activeMutant = activeMutant.id;
      this.#switch.hitCount = 0;
      this.#switch.hitLimit = hitLimit;
      const ordered = [...testFilter].sort((one, other) => this.#rank(one) - this.#rank(other));
      const rest = ordered.slice(likelyCount);
      const inTurn = ofEachInTurn(rest, (id) => this.#known.get(id)?.suite ?? '');
      const rarity = (id: string) => this.#known.get(id)?.rarity ?? 0;
      const rare = [...rest].sort((one, other) => rarity(other) - rarity(one));
      const others = [...new Set(inTurn.flatMap((id, index) => [rare[index] ?? id, id]))];
      let nrOfTests = 0;
      for (const part of [ordered.slice(0, likelyCount), others.slice(0, Math.max(0, mostTests - likelyCount))]) {
        if (part.length === 0) continue;
        const tests = await this.#run({ chosen: part, untilFailure: true });
        nrOfTests += tests.length;
        const failed = tests.find(({ status }) => status === 1);
        if (!failed) continue;
        this.#noted(failed.id);
        return { status: 'killed', killedBy: [failed.id], failureMessage: failed.failureMessage, nrOfTests };
      }
      return { status: 'survived', nrOfTests };
    }

    #rank(id: string): number {
      return (this.#known.get(id)?.costMs ?? 100) / (1 + 20 * (this.#noticed.get(id) ?? 0));
    }

    #noted(id: string): void {
      for (const [other, weight] of this.#noticed) this.#noticed.set(other, weight * 0.9);
      this.#noticed.set(id, (this.#noticed.get(id) ?? 0) + 1);
    }

    async #run(wanted: { readonly chosen: readonly string[] | undefined; readonly untilFailure: boolean }) {
      const order = wanted.chosen && new Map(wanted.chosen.map((id, index) => [id, index]));
      const results: TestResult[] = [];
      let failed = false;
      const runner = {
        config: {
          root: process.cwd(),
          testTimeout: wanted.untilFailure ? mutantTimeoutMs : testTimeoutMs,
          hookTimeout: wanted.untilFailure ? mutantTimeoutMs : testTimeoutMs,
          setupFiles: [],
          sequence: { hooks: 'stack', seed: 1 },
          maxConcurrency: 1,
          passWithNoTests: true,
          tags: [],
        },
        pool: 'threads',
        importFile: () => this.#collect(),
        onCollected: (files: RunnerTask[]) => {
          if (order) for (const file of files) choose(file, order);
        },
        onBeforeRunTask: (test: RunnerTestCase) => {
          if (failed && wanted.untilFailure) test.mode = 'skip';
          this.#switch.currentTestId = test.id;
        },
        onAfterRunTask: (test: RunnerTestCase) => {
          this.#switch.currentTestId = undefined;
          const result = resultOf(test);
          if (result.status === 2 && test.mode !== 'run') return;
          results.push(result);
          failed ||= result.status === 1;
          this.#worn ||= result.status === 1 && /timed out in \d+ms/.test(result.failureMessage);
        },
      };
      await startTests(['test/mutation/ledger-suites.ts'], runner as unknown as VitestRunner);
      return results;
    }
  };
}

/** What the run without mutants has shown of a test; a process that takes another's place learns it from a file. */
interface KnownTest {
  readonly id: string;
  readonly suite: string;
  readonly costMs: number;
  /** How much it reaches that few others reach: it is likely to be about just that. */
  readonly rarity: number;
}

/** In the copy that StrykerJS makes. */
function knownTestsPath(): string {
  return `${process.cwd()}/known-tests.json`;
}

async function readKnownTests(): Promise<readonly KnownTest[]> {
  try {
    return JSON.parse(await readFile(knownTestsPath(), 'utf8')) as KnownTest[]; // written by another runner
  } catch {
    return [];
  }
}

/** The text of a prepared query is kept, so a mutant in it would change nothing after the first test; here it is not kept. */
async function buildQueriesEachTime(): Promise<void> {
  const path = `${process.cwd()}/ledger/database/prepared-query.ts`;
  if (!path.includes('/sandbox-')) throw new Error('only the copy that StrykerJS makes is changed');
  const source = await readFile(path, 'utf8');
  const changed = source.replace('texts.get(postgres) ??', '');
  if (changed === source && source.includes('texts.get')) throw new Error(`${path} keeps texts in another way now`);
  await writeFile(path, changed);
}

/** By test: the sum of what it reaches, each spot divided among the tests that reach it. */
function rarityOf(reached: Readonly<Record<string, Readonly<Record<string, number>>>>): ReadonlyMap<string, number> {
  const tests = new Map<string, number>();
  for (const spots of Object.values(reached)) {
    for (const spot of Object.keys(spots)) tests.set(spot, (tests.get(spot) ?? 0) + 1);
  }
  const shares = (spots: Readonly<Record<string, number>>) =>
    Object.keys(spots).reduce((sum, spot) => sum + 1 / (tests.get(spot) ?? 1), 0);
  return new Map(Object.entries(reached).map(([id, spots]) => [id, shares(spots)]));
}

/** The first of each group, then the second of each, and so on. */
function ofEachInTurn<Item>(items: readonly Item[], groupOf: (item: Item) => string): readonly Item[] {
  const seen = new Map<string, number>();
  const turns = items.map((item) => {
    const turn = seen.get(groupOf(item)) ?? 0;
    seen.set(groupOf(item), turn + 1);
    return { item, turn };
  });
  return turns.sort((one, other) => one.turn - other.turn).map(({ item }) => item);
}

/** Leaves the chosen tests, the first of them first; the suites stay together. */
function choose(task: RunnerTask, order: ReadonlyMap<string, number>): number {
  if (task.type !== 'suite') {
    const place = order.get(task.id);
    if (place === undefined) task.mode = 'skip';
    return place ?? Number.POSITIVE_INFINITY;
  }
  const places = new Map(task.tasks.map((child) => [child, choose(child, order)]));
  const place = (child: RunnerTask) => places.get(child) ?? Number.POSITIVE_INFINITY;
  task.tasks = task.tasks.filter((child) => place(child) < Number.POSITIVE_INFINITY);
  task.tasks.sort((one, other) => place(one) - place(other));
  return Math.min(Number.POSITIVE_INFINITY, ...task.tasks.map(place));
}

function resultOf(test: RunnerTestCase): TestResult {
  const { id, result } = test;
  const status = result?.state === 'fail' ? 1 : result?.state === 'pass' ? 0 : 2;
  const failureMessage = result?.errors?.map(({ message, stack }) => `${message}\n${stack ?? ''}`).join('\n') ?? '';
  const names: string[] = [];
  for (let task: RunnerTask | undefined = test; task && task !== test.file; task = task.suite) names.unshift(task.name);
  return { id, name: names.join(' > '), timeSpentMs: result?.duration ?? 0, status, failureMessage };
}
