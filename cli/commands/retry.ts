import type { Command } from '@commander-js/extra-typings';
import { readBatch } from '../../operations/batches.js';
import { refetch, retry } from '../../operations/retries.js';
import { waitForSeal } from '../flow/wait-for-seal.js';
import { nextApproval } from '../session/next-approval.js';
import { warnNotNotified } from '../session/notified.js';
import { homeOption, waitingDeps, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { onShutdown } from '../terminal/graceful-stop.js';
import { progressMode } from '../terminal/live-block.js';
import { printJson, printLine } from '../terminal/print.js';
import { batchJson } from '../views/batch-json.js';
import { storedPlan } from '../views/load-plan.js';
import { planLines } from '../views/plan-view.js';

/** `greenlight retry`: failed, canceled or lost rows as a new batch, with a plan and a decision of its own. */
export function addRetryCommand(program: Command, context: CliContext): void {
  program
    .command('retry')
    .description('Plan failed, canceled, lost or redo rows again, as a new batch that needs approval')
    .argument('<batch>', 'batch id, e.g. spring-launch-3')
    .argument('[rows...]', 'row ids (default: every failed, canceled or lost row)')
    .option('--redo', 'every delivered row that a review marked redo')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight retry spring-launch-3 ep-07 ep-31')
    .action((batchId, rows, flags) =>
      withSession(context, flags, async (session) => {
        const { deps } = session;
        if (flags.redo && rows.length > 0) {
          throw new CliError('Cannot retry: name rows or use --redo, not both', exitCodes.usage);
        }
        const rowKeys = flags.redo ? 'redo' : rows.length === 0 ? 'all' : rows;
        const actor = await session.actor();
        const retried = await retry(deps, { batchId, rowKeys, actor });
        const look = { batchId: retried.batchId, actor };
        if (!retried.told) {
          printLine(context, `${retried.batchId} is planned from ${batchId}`);
          return warnNotNotified(context, retried);
        }
        const leaving = onShutdown(context, `Detached; ${retried.batchId} is still being planned`);
        leaving.onFirst(() => `Detached; ${retried.batchId} is still being planned`);
        try {
          const sealed = await waitForSeal(context, {
            ...{ deps: waitingDeps(session), look, signal: leaving.signal },
            mode: progressMode('auto', context),
          });
          if (flags.json) {
            const { batch, counts } = await readBatch(deps, look);
            return printJson(context, batchJson(batch, counts));
          }
          for (const line of planLines(await storedPlan(deps, look))) printLine(context, line);
          if (sealed.state === 'waiting') printLine(context, await nextApproval(deps, sealed, actor));
        } finally {
          leaving.end();
        }
      }),
    );
}

/** `greenlight refetch`: the files of lost movies, asked for once more. */
export function addRefetchCommand(program: Command, context: CliContext): void {
  program
    .command('refetch')
    .description('Ask the service again for the files of lost rows; costs nothing')
    .argument('<batch>', 'batch id, e.g. spring-launch-3')
    .argument('[rows...]', 'row ids (default: every lost row)')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight refetch spring-launch-3')
    .action((batchId, rows, flags) =>
      withSession(context, flags, async ({ deps, actor }) => {
        const rowKeys = rows.length === 0 ? 'all' : rows;
        const asked = await refetch(deps, { batchId, rowKeys, actor: await actor() });
        if (flags.json) return printJson(context, { batch: batchId, rows: asked.rows, told: asked.told });
        const words = asked.rows === 0 ? 'no lost rows' : asked.rows === 1 ? '1 row' : `${asked.rows} rows`;
        printLine(context, `${batchId} ${words}${asked.rows === 0 ? '' : ' asked for again'}`);
        if (asked.rows > 0) warnNotNotified(context, asked);
      }),
    );
}
