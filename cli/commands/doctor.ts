import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import type { Command } from '@commander-js/extra-typings';
import { type Config, databaseName } from '../../home/config.js';
import { findTemporal } from '../../home/temporal/find-temporal.js';
import { sdkDownload } from '../../home/temporal/sdk-download.js';
import { type LedgerHealth, ledgerHealth } from '../../operations/database.js';
import { diagnoseArchive } from '../diagnosis/archive.js';
import { diagnoseBatches } from '../diagnosis/batches.js';
import { type Diagnosis, lookAt } from '../diagnosis/diagnosis.js';
import { roomOnDisk } from '../diagnosis/disk.js';
import { diagnoseHome } from '../diagnosis/home.js';
import { diagnoseMovieService } from '../diagnosis/movie-service.js';
import { diagnoseNotices } from '../diagnosis/notices.js';
import { diagnoseWorkers } from '../diagnosis/workers.js';
import { haltWords } from '../session/require-own-archive.js';
import { configOf, homeOption, loginName } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { fitTable } from '../terminal/fit-table.js';
import { printJson, printLine, say } from '../terminal/print.js';
import { roomOf } from '../terminal/text-width.js';

/** `greenlight doctor`: what is found on this machine, and what to do about the rest. */
export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description(
      "Check this machine's setup: Node, Temporal, ledger, archive, movie service and webhooks, and what open batches wait for; exit 4 if a check fails",
    )
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight doctor')
    .action(async (flags) => {
      const found = await diagnose(context, await configOf(context, flags));
      if (found.some(({ ok }) => !ok)) context.setExitCode(exitCodes.unreachable);
      if (flags.json) return printJson(context, found);
      const rows = found.map(({ part, ok, waits, words }) => [waits ? 'waits' : ok ? 'ok' : 'FAIL', part, words]);
      const columns = roomOf(context.stdout, context.env);
      for (const line of fitTable(rows, { columns })) printLine(context, line);
    });
}

async function diagnose(context: CliContext, config: Config): Promise<readonly Diagnosis[]> {
  const health = healthOf(config);
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
    ...(await diagnoseBatches({ config, ledgerId, env: context.env, loginName: loginName() })),
  ];
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 20)) return process.version;
  throw new Error(`Cannot run on Node ${process.version}: it is too old; install 20.20 or later`);
}

async function temporal({ env, stderr }: CliContext, config: Config): Promise<string> {
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
function healthOf({ databaseUrl }: Config): Promise<LedgerHealth | null> {
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
  return `${latest}, audit of ${verdict.length} verified`;
}

function webhooks({ movieApi, webhooks: own }: Config): string {
  if (!movieApi) return 'from the built-in studio, received by run and worker';
  if (!own) return 'none: movies are polled; set GREENLIGHT_WEBHOOK_URL to receive events';
  const { url, listen, secrets } = own;
  const where = listen ? `received at ${listen.host}:${listen.port}` : 'received by another machine';
  const checked = secrets.length > 0 ? 'signatures checked' : 'NOT checked, since GREENLIGHT_WEBHOOK_SECRET is not set';
  return `${url}, ${where}${listen ? `, ${checked}` : ''}`;
}
