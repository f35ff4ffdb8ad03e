import { Argument, type Command } from '@commander-js/extra-typings';
import { completionScripts, shells } from '../completion/scripts.js';
import type { CliContext } from '../terminal/context.js';

/** `greenlight completion`: the script by which a shell completes commands, options and the names of the ledger. */
export function addCompletionCommand(program: Command, context: CliContext): void {
  program
    .command('completion')
    .description('Print a script that makes a shell complete commands, options, batches, rows and budgets')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText(
      'after',
      `
Example:
  greenlight completion bash >> ~/.bashrc
  greenlight completion zsh > "\${fpath[1]}/_greenlight"
  greenlight completion fish > ~/.config/fish/completions/greenlight.fish`,
    )
    .action((shell) => {
      context.stdout.write(completionScripts[shell]);
    });
}
