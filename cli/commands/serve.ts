import type { Command } from '@commander-js/extra-typings';
import { openDesk } from '../../home/desk.js';
import { openInstallation } from '../../home/installation.js';
import { sayDeskAddress } from '../session/desk-address.js';
import { configOf, homeOption, requireLedger, type SessionFlags, sessionOf } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { explainError } from '../terminal/explain-error.js';
import { type Leaving, onShutdown } from '../terminal/graceful-stop.js';
import { say } from '../terminal/print.js';

/** `greenlight serve`: the desk for people in their browsers. */
export function addServeCommand(program: Command, context: CliContext): void {
  program
    .command('serve')
    .description('Serve the desk: batches, plans and approvals in a browser, until stopped (Ctrl-C, SIGTERM)')
    .addOption(homeOption())
    .addHelpText(
      'after',
      '\nIt makes no movies: a worker does. GREENLIGHT_DESK_LISTEN and GREENLIGHT_DESK_URL say where it is served.' +
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

async function serve(context: CliContext, flags: SessionFlags, { requested }: Leaving): Promise<void> {
  const config = await configOf(context, flags);
  requireLedger(config);
  const installation = await openInstallation(config);
  try {
    const desk = await openDesk(installation, { onFault: logFaults(context) });
    try {
      await sayDeskAddress(context, sessionOf(installation, context), desk.publicUrl);
      await requested;
    } finally {
      await desk.close();
    }
  } finally {
    await installation.close();
  }
}

/** A line for each error of ours, with the number that the person was shown. */
export function logFaults(context: CliContext): (error: unknown, requestId: string) => void {
  return (error, requestId) => say(context, `Desk, request ${requestId}: ${explainError(error, context).message}`);
}
