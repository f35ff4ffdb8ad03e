/**
 * Workers side by side at one ledger, each a process of its own: how many orders they admit in a second on one batch and
 * on one each, how long an admission takes, and what the books cost a movie. PostgreSQL beside SQLite.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLedger } from '../../ledger/ledger.js';
import { partOf } from '../median.js';
import { line, table, target } from '../report.js';
import { batchInTheMaking, sheet } from './batch.js';
import type { Contended, ContentionWork } from './contention-process.js';

interface Case {
  readonly url: string;
  readonly processes: number;
  readonly batches: number;
  readonly rows: number;
  readonly way: ContentionWork['way'];
  /** Admissions asked for in a second, whether earlier ones are answered or not; without it, each after another. */
  readonly askedPerSecond?: number;
}

interface Run extends Case {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
  readonly statements: number;
  readonly transactions: number;
}

export async function benchContention({ small }: { readonly small: boolean }): Promise<void> {
  const sqlite = `sqlite:${join(await mkdtemp(join(tmpdir(), 'contention-')), 'ledger.db')}`;
  const postgres = process.env.GREENLIGHT_TEST_POSTGRES_URL;
  const rows = small ? 800 : 4_000;
  const rowsOfFleet = small ? 1_600 : 16_000; // so many that processes which just started do not decide it
  const one = { processes: 1, batches: 1, rows };
  const runs = [await run({ ...one, url: sqlite, way: 'whole' })];
  if (postgres) runs.push(await run({ ...one, url: postgres, way: 'whole' }));
  for (const url of postgres ? [postgres, sqlite] : [sqlite]) {
    for (const [processes, batches] of [
      [1, 1],
      [2, 2],
      [8, 1],
      [8, 8],
    ] as const) {
      const isFleet = processes === 8;
      const admissions = { url, processes, batches, way: 'admission', rows: isFleet ? rowsOfFleet : rows } as const;
      runs.push(await run(admissions));
      if (processes > 1) runs.push(await run({ ...admissions, askedPerSecond: fleetPerSecond(isFleet ? batches : 1) }));
    }
  }
  show(runs);
  if (!postgres) return line('PostgreSQL: left out, GREENLIGHT_TEST_POSTGRES_URL names no server');
  targets(
    runs.filter(({ url }) => url === postgres),
    runs[0],
  );
}

/** What eight processes are to admit. Two, each with a core of its own, show what of a wait is a wait for a core. */
function fleetPerSecond(batches: number): number {
  return batches === 1 ? 1_000 : 2_000;
}

function targets(runs: readonly Run[], sqlite: Run | undefined): void {
  for (const { way, processes, batches, perSecond, askedPerSecond, p99Ms, cpuMs } of runs) {
    if (way === 'whole') {
      target({
        what: "PostgreSQL's client CPU a movie, to SQLite's",
        value: cpuMs / (sqlite?.cpuMs ?? 0),
        atMost: 1.3,
      });
    } else if (processes === 8) {
      const what = `PostgreSQL, 8 processes, ${batches === 1 ? 'one batch' : 'a batch each'}`;
      if (!askedPerSecond) {
        target({ what: `${what}: admissions a second`, value: perSecond, atLeast: fleetPerSecond(batches) });
        continue;
      }
      target({ what: `${what}, ${askedPerSecond} asked a second: p99 of one`, value: p99Ms, unit: ' ms', atMost: 100 });
    }
  }
}

const file = fileURLToPath(new URL('contention-process.ts', import.meta.url));
let campaigns = 0;
/** A process, which works for days: so many have what is used compiled, and fill what the database keeps of statements. */
const warmUpRows = 1_000;

async function run(one: Case): Promise<Run> {
  const works = await prepare(one);
  const children = works.map(() => fork(file, { execArgv: ['--import', import.meta.resolve('tsx')] }));
  await Promise.all(children.map((child, index) => told(child, works[index] ?? {})));
  const startedAt = performance.now();
  const answers = await Promise.all(children.map((child) => told(child, 'go')));
  const seconds = (performance.now() - startedAt) / 1_000;
  const done = answers as readonly Contended[]; // by contention-process.ts
  for (const child of children) child.disconnect();
  const waits = done.flatMap(({ waitsMs }) => waitsMs);
  const each = (of: (answer: Contended) => number) => done.reduce((sum, answer) => sum + of(answer), 0) / waits.length;
  return {
    ...{ ...one, perSecond: waits.length / seconds, p50Ms: partOf(waits, 0.5), p99Ms: partOf(waits, 0.99) },
    cpuMs: each(({ cpuMs }) => cpuMs),
    statements: each(({ statements }) => statements),
    transactions: each(({ transactions }) => transactions),
  };
}

/** Batches in the making, their rows dealt out to the processes. */
async function prepare({
  url,
  processes,
  batches,
  rows,
  way,
  askedPerSecond,
}: Case): Promise<readonly ContentionWork[]> {
  const ledger = await openLedger({ url, migrate: true });
  try {
    const made: {
      readonly batchId: string;
      readonly rowKeys: readonly string[];
      readonly warmUpKeys: readonly string[];
    }[] = [];
    const warmUps = (warmUpRows * processes) / batches;
    for (let batch = 0; batch < batches; batch += 1) {
      campaigns += 1;
      const ofBatch = sheet(`side${campaigns}`, Math.floor(rows / batches) + warmUps);
      const batchId = await batchInTheMaking(ledger, `side${campaigns}`, ofBatch);
      const keys = ofBatch.map(({ brief }) => brief.rowKey);
      made.push({ batchId, rowKeys: keys.slice(warmUps), warmUpKeys: keys.slice(0, warmUps) });
    }
    return Array.from({ length: processes }, (_, index) => {
      const { batchId = '', rowKeys = [], warmUpKeys = [] } = made[index % batches] ?? {};
      const shared = processes / batches;
      const nth = Math.floor(index / batches);
      const everyMs = askedPerSecond ? (processes / askedPerSecond) * 1_000 : 0;
      const ofProcess = { rowKeys: part(rowKeys, shared, nth), warmUpKeys: part(warmUpKeys, shared, nth) };
      return { url, way, batchId, ...ofProcess, everyMs };
    });
  } finally {
    await ledger.close();
  }
}

function part(keys: readonly string[], parts: number, nth: number): readonly string[] {
  const size = Math.floor(keys.length / parts);
  return keys.slice(nth * size, (nth + 1) * size);
}

async function told(child: ChildProcess, message: object | 'go'): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Cannot bench: a process ended with ${code} before it answered`);
  });
  ended.catch(() => undefined); // it ends after its answer, too
  child.send(message);
  const [answer] = await Promise.race([once(child, 'message'), ended]);
  return answer;
}

function show(runs: readonly Run[]): void {
  const what = { whole: 'the whole way', admission: 'admissions' } as const;
  table(
    ['books', 'processes', 'batches', 'a second', 'p50 / p99 ms', 'CPU ms each', 'statements', 'transactions'],
    runs.map(({ url, way, processes, batches, askedPerSecond, ...run }) => [
      `${url.startsWith('sqlite') ? 'SQLite' : 'PostgreSQL'}, ${what[way]}${askedPerSecond ? `, ${askedPerSecond} asked a second` : ''}`,
      ...[String(processes), String(batches), run.perSecond.toFixed(0)],
      ...[`${run.p50Ms.toFixed(1)} / ${run.p99Ms.toFixed(1)}`, run.cpuMs.toFixed(2)],
      ...[run.statements.toFixed(1), run.transactions.toFixed(2)],
    ]),
  );
}
