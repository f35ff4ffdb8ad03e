import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchView } from '../../ledger/batches/batches.js';
import { type BatchLook, readBatch } from '../../operations/batches.js';
import { countPrices } from '../../operations/stored-plan.js';
import { type WaitingDeps, whyWaiting } from '../../operations/why-waiting.js';
import { rowsText } from '../../reports/wording/state-words.js';
import { reasonWords } from '../../reports/wording/wait-reason.js';
import { openTracing } from '../../telemetry/tracing.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { createLiveBlock, type LiveBlock, type ProgressMode } from '../terminal/live-block.js';
import { say } from '../terminal/print.js';

/** Prices are asked for by the workers; sealing comes right after the last one. */
const lookEveryMs = 150;
/** Counting prices reads every row of the batch. */
const countEveryMs = 1_000;
/** Without a price for so long, a person should hear why. */
const silenceMs = 5_000;

export interface Sealing {
  readonly deps: WaitingDeps;
  readonly look: BatchLook;
  readonly mode: ProgressMode;
  readonly signal: AbortSignal;
}

/**
 * Waits until the batch has its price.
 *
 * @throws CliError (3) when it was refused or has expired; the signal's reason when the person leaves.
 */
export async function waitForSeal(context: CliContext, sealing: Sealing): Promise<BatchView> {
  const { deps, look } = sealing;
  const { batch } = await readBatch(deps, look);
  // One that was there before is another command's.
  if (deps.clock() - batch.submittedAtMs > process.uptime() * 1_000) return sealed(context, sealing);
  const tracing = await openTracing(context.env, deps.ledger.id);
  if (!tracing) return sealed(context, sealing);
  try {
    const of = { batchId: look.batchId, first: true, attributes: { 'greenlight.campaign': batch.campaign } };
    return await tracing.span('submit', of, () => sealed(context, sealing));
  } finally {
    await tracing.close();
  }
}

async function sealed(context: CliContext, sealing: Sealing): Promise<BatchView> {
  const { deps, look, mode, signal } = sealing;
  const { batchId } = look;
  const block = mode === 'live' ? createLiveBlock(context) : null;
  const watch = watchPrices(context, sealing, block);
  try {
    for (let looks = 0; ; looks += 1) {
      const { batch } = await readBatch(deps, look);
      const { state, manifestName, rowsInSheet, rowsToOrder } = batch;
      if (state === 'refused' || state === 'expired') throw overBefore(batch);
      if (state !== 'preparing') return batch;
      if (looks === 0) say(context, `${batchId} ${manifestName}: ${rowsText(rowsInSheet)}, pricing ${rowsToOrder}`);
      await watch();
      await sleep(lookEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  } finally {
    block?.end();
  }
}

function overBefore({ batchId, state, stateReason }: BatchView): CliError {
  return new CliError(
    `Cannot order ${batchId}: it is ${state}: ${stateReason ?? 'no reason given'}`,
    exitCodes.stopped,
  );
}

/** Shows how many rows have a price, and says why none comes: once for each reason. */
function watchPrices(context: CliContext, sealing: Sealing, block: LiveBlock | null): () => Promise<void> {
  const { deps, look } = sealing;
  let known = -1;
  let [countedAtMs, changedAtMs, said] = [Number.NEGATIVE_INFINITY, deps.clock(), ''];
  return async () => {
    const nowMs = deps.clock();
    if (nowMs - countedAtMs < countEveryMs) return;
    countedAtMs = nowMs;
    const { priced, rows } = await countPrices(deps, look);
    if (priced !== known) [known, changedAtMs] = [priced, nowMs];
    block?.draw([`priced ${priced}/${rows}`]);
    if (nowMs - changedAtMs < silenceMs) return;
    changedAtMs = nowMs;
    const [why] = await whyWaiting(deps, await readBatch(deps, look), look.actor);
    if (!why) return; // sealed meanwhile
    const words = `No price yet: ${reasonWords(why, nowMs)}`;
    if (words === said) return;
    say(context, words);
    if (said === '') say(context, 'Ctrl-C leaves; the batch is stored and continues without you');
    said = words;
  };
}
