import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeOf } from './process-start-time.js';

export interface BackgroundProcess {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly port: number;
  readonly logFile: string;
  /** Whether what answers at the port is ready for work; an open port is enough where it is left out. */
  readonly ready?: () => Promise<boolean>;
}

const startPatienceMs = 30_000;

/**
 * Starts a process in a group of its own, so that Ctrl-C at the terminal does not reach it, and waits until it
 * is ready behind its port.
 *
 * @returns its process id.
 * @throws Error with the last lines of its log when it ends instead.
 */
export async function startInBackground({
  file,
  args,
  env,
  port,
  logFile,
  ready = async () => true,
}: BackgroundProcess): Promise<number> {
  await mkdir(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a');
  const child = spawn(file, args, { env: { ...env }, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  let ended: string | null = null;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended ??= `it ended with ${signal ?? `code ${code}`}`;
  });
  child.unref();
  const until = performance.now() + startPatienceMs;
  while (ended === null && performance.now() < until) {
    // Asked again at the end: somebody else may be what answers there, while ours has ended over the taken port.
    if ((await accepts(port)) && (await ready()) && ended === null) return pidOf(child.pid, file);
    await sleep(25);
  }
  child.kill('SIGKILL');
  const tail = (await readFile(logFile, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-3).join(' | ');
  throw new Error(
    `Cannot start ${file}: ${ended ?? 'it did not answer in 30 s'}${tail ? `; its log says: ${tail}` : ''}`,
  );
}

/** Asks the process to stop, and ends it when it does not. */
export async function stopInBackground(pid: number, patienceMs = 8_000): Promise<void> {
  const until = performance.now() + patienceMs;
  if (!signal(pid, 'SIGTERM')) return;
  while (performance.now() < until) {
    await sleep(25);
    if (startTimeOf(pid) === null) return;
  }
  signal(pid, 'SIGKILL');
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

function pidOf(pid: number | undefined, file: string): number {
  if (pid === undefined) throw new Error(`Cannot start ${file}: it has no process id`);
  return pid;
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
