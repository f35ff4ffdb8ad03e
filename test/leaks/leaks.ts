import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, type Worker } from 'node:worker_threads';

/** What Node calls the things that keep a process alive, in words. */
const words: Readonly<Record<string, string>> = {
  TCPServerWrap: 'a server that listens',
  PipeServerWrap: 'a server that listens on a socket file',
  TCPSocketWrap: 'a connection',
  ProcessWrap: 'a child process',
  FSEvent: 'a watch on a file',
  FSEventWrap: 'a watch on a file',
  MessagePort: 'a port to a thread',
};
/** Kept on this machine on purpose, for all files: stub films, and what tsx compiled. */
const kept = ['greenlight-stubs', 'tsx'].map((name) => `${name}-${process.getuid?.() ?? 'own'}`);
/** A connection closed by one side is let go of by the other a moment later. */
const patience = 3_000;

/** Timers and threads by where they were started: Node lists neither by itself in a way that tells ours from the runner's. */
const timers = new Map<NodeJS.Timeout, string>();
const threads = new Set<Worker>();

export interface LeakWatch {
  /** Waits a moment for what is just being closed. */
  leaks(patienceMs?: number): Promise<readonly string[]>;
  /** Gives the temporary folder of before back. */
  end(): void;
}

/**
 * Gives what runs from now on a temporary folder of its own, and remembers what keeps the process alive already.
 *
 * @param folderBefore where the watch makes its folder; the path stays short, since a socket file's may not exceed 108.
 */
export function watchForLeaks(folderBefore = tmpdir()): LeakWatch {
  const before = counted();
  const timersBefore = new Set(timers.keys());
  const { TMPDIR } = process.env;
  const folder = mkdtempSync(join(folderBefore, 'gl-'));
  for (const name of kept) {
    mkdirSync(join(folderBefore, name), { recursive: true, mode: 0o700 });
    symlinkSync(join(folderBefore, name), join(folder, name));
  }
  process.env.TMPDIR = folder;
  return {
    async leaks(patienceMs = patience) {
      const deadline = performance.now() + patienceMs;
      let found = leftBehind(folder, before, timersBefore);
      while (found.length > 0 && performance.now() < deadline) {
        await sleep(25);
        found = leftBehind(folder, before, timersBefore);
      }
      return found;
    },
    end() {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

let noticing = false;

/** From now on each timer that is set by the global functions is remembered, and each thread. */
export function noticeTimersAndThreads(): void {
  if (noticing) return; // files of one thread share it
  noticing = true;
  globalThis.setTimeout = noticed(globalThis.setTimeout);
  globalThis.setInterval = noticed(globalThis.setInterval);
  process.on('worker', (thread) => {
    threads.add(thread);
    thread.once('exit', () => threads.delete(thread));
  });
}

function noticed<T extends typeof setTimeout | typeof setInterval>(real: T): T {
  const set = (...args: Parameters<typeof setTimeout>) => {
    const timer = real(...args);
    const stack = new Error().stack?.split('\n') ?? [];
    timers.set(timer, stack.find((line) => !ownLine.test(line))?.trim() ?? 'somewhere');
    return timer;
  };
  return Object.assign(set, real) as unknown as T; // with what util.promisify looks for
}

const ownLine = /^Error|leaks\.ts/;

function leftBehind(
  folder: string,
  before: ReadonlyMap<string, number>,
  timersBefore: ReadonlySet<NodeJS.Timeout>,
): readonly string[] {
  const handles = [...counted()].map(([type, count]) => [type, count - (before.get(type) ?? 0)] as const);
  const temporary = readdirSync(folder).filter((name) => !kept.includes(name));
  return [
    ...handles.filter(([, more]) => more > 0).map(([type, more]) => `${words[type]}: ${more}`),
    ...waiting(timersBefore).map((place) => `a timer: ${place}`),
    ...[...threads].map(({ threadId }) => `a thread: ${threadId}`),
    ...temporary.map((name) => `a temporary file or folder: ${name}`),
    ...processesOf(folder).map((command) => `a process: ${command}`),
  ];
}

function waiting(except: ReadonlySet<NodeJS.Timeout>): readonly string[] {
  const ended = [...timers.keys()].filter((timer) => (timer as { _destroyed?: boolean })._destroyed);
  for (const timer of ended) timers.delete(timer);
  return [...timers].filter(([timer]) => timer.hasRef() && !except.has(timer)).map(([, place]) => place);
}

function counted(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const types = process.getActiveResourcesInfo().filter((type) => type in words);
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** Children of this process, and whatever was started with the folder in its environment, its command or as its place. */
function processesOf(folder: string): readonly string[] {
  if (process.platform !== 'linux') return []; // only Linux tells
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      if (state === 'Z') return [];
      const child = isMainThread && Number(parent) === process.pid;
      const marked =
        command.includes(folder) ||
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder) ||
        readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      return child || marked ? [command] : [];
    } catch {
      return []; // it ended meanwhile, or belongs to somebody else
    }
  });
}
