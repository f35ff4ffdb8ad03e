import type { Command } from '@commander-js/extra-typings';
import type { CliContext } from '../terminal/context.js';
import { addReconcileInvoiceCommand } from './reconcile-invoice.js';
import { addReconcileRestoredCommand } from './reconcile-restored.js';

/** `greenlight reconcile`: the books against what others know. */
export function addReconcileCommand(program: Command, context: CliContext): void {
  const reconcile = program
    .command('reconcile')
    .description('Match the ledger with an invoice, or with its archive after a restore')
    .addHelpText(
      'after',
      '\nExample:\n  greenlight reconcile invoice-2026-11.csv --preview\n  greenlight reconcile restored --reason "backup of Monday"',
    );
  // Its subcommands have their own types of options, which do not matter here.
  addReconcileInvoiceCommand(reconcile as Command, context);
  addReconcileRestoredCommand(reconcile as Command, context);
}
