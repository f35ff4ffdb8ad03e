import type { Command } from '@commander-js/extra-typings';
import type { CliContext } from './terminal/context.js';

/** A context that the options before and behind a command's name may still change, until the command begins. */
export type OwnContext = { -readonly [Key in keyof CliContext]: CliContext[Key] };

/** Options that every command takes, anywhere on its line. */
export function addGlobalOptions(program: Command, context: OwnContext): void {
  const options = program
    .option('-q, --quiet', 'print only what was asked for, and errors')
    .option('--no-color', 'no colours (NO_COLOR)')
    .option('--config <file>', 'settings file (default: greenlight.config.yaml)');
  options.hook('preAction', () => {
    const { quiet, color, config } = options.opts();
    if (quiet) context.quiet = true;
    if (!color) context.env = { ...context.env, NO_COLOR: '1' };
    if (config !== undefined) context.env = { ...context.env, GREENLIGHT_CONFIG: config };
  });
}

/** The words of a command line that are neither options nor the value of a global one. */
export function wordsOf(args: readonly string[]): readonly string[] {
  return args.filter((arg, index) => !arg.startsWith('-') && args[index - 1] !== '--config');
}
