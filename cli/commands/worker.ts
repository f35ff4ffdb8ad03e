import { type Command, Option } from '@commander-js/extra-typings';
import { tryService } from '../../api/try-service.js';
import { databaseName } from '../../home/config.js';
import { joinEmbedded } from '../../home/embedded.js';
import { type Health, openHealth } from '../../home/health/open-health.js';
import { type Installation, openInstallation } from '../../home/installation.js';
import { checkArchive } from '../../operations/restored.js';
import type { WorkEvent } from '../../reports/wording/work-event.js';
import { openTracing, type SpanOf } from '../../telemetry/tracing.js';
import { startWorker } from '../../worker/worker.js';
import { createWorkerLog, type WorkerLog } from '../flow/worker-log.js';
import { haltWords } from '../session/require-own-archive.js';
import { serveOption, whileServed } from '../session/served-desk.js';
import { configOf, homeOption, type SessionFlags, sessionOf } from '../session/session.js';
import { warnCounterMismatch } from '../session/warn-counter-mismatch.js';
import type { CliContext } from '../terminal/context.js';
import { type Leaving, onShutdown } from '../terminal/graceful-stop.js';
import { healthOption, renderOption } from '../terminal/options.js';
import { printLine, say } from '../terminal/print.js';

/** `greenlight worker`: makes movies until it is told to stop. */
export function addWorkerCommand(program: Command, context: CliContext): void {
  program
    .command('worker')
    .description('Run a worker: make the movies of approved batches until stopped (Ctrl-C, SIGTERM)')
    .option('--out <folder>', 'folder for finished movies (default: out)')
    .addOption(renderOption())
    .addOption(
      new Option('--log <form>', 'what happens to rows and batches, on stdout; default: text (GREENLIGHT_LOG)').choices(
        ['text', 'json', 'quiet'] as const,
      ),
    )
    .addOption(serveOption())
    .addOption(homeOption())
    .addOption(healthOption())
    .addHelpText('after', '\nExample:\n  greenlight worker --home /var/lib/greenlight --log json')
    .action(async (flags) => {
      const leaving = onShutdown(context, 'Stopped. Requests that were in flight are checked again at the next start');
      leaving.onFirst(
        () => 'Stopping: no new work; requests in flight get 10 s. Press Ctrl-C again to exit immediately.',
      );
      try {
        await Promise.race([work(context, flags, leaving), leaving.atOnce]);
      } finally {
        leaving.end();
      }
    });
}

type WorkerFlags = SessionFlags & { readonly serve?: true | undefined };

async function work(context: CliContext, flags: WorkerFlags, { signal }: Leaving): Promise<void> {
  const config = await configOf(context, flags);
  const log = createWorkerLog(config.log, {
    // A terminal would break a document into lines.
    print: (line) => (config.log.form === 'json' ? context.stdout.write(`${line}\n`) : printLine(context, line)),
    say: (line) => say(context, line),
  });
  const embedded = await joinEmbedded(config, { ...context, say: log.say });
  try {
    const installation = await openInstallation(config, { onOutage: log.say });
    try {
      const health = await openHealth(installation);
      try {
        const making = () => makeMovies(context, { installation, health, log, signal });
        await (flags.serve ? whileServed(context, installation, making) : making());
      } finally {
        await health?.close();
      }
    } finally {
      await installation.close();
    }
  } finally {
    await embedded.leave();
  }
}

interface Making {
  readonly installation: Installation;
  readonly health: Health | null;
  readonly log: WorkerLog;
  readonly signal: AbortSignal;
}

async function makeMovies(context: CliContext, { installation, health, log, signal }: Making): Promise<void> {
  const { service, config } = installation;
  const { deps } = sessionOf(installation, context);
  await installation.archive.check();
  const halted = await checkArchive(deps, installation.marks);
  if (halted !== null) log.say(`${haltWords(halted)}; movies in progress continue`);
  await warnCounterMismatch(context, deps);
  await tryService(await installation.movieApi(), signal);
  const tracing = await openTracing(context.env, installation.ledger.id);
  const worker = await startWorker(installation, {
    ...{ tracing, sdkMetricsAt: health?.sdkMetricsAt ?? null, onProblem: log.problem },
    onEvent(event) {
      log.onEvent(event);
      health?.count(event.kind);
      tracing?.moment(event.kind, momentOf(event));
    },
  });
  try {
    health?.watch(worker);
    log.say(`Working: movies by ${service.name}, ledger ${databaseName(config.databaseUrl)}; Ctrl-C stops`);
    await Promise.race([worker.failed, aborted(signal)]);
  } finally {
    await worker.stop();
    log.flush();
    await tracing?.close();
    if (signal.aborted) log.say('Stopped. Next: greenlight worker continues with what is left');
  }
}

function momentOf({ batchId, rowKey, attempt, requestId, detail }: WorkEvent): SpanOf {
  const attributes = {
    ...(rowKey !== null && { 'greenlight.row': rowKey }),
    ...(attempt !== undefined && { 'greenlight.attempt': attempt }),
    ...(requestId && { 'greenlight.request_id': requestId }),
    ...(detail !== '' && { 'greenlight.detail': detail }),
  };
  return { batchId, attributes };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
