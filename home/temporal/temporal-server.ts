import { join } from 'node:path';
import { startInBackground } from '../background-process.js';
import { findTemporal } from './find-temporal.js';
import { sdkDownload } from './sdk-download.js';

export interface TemporalServerOptions {
  readonly home: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  /** Called with its process id before it does anything. */
  readonly record?: (pid: number) => void;
}

/**
 * Settings of the embedded server. One partition makes rate limits and priorities exact; the timer shift of 10 ms
 * replaces a minimum of about a second for every timer.
 */
const dynamicConfig = [
  'matching.enableFairness=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  'history.timerProcessorMaxTimeShift="10ms"',
];

/** For Temporal's own file only: a power cut may lose its last commits; the ledger is written with FULL. */
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
    // The server now and then loses a race with itself at its start; the next start is a new race.
    if (!(error instanceof Error && /its log says: panic:/.test(error.message))) throw error;
    say('Temporal exited while starting; starting it again');
    return start();
  });
}

/** The port opens before the server has its namespace, and a worker that comes in between fails. */
export async function hasNamespace(port: number): Promise<boolean> {
  const { tryTemporal } = await import('./try-temporal.js'); // a running server needs no check, and no client to load
  return tryTemporal({ address: `127.0.0.1:${port}`, namespace: 'default', proxy: null }).then(
    () => true,
    () => false,
  );
}
