import { join } from 'node:path';
import { startInBackground } from '../background-process.js';
import { findTemporal } from './find-temporal.js';
import { sdkDownload } from './sdk-download.js';

export interface TemporalServerOptions {
  readonly home: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  /** Told its process id before it does anything. */
  readonly record?: (pid: number) => void;
}

/**
 * Settings of the embedded server. One partition makes rate limits and priorities exact; the timer shift of 10 ms
 * replaces a floor of about a second under every timer.
 */
const dynamicConfig = [
  'matching.enableFairness=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  'history.timerProcessorMaxTimeShift="10ms"',
];

/** Temporal's own file only: its last commits may be lost in a power cut, and the ledger is written with FULL. */
const pragmas = ['journal_mode=WAL', 'synchronous=NORMAL'];

/**
 * Starts the embedded Temporal server over the home's own database file.
 *
 * @returns its process id.
 * @throws Error when no server can be found, or when it does not start.
 */
export async function startTemporalServer({ home, port, env, say, record }: TemporalServerOptions): Promise<number> {
  const { path, source } = await findTemporal({ server: 'temporal', env, sdkDownload, say });
  say(`Starting Temporal (${source})`);
  const flags = [
    ...['--headless', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'error'],
    ...['--db-filename', join(home, 'temporal.db')],
    ...pragmas.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...dynamicConfig.flatMap((entry) => ['--dynamic-config-value', entry]),
  ];
  const start = () =>
    startInBackground({
      file: path,
      args: ['server', 'start-dev', ...flags],
      // Without it the server looks up two hosts at every start.
      env: { ...env, TEMPORAL_VERSION_CHECK_DISABLED: '1' },
      port,
      logFile: join(home, 'logs', 'temporal.log'),
      ready: () => hasNamespace(port),
      ...(record && { record }),
    });
  return start().catch((error: unknown) => {
    // The server loses a race with itself at a start now and then; the next one is another.
    if (!(error instanceof Error && /its log says: panic:/.test(error.message))) throw error;
    say('Temporal exited while starting; starting it again');
    return start();
  });
}

/** The port opens before the server has its namespace, and a worker that comes in between fails. */
export async function hasNamespace(port: number): Promise<boolean> {
  const { tryTemporal } = await import('./try-temporal.js'); // a running server needs no look, and no client's weight
  return tryTemporal({ address: `127.0.0.1:${port}`, namespace: 'default', proxy: null }).then(
    () => true,
    () => false,
  );
}
