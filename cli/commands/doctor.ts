import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import type { Command } from '@commander-js/extra-typings';
import { tryService } from '../../api/try-service.js';
import type { Config } from '../../home/config.js';
import { archiveFolder, type Installation, openInstallation } from '../../home/installation.js';
import { findTemporal } from '../../home/temporal/find-temporal.js';
import { sdkDownload } from '../../home/temporal/sdk-download.js';
import { verifyAudit } from '../../ledger/access/audit.js';
import { listBatches } from '../../ledger/batches/batches.js';
import { haltedBecause } from '../../ledger/progress/restored-ledger.js';
import { haltWords } from '../session/require-own-archive.js';
import { configOf, homeOption } from '../session/session.js';
import { type CliContext, exitCodes } from '../terminal/context.js';
import { explainError } from '../terminal/explain-error.js';
import { printJson, printLine, say } from '../terminal/print.js';
import { alignColumns } from '../terminal/text-width.js';

interface Diagnosis {
  readonly part: string;
  readonly ok: boolean;
  readonly words: string;
}

/** `greenlight doctor`: what is found on this machine, and what to do about the rest. */
export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description(
      "Check this machine's setup: Node, Temporal, ledger, archive, movie service and webhooks; exit 4 if a check fails",
    )
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight doctor')
    .action(async (flags) => {
      const found = await diagnose(context, await configOf(context, flags));
      if (found.some(({ ok }) => !ok)) context.setExitCode(exitCodes.unreachable);
      if (flags.json) return printJson(context, found);
      const rows = found.map(({ part, ok, words }) => [ok ? 'ok' : 'NOT', part, words]);
      for (const line of alignColumns(rows)) printLine(context, line);
    });
}

async function diagnose(context: CliContext, config: Config): Promise<readonly Diagnosis[]> {
  const look = async (part: string, at: () => Promise<string>): Promise<Diagnosis> => {
    try {
      return { part, ok: true, words: await at() };
    } catch (error) {
      return { part, ok: false, words: explainError(error, { env: {} }).message };
    }
  };
  const first = [
    await look('node', nodeVersion),
    await look('home', async () => config.home),
    await look('Temporal', () => temporal(context, config)),
    await look('archive', () => archive(config)),
  ];
  let installation: Installation | null = null;
  const ledgerFound = await look('ledger', async () => {
    installation = await openInstallation(config);
    return ledger(installation);
  });
  const service = await look('movie service', () => movieService(installation, config));
  await (installation as Installation | null)?.close();
  return [...first, ledgerFound, service, await look('webhooks', async () => webhooks(config))];
}

async function nodeVersion(): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 20)) return process.version;
  throw new Error(`Cannot run on Node ${process.version}: it is too old; install 20.20 or later`);
}

async function temporal({ env, stderr }: CliContext, config: Config): Promise<string> {
  if (config.temporal) {
    const { tryTemporal } = await import('../../home/temporal/try-temporal.js'); // most homes have their own
    await tryTemporal(config.temporal);
    return `${config.temporal.address}, namespace ${config.temporal.namespace}`;
  }
  const { path, source } = await findTemporal({
    ...{ server: 'temporal', env, sdkDownload },
    say: (line) => say({ stderr }, line),
  });
  return `embedded, ${path} (${source})`;
}

async function archive(config: Config): Promise<string> {
  const folder = archiveFolder(config);
  const nearest = await nearestFolder(folder);
  await access(nearest, constants.W_OK);
  const { bavail, bsize } = await statfs(nearest);
  return `${folder}, ${gigabytes(bavail * bsize)} free`;
}

/** The folder itself is made by the first movie. */
async function nearestFolder(folder: string): Promise<string> {
  const there = await access(folder).then(
    () => true,
    () => false,
  );
  return there || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

async function ledger({ ledger: books, config }: Installation): Promise<string> {
  const verdict = await verifyAudit(books);
  if (!verdict.ok) throw new Error(`Cannot trust the audit: its chain is broken at record ${verdict.brokenAt}`);
  const halted = await haltedBecause(books);
  if (halted !== null) throw new Error(haltWords(halted));
  const batches = await listBatches(books, { limit: 1 });
  const latest = batches[0] ? `newest batch ${batches[0].batchId}` : 'no batches yet';
  const where = config.databaseUrl.startsWith('sqlite:') ? config.databaseUrl.slice('sqlite:'.length) : 'PostgreSQL';
  return `${where}, ${latest}, audit of ${verdict.length} verified`;
}

function webhooks({ movieApi, webhooks: own }: Config): string {
  if (!movieApi) return 'from the built-in studio, received by run and worker';
  if (!own) return 'none: movies are polled; set GREENLIGHT_WEBHOOK_URL to receive events';
  const { url, listen, secrets } = own;
  const where = listen ? `received at ${listen.host}:${listen.port}` : 'received by another machine';
  const checked = secrets.length > 0 ? 'signatures checked' : 'NOT checked, since GREENLIGHT_WEBHOOK_SECRET is not set';
  return `${url}, ${where}${listen ? `, ${checked}` : ''}`;
}

async function movieService(installation: Installation | null, { movieApi }: Config): Promise<string> {
  if (!installation) throw new Error('Cannot ask the movie service: the ledger is not open');
  if (movieApi) {
    await tryService(await installation.movieApi());
    return `${movieApi.name}, ${movieApi.url}`;
  }
  const running = await installation.movieApi().then(
    () => true,
    () => false,
  );
  return `the built-in studio, ${running ? 'running' : 'started by run and worker'}`;
}
