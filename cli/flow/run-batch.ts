import { placeOf } from '../../home/archive/open-archive.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { type BatchLook, readBatch } from '../../operations/batches.js';
import type { OpenManifest } from '../../operations/open-manifest.js';
import { submit } from '../../operations/submit.js';
import { reportBatch } from '../../reports/renew-reports.js';
import { approvalWords } from '../../reports/wording/decision-words.js';
import { batchStateWords } from '../../reports/wording/state-words.js';
import { setLimit } from '../manifest/apply-budget-flag.js';
import type { BudgetFlag } from '../manifest/parse-budget-flag.js';
import { type Session, waitingDeps } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import type { Leaving } from '../terminal/graceful-stop.js';
import type { ProgressMode } from '../terminal/live-block.js';
import { say } from '../terminal/print.js';
import { attachedWords } from './attached-words.js';
import { decide } from './decide.js';
import { leavingWords } from './leaving-words.js';
import { printOutcome } from './outcome.js';
import { waitForSeal } from './wait-for-seal.js';
import { watchBatch } from './watch-batch.js';

export interface BeginOptions {
  readonly session: Session;
  readonly manifest: OpenManifest;
  readonly budget: BudgetFlag | undefined;
}

/**
 * Stores the manifest as the campaign's next batch, or finds the open batch that has these very rows.
 *
 * @returns its id.
 * @throws CliError (3) when another batch of the campaign is in the way; LedgerError when no budget is defined.
 */
export async function beginBatch(context: CliContext, { session, manifest, budget }: BeginOptions): Promise<string> {
  await setLimit(session, { manifest, budget });
  const found = await submit(session.deps, { manifest, actor: await session.actor(), otherBatch: 'in the way' });
  if (found.kind === 'in the way') {
    const { batchId, state } = found.batch;
    throw new CliError(
      `Cannot run ${manifest.name}: ${batchId} of the same campaign is ${batchStateWords[state]}; wait for it, or greenlight cancel ${batchId} --all --reason "…"`,
      exitCodes.stopped,
    );
  }
  if (found.kind === 'attached') {
    const { batch } = await readBatch(session.deps, { batchId: found.batchId, actor: await session.actor() });
    say(context, attachedWords(batch, manifest.settings));
  }
  return found.batchId;
}

export interface RunOptions {
  readonly session: Session;
  readonly batchId: string;
  /** The price is accepted as it is. */
  readonly yes: boolean;
  readonly json: boolean;
  readonly mode: ProgressMode;
  readonly leaving: Leaving;
}

/**
 * The way of a batch whose workers run somewhere: priced, decided on, made, reported.
 *
 * @throws CliError with what stands in the way; the signal's reason when the person leaves.
 */
export async function runBatch(context: CliContext, options: RunOptions): Promise<void> {
  const { session, batchId, leaving } = options;
  const look = { batchId, actor: await session.actor() };
  leaving.onFirst(async () => {
    const atStudio = session.installation.config.movieApi === null;
    return leavingWords({ ...(await readBatch(session.deps, look)), atStudio });
  });
  const sealed = await waitForSeal(context, {
    ...{ deps: waitingDeps(session), look, mode: options.mode, signal: leaving.signal },
  });
  if (sealed.state === 'waiting') await decideOn(context, options, sealed);
  await watchBatch(context, {
    ...{ deps: waitingDeps(session), look, mode: options.mode, signal: leaving.signal, link: null },
  });
  await report(context, options, look);
}

async function decideOn(context: CliContext, { session, yes, leaving }: RunOptions, batch: BatchView): Promise<void> {
  const decided = await decide(context, session, batch.batchId, { yes });
  leaving.signal.throwIfAborted();
  say(context, `${batch.batchId} ${approvalWords(batch, decided)}`);
}

async function report(context: CliContext, { session, json }: RunOptions, look: BatchLook): Promise<void> {
  const { deps, installation } = session;
  const { batchId } = look;
  await reportBatch({ ...deps, reportFolder: installation.reports }, batchId);
  await printOutcome(context, { deps, look, folder: placeOf(installation.config, batchId), json });
}
