import { Command, CommanderError } from '@commander-js/extra-typings';
import { commandTable } from './command-table.js';
import { addGlobalOptions, type OwnContext, wordsOf } from './global-options.js';
import type { CliContext } from './terminal/context.js';
import type { ExitCode } from './terminal/exit-codes.js';
import { exitCodes } from './terminal/exit-codes.js';
import { explainError } from './terminal/explain-error.js';
import { fitLines, say } from './terminal/print.js';

/**
 * Runs one command line. Whatever goes wrong for a person ends as one line on stderr and an exit code; nothing is
 * thrown.
 */
export async function runProgram(args: readonly string[], context: CliContext, version: string): Promise<void> {
  try {
    if (args[0] === '__complete') return await complete(args.slice(args[1] === '--' ? 2 : 1), context, version);
    const words = helpLast(args);
    const program = await buildProgram(words, context, version);
    await program.parseAsync([...words], { from: 'user' });
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

/** Prints what may stand next, a line each; for the scripts of `greenlight completion`. */
async function complete(words: readonly string[], context: CliContext, version: string): Promise<void> {
  const { candidates } = await import('./completion/candidates.js');
  const { createLedgerNames } = await import('./completion/ledger-names.js');
  const program = await buildProgram(words.slice(0, -1), context, version);
  for (const { value, about } of await candidates(program, words, createLedgerNames(context))) {
    context.stdout.write(`${value}\t${about}\n`);
  }
}

/** `help budget set` and `--help budget set` ask for the help of that very command. */
function helpLast(args: readonly string[]): readonly string[] {
  const [first = '', ...rest] = args;
  if (!['help', '--help', '-h'].includes(first) || rest.length === 0) return args;
  return commandTable.some(({ name }) => name === rest[0]) ? [...rest, '--help'] : rest;
}

/** The named command alone with its options; without one, the list of all. */
async function buildProgram(args: readonly string[], given: CliContext, version: string): Promise<Command> {
  const context: OwnContext = { ...given };
  const program = new Command('greenlight')
    .description('Make movies in bulk: one price, one approval, one order per row, every file kept')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .showHelpAfterError('(see --help)')
    .addHelpText(
      'after',
      '\nExample:\n  greenlight run manifests/examples/spring-launch.csv --budget 500USD\n\nUse "greenlight <command> --help" for more about a command',
    );
  addGlobalOptions(program, context);
  behave(program, context);
  const [name] = wordsOf(args);
  for (const entry of commandTable) {
    if (entry.name === name) (await entry.load())(program, context);
    else program.command(entry.name).description(entry.summary);
    program.commands.at(-1)?.helpGroup(`${entry.group}:`);
  }
  for (const command of everyCommand(program)) behave(command, context);
  return program;
}

function behave(command: Command, { stdout, stderr }: CliContext): void {
  const width = (stream: CliContext['stdout']) => Math.max(40, Math.min(stream.columns ?? 80, 100));
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureHelp({ minWidthToWrap: 20 }) // of what is said of an option, beside its name
    .configureOutput({
      writeOut: (text) => void stdout.write(fitLines(stdout, text)),
      writeErr: (text) => void stderr.write(fitLines(stderr, text)),
      getOutHelpWidth: () => width(stdout),
      getErrHelpWidth: () => width(stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, write) => write(inOurWords(text)),
    });
}

/** `option '--notify <percent>' argument '0' is invalid. It must …` → `Cannot use "0" for --notify <percent>: it must …`. */
function inOurWords(text: string): string {
  const invalid =
    /^error: (?:option '(?<option>[^']*)' argument|command-argument value) '(?<value>.*)' is invalid(?: for argument '(?<argument>[^']*)')?\. (?<why>.*)/s;
  const { option, value, argument, why = '' } = invalid.exec(text)?.groups ?? {};
  if (value === undefined) return text.replace(/^error: /, '');
  const reason = why.startsWith('It ') ? `it ${why.slice(3)}` : why;
  return `Cannot use "${value}" for ${option ?? `<${argument}>`}: ${reason.replace(/\.(\n|$)/, '$1')}`;
}

function* everyCommand(command: Command): Generator<Command> {
  yield command;
  // Subcommands carry their own option types, which do not matter here.
  for (const child of command.commands as readonly Command[]) yield* everyCommand(child);
}
