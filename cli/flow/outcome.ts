import { relative } from 'node:path';
import { readPolicy } from '../../ledger/access/policies.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { countRows, listRows } from '../../ledger/batches/rows.js';
import type { OperationDeps } from '../../operations/deps.js';
import { type CliContext, type ExitCode, exitCodes } from '../terminal/context.js';
import { printJson, printLine, say } from '../terminal/print.js';
import { roomOf } from '../terminal/text-width.js';
import { batchJson } from '../views/batch-json.js';
import { storedPlan } from '../views/load-plan.js';
import { planLines } from '../views/plan-view.js';
import { isEverythingDelivered, summaryLines, undeliveredStates } from '../views/summary-view.js';

export interface Outcome {
  readonly deps: OperationDeps;
  readonly batch: BatchView;
  /** Where its movies and reports are. */
  readonly folder: string;
  readonly json: boolean;
}

/** Rows without a movie that are looked at for the summary. */
const readRows = 500;

/** Says how a batch ended, and sets the exit code by it. */
export async function printOutcome(context: CliContext, { deps, batch, folder, json }: Outcome): Promise<void> {
  const { ledger } = deps;
  const { batchId } = batch;
  const counts = await countRows(ledger, batchId);
  context.setExitCode(exitCodeOf(batch, isEverythingDelivered(batch, counts)));
  if (json) return printJson(context, { ...batchJson(batch, counts), folder });
  if (batch.rowsToOrder === 0) for (const line of planLines(await storedPlan(ledger, batch))) say(context, line);
  const { policy } = await readPolicy(ledger.db);
  const lines = summaryLines({
    ...{ batch, counts, billing: policy.billing },
    undelivered: await listRows(ledger, batchId, { states: undeliveredStates, limit: readRows }),
    folder: relative(context.cwd, folder) || '.',
    columns: roomOf(context.stdout, context.env),
  });
  for (const line of lines) printLine(context, line);
}

function exitCodeOf({ state }: BatchView, everythingDelivered: boolean): ExitCode {
  if (state === 'refused' || state === 'expired') return exitCodes.stopped;
  return everythingDelivered ? exitCodes.ok : exitCodes.incomplete;
}
