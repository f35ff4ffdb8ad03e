import type { Command } from '@commander-js/extra-typings';
import { diagnoseBatches } from '../diagnosis/batches.js';
import { diagnoseMachine, healthOf } from '../diagnosis/machine.js';
import { configOf, homeOption, loginName } from '../session/session.js';
import type { CliContext } from '../terminal/context.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { fitTable } from '../terminal/fit-table.js';
import { printJson, printLine } from '../terminal/print.js';
import { roomOf } from '../terminal/text-width.js';

/** `greenlight doctor`: what is found on this machine, and what to do about the rest. */
export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description(
      "Check this machine's setup: Node, Temporal, ledger, archive, movie service and webhooks, and what open batches wait for; exit 4 if a check fails",
    )
    .option('--json', 'output JSON')
    .addOption(homeOption())
    .addHelpText('after', '\nExample:\n  greenlight doctor')
    .action(async (flags) => {
      const config = await configOf(context, flags);
      const health = healthOf(config);
      const machine = await diagnoseMachine(context, config, health);
      const ledgerId = (await health.catch(() => null))?.ledgerId ?? null; // what is wrong is said by its own line
      const of = { config, ledgerId, env: context.env, loginName: loginName() };
      const found = [...machine, ...(await diagnoseBatches(of))];
      if (found.some(({ ok }) => !ok)) context.setExitCode(exitCodes.unreachable);
      if (flags.json) return printJson(context, found);
      const rows = found.map(({ part, ok, waits, words }) => [waits ? 'waits' : ok ? 'ok' : 'FAIL', part, words]);
      const columns = roomOf(context.stdout, context.env);
      for (const line of fitTable(rows, { columns })) printLine(context, line);
    });
}
