import type { Command } from '@commander-js/extra-typings';
import { openHealth } from '../../home/health/open-health.js';
import { type Installation, openInstallation } from '../../home/installation.js';
import { tellPeople } from '../../home/notices/tell-people.js';
import { type WorkerWatch, watchWorkers } from '../../home/notices/watch-workers.js';
import { whileServed } from '../session/served-desk.js';
import { configOf, homeOption, requireLedger, type SessionFlags } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { type Leaving, onShutdown } from '../terminal/graceful-stop.js';
import { healthOption } from '../terminal/options.js';

/** `greenlight serve`: the desk for people in their browsers. */
export function addServeCommand(program: Command, context: CliContext): void {
  program
    .command('serve')
    .description('Serve the desk: batches, plans and approvals in a browser, until stopped (Ctrl-C, SIGTERM)')
    .addOption(homeOption())
    .addOption(healthOption())
    .addHelpText(
      'after',
      '\nIt makes no movies; a worker does. "greenlight worker --serve" does both. GREENLIGHT_DESK_LISTEN and GREENLIGHT_DESK_URL set its address.' +
        '\n\nExample:\n  greenlight serve --home /var/lib/greenlight',
    )
    .action(async (flags) => {
      const leaving = onShutdown(context, 'Stopped');
      leaving.onFirst(() => 'Stopping: requests under way are answered. Press Ctrl-C again to exit immediately.');
      try {
        await Promise.race([serve(context, flags, leaving), leaving.atOnce]);
      } finally {
        leaving.end();
      }
    });
}

/** Where Temporal is away nothing is known of workers. */
function watchOf({ ledger, clock, seeWorkers }: Installation): WorkerWatch {
  const countWorkers = async () => {
    const { temporal, workers } = await seeWorkers(null);
    return temporal === 'there' ? workers : null;
  };
  return { ledger, clock, countWorkers };
}

async function serve(context: CliContext, flags: SessionFlags, { requested }: Leaving): Promise<void> {
  const config = await configOf(context, flags);
  requireLedger(config);
  const installation = await openInstallation(config);
  try {
    const health = await openHealth(installation);
    // It may run where no worker does, and is then the only one that can say so.
    const stopTelling = [tellPeople(installation), watchWorkers(watchOf(installation))];
    try {
      await whileServed(context, installation, () => {
        health?.watch({ lacking: () => [] });
        return requested;
      });
    } finally {
      await Promise.all(stopTelling.map((stop) => stop()));
      await health?.close();
    }
  } finally {
    await installation.close();
  }
}
