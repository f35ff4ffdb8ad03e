import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeOf } from '../processes/start-time.js';

export interface BackgroundProcess {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly port: number;
  readonly logFile: string;
  /** Whether the server at the port is ready for work; by default an open port is enough. */
  readonly ready?: () => Promise<boolean>;
  /** Records its process id before it does anything: a failure here ends it. */
  readonly record?: (pid: number) => void;
}

const startPatienceMs = 30_000;

/**
 * A child waits for a word, and becomes the program only then. So whatever ends us before it is recorded ends it too,
 * and no unrecorded program runs. Its files are readable by this user only.
 */
const waitForWord = 'umask 077 && read -r word && exec "$@" </dev/null';

/**
 * Starts a process in a group of its own, so that Ctrl-C at the terminal does not reach it, and waits until it
 * is ready behind its port.
 *
 * @returns its process id.
 * @throws Error with the end of its log, when it ends instead.
 */
export async function startInBackground({
  file,
  args,
  env,
  port,
  logFile,
  ready = async () => true,
  record = () => undefined,
}: BackgroundProcess): Promise<number> {
  await mkdir(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a', 0o600);
  const { size } = fstatSync(log);
  const child = spawn('/bin/sh', ['-c', waitForWord, 'sh', file, ...args], {
    env: { ...env },
    detached: true,
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  const ended = watchEnd(child);
  child.unref();
  const pid = giveWord(child, record);
  const until = performance.now() + startPatienceMs;
  while (pid !== undefined && ended() === null && performance.now() < until) {
    // Checked again at the end: another program may answer there, while ours has ended because the port was taken.
    if ((await accepts(port)) && (await ready()) && ended() === null) return pid;
    await sleep(25);
  }
  child.kill('SIGKILL');
  const said = lastWords((await readFile(logFile).catch(() => Buffer.alloc(0))).subarray(size).toString());
  throw new Error(
    `Cannot start ${file}: ${ended() ?? 'it did not answer within 30 s'}${said ? `; its log says: ${said}` : ''}`,
  );
}

/** A program that crashes names its reason first, and then where it was. */
function lastWords(log: string): string {
  const lines = log.trimEnd().split('\n');
  return lines.find((line) => /^(panic|fatal error): /.test(line)) ?? lines.slice(-3).join(' | ');
}

function watchEnd(child: ChildProcess): () => string | null {
  let ended: string | null = null;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended ??= `it ended with ${signal ?? `code ${code}`}`;
  });
  return () => ended;
}

function giveWord(child: ChildProcess, record: (pid: number) => void): number | undefined {
  const { pid, stdin } = child;
  stdin?.on('error', () => undefined); // it has ended, which its exit reports
  try {
    if (pid !== undefined) record(pid);
  } catch (error) {
    stdin?.destroy();
    throw error;
  }
  stdin?.end('start\n');
  return pid;
}

/**
 * Asks the process to stop, and kills it when it does not.
 *
 * @returns whether it is gone; false when it belongs to another user.
 */
export async function stopInBackground(pid: number, patienceMs = 8_000): Promise<boolean> {
  for (const [name, waitMs] of [
    ['SIGTERM', patienceMs],
    ['SIGKILL', 1_000],
  ] as const) {
    const until = performance.now() + waitMs;
    signal(pid, name);
    do {
      if (startTimeOf(pid) === null) return true;
      await sleep(25);
    } while (performance.now() < until);
  }
  return startTimeOf(pid) === null;
}

export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const answer = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.setTimeout(1_000, () => answer(false));
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended, or is another user's: the next check tells which.
  }
}
