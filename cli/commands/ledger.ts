import type { Command } from '@commander-js/extra-typings';
import { databaseName } from '../../home/config.js';
import { type MigratedLedger, migrateLedger } from '../../operations/database.js';
import { configOf, homeOption } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine } from '../terminal/print.js';

/** `greenlight ledger`: what concerns the database itself. */
export function addLedgerCommand(program: Command, context: CliContext): void {
  const ledger = program
    .command('ledger')
    .description("Create or upgrade the ledger's tables")
    .addHelpText('after', '\nExample:\n  greenlight ledger migrate');
  ledger
    .command('migrate')
    .description(
      "Create the ledger's tables, or bring them to this version; a PostgreSQL ledger is never migrated unasked",
    )
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight ledger migrate')
    .action(async (flags) => {
      const { databaseUrl, billing, idempotency, maxInFlight } = await configOf(context, flags);
      const migrated = await migrateLedger(databaseUrl, { billing, idempotency, maxInFlight });
      if (flags.json) return printJson(context, { ledger: migrated.ledgerId, applied: migrated.applied });
      printLine(context, `${databaseName(databaseUrl)}: ${words(migrated)}`);
    });
}

function words({ applied, ledgerId }: MigratedLedger): string {
  const last = applied.at(-1);
  if (last === undefined) return 'up to date, nothing to do';
  return `${applied.length === 1 ? '1 migration' : `${applied.length} migrations`}, now ${last}; ledger ${ledgerId}`;
}
