import type { Argument, Command, CommandUnknownOpts, Option } from '@commander-js/extra-typings';

/** A word that may stand next on a command line. */
export interface Candidate {
  readonly value: string;
  readonly about: string;
}

/** Names that the ledger has. */
export interface LedgerNames {
  batches(): Promise<readonly Candidate[]>;
  campaigns(): Promise<readonly Candidate[]>;
  rows(batchId: string, prefix: string): Promise<readonly Candidate[]>;
  budgets(): Promise<readonly Candidate[]>;
}

/**
 * What may stand where the last word is being typed.
 *
 * @param words those behind `greenlight`; the last one may be empty
 * @returns nothing where a file name is meant, or where anything may stand.
 */
export async function candidates(
  program: Command,
  words: readonly string[],
  names: LedgerNames,
): Promise<readonly Candidate[]> {
  const typed = words.at(-1) ?? '';
  const { command, option, given } = placeOf(program, words.slice(0, -1));
  const found = option
    ? await valuesOf(option, names)
    : typed.startsWith('-')
      ? optionsOf(program, command)
      : given.length === 0 && command.commands.length > 0
        ? command.commands.filter((child) => child.name() !== 'help').map(commandCandidate)
        : await argumentValues(command, { given, typed, names });
  return found.filter(({ value }) => value.startsWith(typed));
}

interface Place {
  readonly command: Command;
  /** Whose value is typed; null where none is. */
  readonly option: Option | null;
  /** Arguments before this one. */
  readonly given: readonly string[];
}

function placeOf(program: Command, words: readonly string[]): Place {
  let command = program;
  let option: Option | null = null;
  const given: string[] = [];
  for (const word of words) {
    if (option) option = null;
    else if (word.startsWith('-')) option = optionNamed([command, program], word);
    else {
      const child = given.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (child) command = child as Command; // its own option types do not matter here
      else given.push(word);
    }
  }
  return { command, option, given };
}

/** An option that takes the next word as its value. */
function optionNamed(commands: readonly Command[], word: string): Option | null {
  const option = commands.flatMap(({ options }) => options).find(({ long, short }) => long === word || short === word);
  return option?.required ? option : null;
}

async function valuesOf({ argChoices, long }: Option, names: LedgerNames): Promise<readonly Candidate[]> {
  if (argChoices) return argChoices.map((value) => ({ value, about: '' }));
  if (long === '--campaign') return names.campaigns();
  return long === '--budget' ? names.budgets() : [];
}

function optionsOf(program: Command, command: Command): readonly Candidate[] {
  const options = [...new Set([...command.options, ...program.options])].filter(({ hidden }) => !hidden);
  const listed = options.map(({ long, short, description }) => ({ value: long ?? short ?? '', about: description }));
  return [...listed, { value: '--help', about: 'show help' }];
}

function commandCandidate(command: CommandUnknownOpts): Candidate {
  return { value: command.name(), about: command.description() };
}

interface Typing {
  readonly given: readonly string[];
  readonly typed: string;
  readonly names: LedgerNames;
}

async function argumentValues(command: Command, { given, typed, names }: Typing): Promise<readonly Candidate[]> {
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument: Argument | undefined = registeredArguments[given.length] ?? (last?.variadic ? last : undefined);
  if (!argument) return [];
  if (argument.argChoices) return argument.argChoices.map((value) => ({ value, about: '' }));
  const name = argument.name();
  if (name.startsWith('row')) return names.rows(given[0] ?? '', typed);
  if (name === 'path') return names.budgets();
  const batches = /\bbatch\b/.test(name) ? await names.batches() : [];
  return /\bcampaign\b/.test(name) ? [...batches, ...(await names.campaigns())] : batches;
}
