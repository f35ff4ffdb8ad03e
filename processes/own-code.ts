import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * Starts our own code in another process or thread, by the name of the built file. The one place that knows whether
 * the code was built: under tsx and vitest the sources run directly, and what is started has to load TypeScript too. A
 * child process takes tsx by its arguments. A thread of Node 20 does not, so it calls tsx itself.
 */
export const fromSources = import.meta.url.endsWith('.ts');

/** Passes on none of Node's own arguments: a file of environment variables may be among them. */
export function forkOwn(main: URL, options: Omit<ForkOptions, 'execArgv'>): ChildProcess {
  return fork(fileURLToPath(main), {
    ...options,
    execArgv: fromSources ? ['--import', import.meta.resolve('tsx')] : [],
  });
}

export function startOwnThread(main: URL, workerData: unknown): Worker {
  if (!fromSources) return new Worker(main, { workerData });
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const path = JSON.stringify(main.href);
  return new Worker(`import(${tsx}).then(({ tsImport }) => tsImport(${path}, ${path}))`, { workerData, eval: true });
}
