import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { type Config, databaseName } from '../../home/config.js';
import { findTemporal } from '../../home/temporal/find-temporal.js';
import { sdkDownload } from '../../home/temporal/sdk-download.js';
import { type LedgerHealth, ledgerHealth } from '../../operations/database.js';
import { haltWords } from '../session/require-own-archive.js';
import type { CliContext } from '../terminal/context.js';
import { say } from '../terminal/print.js';
import { diagnoseArchive } from './archive.js';
import { type Diagnosis, lookAt } from './diagnosis.js';
import { roomOnDisk } from './disk.js';
import { diagnoseHome } from './home.js';
import { diagnoseMovieService } from './movie-service.js';
import { diagnoseNotices } from './notices.js';
import { diagnoseWorkers } from './workers.js';

type Output = Pick<CliContext, 'env' | 'stderr'>;

/** What is found of each part of this installation, from this machine; what cannot be looked at is found so. */
export async function diagnoseMachine(
  context: Output,
  config: Config,
  health: Promise<LedgerHealth | null> = healthOf(config),
): Promise<readonly Diagnosis[]> {
  // What is wrong with the ledger is said by its own line.
  const { ledgerId = null, archive = null, channels = [] } = (await health.catch(() => null)) ?? {};
  return [
    await lookAt('node', nodeVersion),
    await lookAt('home', () => diagnoseHome(config)),
    await lookAt('Temporal', () => temporal(context, config)),
    await lookAt('workers', () => diagnoseWorkers({ config, ledgerId })),
    await lookAt('archive', () => diagnoseArchive(config, archive)),
    await lookAt('ledger', async () => ledger(config, await health)),
    await lookAt('movie service', () => diagnoseMovieService(config)),
    await lookAt('webhooks', () => webhooks(config)),
    await lookAt('notices', () => diagnoseNotices(channels)),
  ];
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 20)) return process.version;
  throw new Error(`Cannot run on Node ${process.version}: it is too old; install 20.20 or later`);
}

async function temporal({ env, stderr }: Output, config: Config): Promise<string> {
  if (config.temporal) {
    const { tryTemporal } = await import('../../home/temporal/try-temporal.js'); // most homes have their own
    await tryTemporal(config.temporal);
    const { address, namespace, proxy } = config.temporal;
    return `${address}, namespace ${namespace}${proxy === null ? '' : `, by the proxy ${proxy.host}`}`;
  }
  const { path, source } = await findTemporal({
    ...{ server: 'temporal', env, sdkDownload },
    say: (line) => say({ stderr }, line),
  });
  return `embedded, ${path} (${source})`;
}

/** @returns null where it is still to be made. */
export function healthOf({ databaseUrl }: Config): Promise<LedgerHealth | null> {
  const path = sqlitePath(databaseUrl);
  const health = path !== null && !existsSync(path) ? Promise.resolve(null) : ledgerHealth(databaseUrl);
  health.catch(() => undefined); // told by whoever asks
  return health;
}

async function ledger({ databaseUrl }: Config, health: LedgerHealth | null): Promise<string> {
  const path = sqlitePath(databaseUrl);
  if (health === null) return `${path}, made when it is needed`;
  const words = healthWords(health);
  const room = path === null ? '' : `, ${await roomOnDisk(dirname(path))}`;
  return `${databaseName(databaseUrl)}, ${words}${room}`;
}

function sqlitePath(databaseUrl: string): string | null {
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : null;
}

function healthWords({ chain: verdict, halted, newestBatch, clock }: LedgerHealth): string {
  if (!verdict.ok) throw new Error(`Cannot trust the audit: its chain is broken at record ${verdict.brokenAt}`);
  if (halted !== null) throw new Error(haltWords(halted));
  if (clock !== null) throw new Error(`Cannot start a worker: ${clock}`);
  const latest = newestBatch === null ? 'no batches yet' : `newest batch ${newestBatch}`;
  const records = verdict.length === 1 ? '1 audit record' : `${verdict.length} audit records`;
  return `${latest}, ${records} verified`;
}

function webhooks({ movieApi, webhooks: own }: Config): string {
  if (!movieApi) return 'from the built-in studio, received by run and worker';
  if (!own) return 'none: movies are polled; set GREENLIGHT_WEBHOOK_URL to receive events';
  const { url, listen, secrets } = own;
  const where = listen ? `received at ${listen.host}:${listen.port}` : 'received by another machine';
  const checked = secrets.length > 0 ? 'signatures checked' : 'NOT checked, since GREENLIGHT_WEBHOOK_SECRET is not set';
  return `${url}, ${where}${listen ? `, ${checked}` : ''}`;
}
