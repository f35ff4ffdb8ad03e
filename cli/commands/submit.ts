import type { Command } from '@commander-js/extra-typings';
import { placeOf } from '../../home/archive/open-archive.js';
import { refuseOwnStudio } from '../../home/refuse-own-studio.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { type BatchLook, readBatch } from '../../operations/batches.js';
import { submit } from '../../operations/submit.js';
import { uploadLocalReferences } from '../../operations/upload/local-references.js';
import { attachedWords } from '../flow/attached-words.js';
import { printOutcome } from '../flow/outcome.js';
import { waitForSeal } from '../flow/wait-for-seal.js';
import { watchBatch } from '../flow/watch-batch.js';
import { setLimit } from '../manifest/apply-budget-flag.js';
import { type ManifestFlags, manifestCommand } from '../manifest/manifest-flags.js';
import { openManifestOf } from '../manifest/manifest-input.js';
import { nextApproval } from '../session/next-approval.js';
import { warnNotNotified } from '../session/notified.js';
import { requireOwnArchive } from '../session/require-own-archive.js';
import { configOf, homeOption, type Session, waitingDeps, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { type Leaving, onShutdown } from '../terminal/graceful-stop.js';
import { progressMode } from '../terminal/live-block.js';
import { progressOption } from '../terminal/options.js';
import { printJson, printLine, say } from '../terminal/print.js';
import { batchJson } from '../views/batch-json.js';
import { storedPlan } from '../views/load-plan.js';
import { planLines } from '../views/plan-view.js';

interface SubmitFlags extends ManifestFlags {
  readonly wait?: true | undefined;
  readonly progress: 'auto' | 'live' | 'plain' | 'quiet';
  readonly json?: true | undefined;
  readonly home?: string | undefined;
}

/** `greenlight submit`: a manifest for an installation whose workers run elsewhere. */
export function addSubmitCommand(program: Command, context: CliContext): void {
  manifestCommand(program, 'submit')
    .description('Submit a manifest to running workers; returns when its plan is priced')
    .option('--wait', 'wait until the batch has ended')
    .addOption(progressOption())
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight submit spring.csv --budget acme/emea --wait')
    .action(async (path, flags) => {
      const detached = 'Detached; the batch continues. Next: greenlight status --watch';
      const leaving = onShutdown(context, detached);
      leaving.onFirst(() => detached);
      try {
        await submitManifest(context, { path, flags, leaving });
      } finally {
        leaving.end();
      }
    });
}

interface Submission {
  readonly path: string;
  readonly flags: SubmitFlags;
  readonly leaving: Leaving;
}

async function submitManifest(context: CliContext, { path, flags, leaving }: Submission): Promise<void> {
  const config = await configOf(context, flags);
  refuseOwnStudio(config);
  const opened = await openManifestOf(context, { path, flags, config });
  try {
    await withSession(
      context,
      flags,
      async (session) => {
        const { manifest } = opened;
        await requireOwnArchive(session);
        await setLimit(session, { manifest, budget: flags.budget });
        const actor = await session.actor();
        if (config.movieApi) {
          const api = await session.installation.movieApi();
          const { remoteFiles } = opened;
          await uploadLocalReferences(session.deps, { manifest, api, remoteFiles, signal: leaving.signal });
        }
        const found = await submit(session.deps, { manifest, actor, otherBatch: 'beside' });
        if (found.kind === 'in the way') return; // `beside` never answers so
        warnNotNotified(context, found);
        const look = { batchId: found.batchId, actor };
        if (found.kind === 'attached') {
          say(context, attachedWords((await readBatch(session.deps, look)).batch, manifest.settings));
        }
        leaving.onFirst(() => `Detached; the batch continues. Next: greenlight status ${found.batchId} --watch`);
        const sealed = await waitForSeal(context, {
          ...{ deps: waitingDeps(session), look, signal: leaving.signal },
          mode: progressMode(flags.progress, context),
        });
        await (flags.wait ? follow : show)(context, { session, look, sealed, flags, leaving });
      },
      { home: 'create' },
    );
  } finally {
    await opened.close();
  }
}

interface Sealed {
  readonly session: Session;
  readonly look: BatchLook;
  readonly sealed: BatchView;
  readonly flags: SubmitFlags;
  readonly leaving: Leaving;
}

async function show(context: CliContext, { session: { deps }, look, sealed, flags }: Sealed): Promise<void> {
  if (flags.json) {
    const { batch, counts } = await readBatch(deps, look);
    return printJson(context, batchJson(batch, counts));
  }
  for (const line of planLines(await storedPlan(deps, look))) printLine(context, line);
  if (sealed.state === 'waiting') printLine(context, await nextApproval(deps, sealed, look.actor));
}

async function follow(context: CliContext, { session, look, sealed, flags, leaving }: Sealed): Promise<void> {
  const { deps, installation } = session;
  const { batchId } = sealed;
  for (const line of planLines(await storedPlan(deps, look))) say(context, line);
  if (sealed.state === 'waiting') {
    say(context, `${batchId} waits for approval. ${await nextApproval(deps, sealed, look.actor)}`);
  }
  await watchBatch(context, {
    ...{ deps: waitingDeps(session), look, signal: leaving.signal, link: null },
    mode: progressMode(flags.progress, context),
  });
  const folder = placeOf(installation.config, batchId);
  await printOutcome(context, { deps, look, folder, json: flags.json ?? false });
}
