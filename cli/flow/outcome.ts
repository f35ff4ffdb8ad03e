import { relative } from 'node:path';
import type { BatchView } from '../../ledger/batches/batches.js';
import { type BatchLook, listRows, readBatch } from '../../operations/batches.js';
import type { OperationDeps } from '../../operations/deps.js';
import { billingAssumed } from '../../operations/stored-plan.js';
import type { CliContext } from '../terminal/context.js';
import { type ExitCode, exitCodes } from '../terminal/exit-codes.js';
import { printJson, printLine, say } from '../terminal/print.js';
import { batchJson } from '../views/batch-json.js';
import { storedPlan } from '../views/load-plan.js';
import { planLines } from '../views/plan-view.js';
import { isEverythingDelivered, summaryLines, undeliveredStates } from '../views/summary-view.js';

export interface Outcome {
  readonly deps: OperationDeps;
  readonly look: BatchLook;
  /** Where its movies and reports are. */
  readonly folder: string;
  readonly json: boolean;
}

/** Rows without a movie that are looked at for the summary. */
const readRows = 500;

/** Says how a batch ended, and sets the exit code by it. */
export async function printOutcome(context: CliContext, { deps, look, folder, json }: Outcome): Promise<void> {
  const { batch, counts } = await readBatch(deps, look);
  context.setExitCode(exitCodeOf(batch, isEverythingDelivered(batch, counts)));
  if (json) return printJson(context, { ...batchJson(batch, counts), folder });
  if (batch.rowsToOrder === 0) for (const line of planLines(await storedPlan(deps, look))) say(context, line);
  const lines = summaryLines({
    ...{ batch, counts, billing: await billingAssumed(deps) },
    undelivered: await listRows(deps, { ...look, states: undeliveredStates, limit: readRows }),
    folder: folder.startsWith('s3:') ? folder : relative(context.cwd, folder) || '.',
  });
  for (const line of lines) printLine(context, line);
}

function exitCodeOf({ state }: BatchView, everythingDelivered: boolean): ExitCode {
  if (state === 'refused' || state === 'expired') return exitCodes.stopped;
  return everythingDelivered ? exitCodes.ok : exitCodes.incomplete;
}
