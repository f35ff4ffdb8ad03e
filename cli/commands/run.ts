import type { Command } from '@commander-js/extra-typings';
import { tryService } from '../../api/try-service.js';
import type { Config } from '../../home/config.js';
import { joinEmbedded } from '../../home/embedded.js';
import { openInstallation } from '../../home/installation.js';
import { refuseOwnStudio } from '../../home/refuse-own-studio.js';
import { startWorker } from '../../worker/worker.js';
import { beginBatch, runBatch } from '../flow/run-batch.js';
import { requireBudget } from '../manifest/apply-budget-flag.js';
import { type ManifestFlags, manifestCommand } from '../manifest/manifest-flags.js';
import { type OpenedManifest, openManifestOf } from '../manifest/manifest-input.js';
import { requireOwnArchive } from '../session/require-own-archive.js';
import { serveOption, whileServed } from '../session/served-desk.js';
import { configOf, homeOption, sessionOf } from '../session/session.js';
import { warnCounterMismatch } from '../session/warn-counter-mismatch.js';
import type { CliContext } from '../terminal/context.js';
import { type Leaving, onShutdown } from '../terminal/graceful-stop.js';
import { progressMode } from '../terminal/live-block.js';
import { progressOption, renderOption } from '../terminal/options.js';
import { say } from '../terminal/print.js';

/** `greenlight run`: the whole job on this machine. */
export function addRunCommand(program: Command, context: CliContext): void {
  manifestCommand(program, 'run')
    .description('Make the movies of a manifest: price, confirm, order, follow, save, report')
    .option('-y, --yes', 'skip the confirmation prompt')
    .option('--out <folder>', 'folder for finished movies (default: out)')
    .addOption(renderOption())
    .addOption(progressOption())
    .option('--json', 'output the result as JSON')
    .addOption(serveOption())
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight run manifests/examples/spring-launch.csv --budget 500USD')
    .action((path, flags) => run(context, path, flags));
}

interface RunFlags extends ManifestFlags {
  readonly yes?: true | undefined;
  readonly out?: string | undefined;
  readonly render?: 'film' | 'draft' | 'stub' | undefined;
  readonly progress: 'auto' | 'live' | 'plain' | 'quiet';
  readonly json?: true | undefined;
  readonly home?: string | undefined;
  readonly serve?: true | undefined;
}

const whenLeft = 'Stopped. Progress is saved; running the same command continues without duplicate orders';

async function run(context: CliContext, path: string, flags: RunFlags): Promise<void> {
  const leaving = onShutdown(context, whenLeft);
  try {
    const config = await configOf(context, flags);
    refuseOwnStudio(config);
    // Nothing is started for a manifest that cannot be used or paid for.
    const opened = await openManifestOf(context, { path, flags, config });
    try {
      await requireBudget(config, { manifest: opened.manifest, budget: flags.budget });
      await Promise.race([onThisMachine(context, { config, opened, flags, leaving }), leaving.atOnce]);
    } finally {
      await opened.close();
    }
  } finally {
    leaving.end();
  }
}

interface Run {
  readonly config: Config;
  readonly opened: OpenedManifest;
  readonly flags: RunFlags;
  readonly leaving: Leaving;
}

/** Starts what is missing, runs the batch, and takes everything down in reverse, whatever happened. */
async function onThisMachine(context: CliContext, { config, opened, flags, leaving }: Run): Promise<void> {
  const embedded = await joinEmbedded(config, { ...context, say: (line) => say(context, line) });
  try {
    leaving.signal.throwIfAborted();
    await withWorker(context, { config, opened, flags, leaving });
  } finally {
    await embedded.leave();
  }
}

async function withWorker(context: CliContext, { config, opened, flags, leaving }: Run): Promise<void> {
  const installation = await openInstallation(config, { onOutage: (words) => say(context, words) });
  try {
    const session = sessionOf(installation, context);
    await requireOwnArchive(session);
    await warnCounterMismatch(context, session.deps);
    await tryService(await installation.movieApi(), leaving.signal);
    const batchId = await beginBatch(context, { session, manifest: opened.manifest, budget: flags.budget });
    const worker = await startWorker(installation);
    try {
      const finish = () => {
        const work = runBatch(context, {
          ...{ session, batchId, leaving, yes: flags.yes ?? false, json: flags.json ?? false },
          mode: progressMode(flags.progress, context),
        });
        // A wait for a ledger that is away ends no other way.
        return Promise.race([work, worker.failed, leaving.requested]);
      };
      await (flags.serve ? whileServed(context, installation, finish) : finish());
    } finally {
      await worker.stop();
    }
  } finally {
    await installation.close();
  }
}
