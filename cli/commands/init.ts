import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { settingsFileName } from '../../home/settings-file.js';
import { settingProblem } from '../../home/settings.js';
import { canAsk } from '../terminal/ask.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { printLine, say } from '../terminal/print.js';
import { openQuestions } from '../terminal/questions.js';
import { writeNewFile } from '../terminal/write-new-file.js';
import { type Answers, type InitQuestion, initQuestions, settingsText } from './init-settings.js';

/** `greenlight init`: the settings file, asked for question by question. */
export function addInitCommand(program: Command, context: CliContext): void {
  const command = program
    .command('init')
    .description(`Ask five questions and write ${settingsFileName}; an existing file is not changed`)
    .option('-y, --yes', 'ask nothing; use the default where no option is given');
  for (const { flag, question } of initQuestions) command.option(`--${flag} <value>`, question.toLowerCase());
  command
    .addHelpText('after', '\nExample:\n  greenlight init\n  greenlight init --yes --archive file:/srv/films')
    .action((flags) => init(context, flags as Flags)); // their names are made from the questions
}

type Flags = Readonly<Partial<Record<string, string>>> & { readonly yes?: true };

async function init(context: CliContext, flags: Flags): Promise<void> {
  const file = context.env.GREENLIGHT_CONFIG ?? settingsFileName;
  if (existsSync(resolve(context.cwd, file))) {
    throw new CliError(`Cannot write ${file}: it exists and stays as it is; change it with an editor`, exitCodes.usage);
  }
  const answers = flags.yes || !canAsk(context) ? answersOf(flags) : await askAll(context, flags);
  await writeNewFile(context, file, [Buffer.from(settingsText(answers))]);
  printLine(context, `Wrote ${file}`);
  if (answers.movieApi !== '') say(context, 'Next: set MOVIE_API_KEY in the environment; then greenlight doctor');
  else say(context, 'Next: greenlight doctor, then greenlight template sheet.xlsx');
}

/** Without anybody to ask, every answer is an option, or all are defaults. */
function answersOf(flags: Flags): Answers {
  const given = initQuestions.filter((question) => givenFor(flags, question) !== undefined);
  if (!flags.yes && given.length < initQuestions.length) {
    const missing = initQuestions.filter((question) => !given.includes(question));
    throw new CliError(
      `Cannot ask: no terminal. Pass ${missing.map(({ flag }) => `--${flag}`).join(', ')}, or --yes for the defaults`,
      exitCodes.usage,
    );
  }
  const answers: Record<string, string> = {};
  for (const question of initQuestions) {
    const answer = givenFor(flags, question) ?? question.preset;
    const problem = answer === '' ? null : settingProblem(question.key, answer);
    if (problem !== null)
      throw new CliError(`Cannot use "${answer}" for --${question.flag}: ${problem}`, exitCodes.usage);
    answers[question.name] = answer;
  }
  return answers as unknown as Answers; // one for each question
}

async function askAll(context: CliContext, flags: Flags): Promise<Answers> {
  const questions = openQuestions(context);
  const answers: Record<string, string> = {};
  try {
    for (const question of initQuestions) {
      answers[question.name] = givenFor(flags, question) ?? (await askUntilRight(context, questions.ask, question));
    }
  } finally {
    questions.close();
  }
  return answers as unknown as Answers; // one for each question
}

async function askUntilRight(
  context: CliContext,
  ask: (question: string) => Promise<string | null>,
  { question, preset, presetWords, key }: InitQuestion,
): Promise<string> {
  for (;;) {
    const typed = await ask(`${question} (Enter: ${presetWords}): `);
    if (typed === null) throw new CliError('Nothing was written', exitCodes.interrupted);
    if (typed === '') return preset;
    const problem = settingProblem(key, typed);
    if (problem === null) return typed;
    say(context, `"${typed}" cannot be used: ${problem}`);
  }
}

/** As commander names it: `--max-in-flight` is `maxInFlight`. */
function givenFor(flags: Flags, { flag }: InitQuestion): string | undefined {
  return flags[flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
}
