import { Command, CommanderError } from '@commander-js/extra-typings';
import { commandTable } from './command-table.js';
import type { CliContext, ExitCode } from './terminal/context.js';
import { exitCodes } from './terminal/context.js';
import { explainError } from './terminal/explain-error.js';
import { say } from './terminal/print.js';

/**
 * Runs one command line. Whatever goes wrong for a person ends as one line on stderr and an exit code; nothing is
 * thrown.
 */
export async function runProgram(args: readonly string[], context: CliContext, version: string): Promise<void> {
  try {
    const program = await buildProgram(args, context, version);
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Its text is printed already; help and version end without a fault.
      context.setExitCode(error.exitCode === 0 ? exitCodes.ok : exitCodes.usage);
      return;
    }
    const { message, exitCode } = explainError(error, context);
    if (message !== '') say(context, message);
    context.setExitCode(exitCode satisfies ExitCode);
  }
}

/** The named command alone with its options; without one, the list of all. */
async function buildProgram(args: readonly string[], context: CliContext, version: string): Promise<Command> {
  const program = new Command('greenlight')
    .description('Makes movies in bulk: one price, one approval, one order per row, every file kept')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'what a command does, with an example')
    .showHelpAfterError('(--help says more)')
    .addHelpText(
      'after',
      '\nExample:\n  greenlight run manifests/examples/spring-launch.csv --budget 500USD\n\nA command says more with --help',
    );
  behave(program, context);
  const words = args.filter((arg) => !arg.startsWith('-'));
  const name = words[0] === 'help' ? words[1] : words[0];
  for (const entry of commandTable) {
    if (entry.name === name) (await entry.load())(program, context);
    else program.command(entry.name).description(entry.summary);
  }
  for (const command of everyCommand(program)) behave(command, context);
  return program;
}

function behave(command: Command, { stdout, stderr }: CliContext): void {
  const width = (stream: CliContext['stdout']) => Math.max(40, Math.min(stream.columns ?? 80, 100));
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => width(stdout),
      getErrHelpWidth: () => width(stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    });
}

function* everyCommand(command: Command): Generator<Command> {
  yield command;
  // Subcommands carry their own option types, which do not matter here.
  for (const child of command.commands as readonly Command[]) yield* everyCommand(child);
}
