import type { Command } from '@commander-js/extra-typings';
import { readBatch } from '../../operations/batches.js';
import { stateSentence } from '../../reports/wording/batch-words.js';
import { approvalWords } from '../../reports/wording/decision-words.js';
import { nextSteps } from '../../reports/wording/next-steps.js';
import { decide } from '../flow/decide.js';
import { warnNotNotified } from '../session/notified.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine } from '../terminal/print.js';

/** `greenlight approve`: finance's yes to one sealed plan and its price. */
export function addApproveCommand(program: Command, context: CliContext): void {
  program
    .command('approve')
    .description('Approve the plan of a batch; its movies are ordered from then on')
    .argument('<batch>', 'batch id, e.g. spring-launch-3')
    .option('--digest <digits>', 'approve only if the plan digest starts with these digits')
    .option('-y, --yes', 'skip the confirmation prompt')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight approve spring-launch-3 --digest 7f3a91c044d2')
    .action((batchId, flags) =>
      withSession(context, flags, async (session) => {
        const decided = await decide(context, session, batchId, { yes: flags.yes ?? false, digest: flags.digest });
        const { batch, counts } = await readBatch(session.deps, { batchId, actor: await session.actor() });
        const { decision, isRepeat, told } = decided;
        if (flags.json) {
          printJson(context, {
            ...{ batch: batchId, digest: batch.planDigest, total_minor: batch.totalMinor, told },
            ...{ currency: batch.money.currency, by: decision.by, self_approved: decision.selfApproved },
            repeated: isRepeat,
          });
          return;
        }
        const since = isRepeat ? `; ${stateSentence({ batch, counts })}` : '';
        printLine(context, `${batchId} ${approvalWords(batch, decided)}${since}`);
        const isOver = batch.state !== 'making';
        if (!isOver) warnNotNotified(context, decided);
        const steps = isOver ? nextSteps({ batch, counts, againMinor: null }) : [];
        for (const step of steps) printLine(context, step);
        if (decided.told && !isOver) printLine(context, `Next: greenlight status ${batchId} --watch`);
      }),
    );
}
