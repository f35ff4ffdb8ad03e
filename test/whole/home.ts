import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, inject, onTestFinished } from 'vitest';
import { stopInBackground } from '../../home/background-process.js';
import { openParts } from '../../home/services.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import type { Books } from '../../studio/books.js';
import { createStudio } from '../../studio/studio.js';
import { brokenPromises } from '../oracle.js';
import { builtProgram } from './build.js';

/** Once for a file of tests. */
const main = await builtProgram();
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The sheet that the README begins with. */
export const example = join(root, 'manifests/examples/spring-launch.csv');

/** Three short briefs without references: what a test takes that is not about the example. */
export const threeBriefs = `id,prompt,duration_seconds,aspect_ratio
lighthouse,"A lighthouse at dusk, gulls above it",5,16:9
harbour,"Fishing boats come home, seen from the quay",5,1:1
ferry,"A night ferry leaves, its lights on the water",5,9:16
`;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Command {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** What it has written so far. */
  stderr(): string;
  stdout(): string;
  /** To the whole process group, as a terminal or an operator would. */
  signal(name: NodeJS.Signals): void;
}

/** A working folder with a home of its own, in which the real program is run. All of it is gone after the test. */
export interface Home {
  readonly folder: string;
  readonly home: string;
  readonly archive: string;
  /** Writes `sheet.csv`, and returns its path. */
  sheet(text: string): Promise<string>;
  /** @param program the file that is run; by default the program as it is shipped. */
  start(args: readonly string[], env?: Environment, program?: string): Command;
  run(args: readonly string[], env?: Environment, program?: string): Promise<Ended>;
  /** The document that a command with `--json` prints; it must end with this code. */
  json<T>(args: readonly string[], options?: { readonly code?: number; readonly env?: Environment }): Promise<T>;
  /** The books, opened until the test is over. */
  ledger(): Promise<Ledger>;
  /** Of the home's own studio, once that has stopped. */
  books(): Promise<Books>;
  /** Waits until the ledger says so, looking every few milliseconds while the command lives. */
  until(command: Command, isSo: (seen: Seen) => boolean): Promise<Seen>;
  /** Ends Temporal and the studio at once, as a power cut would. */
  killParts(): Promise<void>;
  /** Ends one of them at once, where it runs. */
  killPart(name: 'temporal' | 'studio'): Promise<void>;
  /** Parts whose processes are alive. */
  aliveParts(): Promise<readonly string[]>;
  /** Where the home's own Temporal listens. */
  temporalPort(): Promise<number | undefined>;
}

export type Environment = Readonly<Record<string, string>>;

/** What somebody who reads the ledger sees of the newest batch. */
export interface Seen {
  readonly state: string | null;
  readonly rows: Readonly<Partial<Record<string, number>>>;
}

export async function makeHome(): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-whole-'));
  const home = join(folder, 'home');
  const commands: Command[] = [];
  const ledgers: Ledger[] = [];
  onTestFinished(async () => {
    for (const command of commands) command.signal('SIGKILL');
    await Promise.all(commands.map((command) => command.ended));
    for (const ledger of ledgers) await ledger.close();
    await stopParts(home, 0);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const start: Home['start'] = (args, env = {}, program = main) => {
    const command = startProgram([program, ...args], { cwd: folder, env: { ...environment(home), ...env } });
    commands.push(command);
    return command;
  };
  const run: Home['run'] = (args, env, program) => start(args, env, program).ended;
  return {
    ...{ folder, home, start, run },
    archive: join(folder, 'out'),
    async sheet(text) {
      const path = join(folder, 'sheet.csv');
      await writeFile(path, text);
      return path;
    },
    async json(args, { code = 0, env } = {}) {
      const ended = await run([...args, '--json'], env);
      expect(ended.code, ended.stderr).toBe(code);
      return JSON.parse(ended.stdout);
    },
    async ledger() {
      const ledger = await openLedger({ url: `sqlite:${join(home, 'ledger.db')}` });
      ledgers.push(ledger);
      return ledger;
    },
    books: () => booksIn(join(home, 'studio')),
    until: (command, isSo) => watch(join(home, 'ledger.db'), command, isSo),
    killParts: () => stopParts(home, 0),
    async killPart(name) {
      const pid = await withParts(home, (parts) => parts.find((part) => part.name === name)?.pid);
      if (pid !== undefined) await stopInBackground(pid, 0);
    },
    aliveParts: () => withParts(home, (parts) => parts.map(({ name }) => name)),
    temporalPort: () => withParts(home, (parts) => parts.find(({ name }) => name === 'temporal')?.port),
  };
}

/** Of a studio that has stopped. */
export async function booksIn(dataFolder: string): Promise<Books> {
  const studio = await createStudio({ dataFolder, apiKeys: ['reader'], render: 'stub' });
  try {
    return studio.books();
  } finally {
    await studio.close();
  }
}

/** Fails with the promises that are broken, judged from the studio's books, the ledger and the archive. */
export async function expectPromisesKept(home: Home, books: Pick<Books, 'creates' | 'movies'>): Promise<void> {
  const ledger = await home.ledger();
  expect(await brokenPromises({ ledger, books, archiveFolder: home.archive })).toEqual([]);
}

/** Nothing of the machine's own settings reaches the program, but where things are found. */
function environment(home: string): Environment {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return {
    ...{ PATH, HOME, GREENLIGHT_HOME: home, GREENLIGHT_STUDIO_RENDER: 'stub' },
    TEMPORAL_CLI_PATH: inject('devServer'),
    ...(TMPDIR !== undefined && { TMPDIR }),
  };
}

function startProgram(args: readonly string[], options: { readonly cwd: string; readonly env: Environment }): Command {
  // In a group of its own, so that a signal to the group reaches all of it and nothing of the test.
  const child = spawn(process.execPath, args, {
    ...options,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('Cannot start the program: it has no process id');
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    ...{ pid, ended },
    stderr: () => stderr,
    stdout: () => stdout,
    signal(name) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      try {
        process.kill(-pid, name);
      } catch {
        // it ended by itself in the meantime
      }
    },
  };
}

async function watch(path: string, command: Command, isSo: (seen: Seen) => boolean): Promise<Seen> {
  let ended: Ended | null = null;
  void command.ended.then((result) => {
    ended = result;
  });
  for (;;) {
    const seen = look(path);
    if (isSo(seen)) return seen;
    if (ended !== null) throw new Error(`The command ended first: ${JSON.stringify(ended)}, ${JSON.stringify(seen)}`);
    await sleep(4);
  }
}

/** By a connection that only reads, and of its own, since the ledger may not be there yet. */
function look(path: string): Seen {
  if (!existsSync(path)) return { state: null, rows: {} };
  const db = new Database(path, { readonly: true });
  try {
    const batch = db.prepare('SELECT batch_id, state FROM batches ORDER BY submitted_ms DESC LIMIT 1').get() as
      | { batch_id: string; state: string }
      | undefined;
    const rows = db.prepare('SELECT state, count(*) AS n FROM rows WHERE batch_id = ? GROUP BY state');
    const counts = rows.all(batch?.batch_id ?? '') as { state: string; n: number }[];
    return { state: batch?.state ?? null, rows: Object.fromEntries(counts.map(({ state, n }) => [state, n])) };
  } catch {
    return { state: null, rows: {} }; // it is being made
  } finally {
    db.close();
  }
}

async function withParts<T>(
  home: string,
  use: (parts: readonly { readonly name: string; readonly pid: number; readonly port: number }[]) => T,
): Promise<T> {
  await mkdir(home, { recursive: true });
  const parts = await openParts(home);
  try {
    return use((['temporal', 'studio'] as const).flatMap((name) => parts.running(name) ?? []));
  } finally {
    parts.close();
  }
}

async function stopParts(home: string, patienceMs: number): Promise<void> {
  if (!existsSync(join(home, 'parts.db'))) return;
  const pids = await withParts(home, (parts) => parts.map(({ pid }) => pid));
  await Promise.all(pids.map((pid) => stopInBackground(pid, patienceMs)));
}

/** As a person writes the day after today. */
export function tomorrow(): string {
  const day = new Date();
  day.setDate(day.getDate() + 1);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;
}
