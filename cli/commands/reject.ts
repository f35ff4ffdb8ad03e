import type { Command } from '@commander-js/extra-typings';
import { readBatch } from '../../operations/batches.js';
import { reject } from '../../operations/decisions.js';
import { planAgain } from '../../reports/wording/next-steps.js';
import { warnNotNotified } from '../session/notified.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine, sayNext } from '../terminal/print.js';

/** `greenlight reject`: finance's no to a sealed plan. */
export function addRejectCommand(program: Command, context: CliContext): void {
  program
    .command('reject')
    .description('Reject the plan of a batch; nothing in it is ordered')
    .argument('<batch>', 'batch id, e.g. spring-launch-3')
    .requiredOption('--reason <words>', 'reason for the submitter, kept in the audit log')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight reject spring-launch-3 --reason "wait for the new logo"')
    .action((batchId, { reason, ...flags }) =>
      withSession(context, flags, async ({ deps, actor }) => {
        const decided = await reject(deps, { batchId, actor: await actor(), reason });
        const { decision, isRepeat, told } = decided;
        const words = decision.reason ?? '';
        if (flags.json) {
          return printJson(context, { batch: batchId, by: decision.by, reason: words, told, repeated: isRepeat });
        }
        printLine(context, `${batchId} ${isRepeat ? 'was rejected already' : 'rejected'} by ${decision.by}: ${words}`);
        warnNotNotified(context, decided);
        const { batch } = await readBatch(deps, { batchId, actor: await actor() });
        sayNext(context, planAgain(batch));
      }),
    );
}
