import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { type Limits, limit, readLimits } from '../../operations/batch/limits.js';
import { wholeNumberFrom } from '../manifest/manifest-flags.js';
import { warnNotNotified } from '../session/notified.js';
import { homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine, sayNext } from '../terminal/print.js';

/** `greenlight limits`: how many movies of a batch may be in progress, shown and changed while it runs. */
export function addLimitsCommand(program: Command, context: CliContext): void {
  program
    .command('limits')
    .description('Show or change how many movies of a batch may be in progress, also while it runs')
    .argument('<batch>', 'batch id, e.g. spring-launch-3')
    .option(
      '--max-in-flight <movies|none>',
      'maximum movies in progress at once; none: no limit of its own',
      parseLimit,
    )
    .option('--reason <words>', 'reason, kept in the audit log')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight limits spring-launch-3 --max-in-flight 20')
    .action((batchId, flags) =>
      withSession(context, flags, async ({ deps, installation, ...session }) => {
        const { maxInFlight, reason, json } = flags;
        const actor = await session.actor();
        const told =
          maxInFlight === undefined
            ? null
            : await limit(deps, {
                ...{ batchId, actor, maxInFlight: maxInFlight === 'none' ? null : maxInFlight },
                ...(reason !== undefined && { reason }),
              });
        const limits = await readLimits(deps, { batchId, actor });
        const ofWorkers = installation.config.maxInFlight;
        if (json) {
          const { inProgress, batch, service } = limits;
          const said = { batch: batchId, in_progress: inProgress, max_in_flight: batch, service, workers: ofWorkers };
          return printJson(context, { ...said, ...(told && { before: told.before, told: told.told }) });
        }
        for (const line of limitLines(batchId, limits, ofWorkers)) printLine(context, line);
        if (told) {
          warnNotNotified(context, told);
          if (told.told) sayNext(context, `greenlight status ${batchId} --watch`);
        } else printLine(context, `Next: greenlight limits ${batchId} --max-in-flight <movies>`);
      }),
    );
}

/** Of the three the least holds. */
function limitLines(batchId: string, { inProgress, batch, service }: Limits, ofWorkers: number): readonly string[] {
  const own = batch === null ? `none of its own; workers allow ${ofWorkers} a batch` : `${batch} in progress at most`;
  const above = batch !== null && inProgress > batch;
  return [
    `${batchId}: ${own}`,
    `in progress now: ${inProgress}${above ? `; no new orders until fewer than ${batch} are` : ''}`,
    `all batches of the service: ${service === null ? 'no limit' : `${service} in progress at most`}`,
  ];
}

function parseLimit(text: string): number | 'none' {
  if (text === 'none') return text;
  try {
    return wholeNumberFrom(1)(text);
  } catch {
    throw new InvalidArgumentError('It must be a whole number from 1, or none.');
  }
}
