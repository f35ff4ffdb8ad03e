import type { Command } from '@commander-js/extra-typings';
import { archiveId } from '../../archive/archive-identity.js';
import { databaseName } from '../../home/config.js';
import { type MigratedLedger, migrateLedger } from '../../operations/database.js';
import { useArchive } from '../../operations/restored.js';
import { configOf, homeOption, withSession } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { printJson, printLine } from '../terminal/print.js';

/** `greenlight ledger`: what concerns the ledger as a whole. */
export function addLedgerCommand(program: Command, context: CliContext): void {
  const ledger = program
    .command('ledger')
    .description("Create or upgrade the ledger's tables, or change its archive")
    .addHelpText('after', '\nExample:\n  greenlight ledger migrate');
  ledger
    .command('migrate')
    .description(
      "Create the ledger's tables, or bring them to this version; no other command migrates a PostgreSQL ledger",
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
  ledger
    .command('use-archive')
    .description('Send the movies of a shared ledger to the archive that is configured here; stop its workers first')
    .requiredOption('--reason <words>', 'why it changes; kept in the audit log')
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight ledger use-archive --reason "moved to a larger disk"')
    .action((flags) =>
      withSession(context, flags, async ({ deps, installation, actor }) => {
        const { url, notes } = installation.archive;
        const archive = { id: await archiveId(notes), url };
        await useArchive(deps, { archive, actor: await actor(), reason: flags.reason });
        if (flags.json) return printJson(context, archive);
        printLine(context, `Movies go to ${url} (${archive.id}) from now on; what the archive before has stays there`);
      }),
    );
}

function words({ applied, ledgerId }: MigratedLedger): string {
  const last = applied.at(-1);
  if (last === undefined) return 'up to date, nothing to do';
  return `${applied.length === 1 ? '1 migration' : `${applied.length} migrations`}, now ${last}; ledger ${ledgerId}`;
}
