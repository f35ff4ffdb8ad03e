import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import {
  checkManifest,
  type ManifestCheck,
  ManifestError,
  type ManifestOptions,
  type ManifestSource,
} from '../manifests/read-manifest.js';
import { briefJson, checkJson, createJsonStream } from './check-json.js';
import { type CliContext, exitCodes } from './context.js';
import { amount, findingLines } from './findings-table.js';
import { openSource } from './manifest-source.js';
import { createPaint } from './paint.js';
import { printJson } from './print.js';
import { printable } from './printable.js';
import { columnsOf, cutStart, wrapWords } from './text-width.js';

/** `greenlight check`: everything that is to be known of a manifest before anything is sent. Needs no server. */
export function addCheckCommand(program: Command, context: CliContext): void {
  program
    .command('check')
    .description('every finding in a manifest, by its cell; nothing is sent')
    .argument('<manifest>', 'CSV, XLSX or YAML; - for standard input')
    .option('--fix <file>', 'write the manifest with its repairs made, everything else byte for byte')
    .option('--strict', 'repairs are errors')
    .option('--campaign <name>', 'the lineage of its ids; by default the name of the file')
    .option('--encoding <name>', 'of the text, where it is not UTF-8')
    .option('--sheet <name>', 'of a workbook; by default the first')
    .option('--json', 'as JSON, with every finding')
    .option('--briefs', 'with --json: the movies that it asks for, too')
    .addHelpText('after', '\nExample:\n  greenlight check manifests/examples/spring-launch.csv')
    .action(async (path, flags) => {
      const { source, close } = await openSource(context, path);
      try {
        await check(source, { path, flags, context });
      } finally {
        await close();
      }
    });
}

interface Flags {
  readonly fix?: string | undefined;
  readonly strict?: true | undefined;
  readonly campaign?: string | undefined;
  readonly encoding?: string | undefined;
  readonly sheet?: string | undefined;
  readonly json?: true | undefined;
  readonly briefs?: true | undefined;
}

interface Checking {
  readonly path: string;
  readonly flags: Flags;
  readonly context: CliContext;
}

async function check(source: ManifestSource, { path, flags, context }: Checking): Promise<void> {
  const options = await optionsOf(path, flags, context);
  const name = path === '-' ? source.name : path;
  const stream = flags.json && flags.briefs ? createJsonStream(context, 'briefs_detail') : null;
  let found: ManifestCheck;
  try {
    found = await checkManifest(source, options, async (rows, head) => {
      await stream?.items(rows.map((row) => briefJson(row, head)));
    });
  } catch (error) {
    if (!flags.json || !(error instanceof ManifestError)) throw error;
    await printDocument(unusable(name, error), stream, context);
    context.setExitCode(exitCodes.usage);
    return;
  }
  if (flags.fix !== undefined) {
    const { writeRepaired } = await import('./write-repaired.js'); // with all that writes other encodings
    await writeRepaired(source, options, { to: flags.fix, context });
  }
  if (flags.json) await printDocument(checkJson(name, found), stream, context);
  else for (const line of screenOf(found, { name, flags, context })) context.stdout.write(`${line}\n`);
  context.setExitCode(found.errors > 0 ? exitCodes.incomplete : exitCodes.ok);
}

async function printDocument(
  document: ReturnType<typeof checkJson>,
  stream: ReturnType<typeof createJsonStream> | null,
  context: CliContext,
): Promise<void> {
  if (stream) await stream.end(document);
  else printJson(context, document);
}

/** A file that is no manifest, as a check that found that. */
function unusable(name: string, { findings }: ManifestError) {
  const errors = findings.length;
  return checkJson(name, { head: null, rows: 0, briefs: 0, errors, warnings: 0, repairs: 0, findings, omitted: [] });
}

async function optionsOf(path: string, flags: Flags, context: CliContext): Promise<ManifestOptions> {
  const { campaign = path === '-' ? 'stdin' : undefined, encoding, sheet, strict } = flags;
  return {
    ...(campaign !== undefined && { campaign }),
    ...(encoding !== undefined && { encoding }),
    ...(sheet !== undefined && { sheet }),
    ...(strict !== undefined && { strict }),
    allowPrivateAddresses: await allowsPrivateAddresses(context),
  };
}

/** Only a configuration file can say so; without one there is nothing to load for it. */
async function allowsPrivateAddresses({ cwd, env }: CliContext): Promise<boolean> {
  if (!existsSync(join(cwd, 'greenlight.config.yaml'))) return false;
  const { readConfig } = await import('../worker/config.js');
  return (await readConfig({ cwd, env, flags: {} })).allowPrivateReferences;
}

interface Screen {
  readonly name: string;
  readonly flags: Flags;
  readonly context: CliContext;
}

function screenOf(found: ManifestCheck, { name, flags, context }: Screen): readonly string[] {
  const { stdout, env } = context;
  const columns = columnsOf(stdout, env);
  const isTerminal = stdout.isTTY ?? false;
  const view = { columns, isTerminal, paint: createPaint(stdout, env) };
  const fitted = (line: string) => (isTerminal ? wrapWords(line, columns) : [line]);
  const { rows, head } = found;
  const shownName = printable(isTerminal ? cutStart(name, Math.max(10, columns - 40)) : name);
  const title = [shownName, `${amount(rows)} ${rows === 1 ? 'row' : 'rows'}`, ...formOf(head)].join('  ');
  const own = head.ownColumns.map((index) => head.columns[index] ?? '').filter((header) => header.trim() !== '');
  const kept = own.length === 0 ? [] : [`columns of your own, kept and not sent: ${printable(own.join(', '))}`];
  return [title, ...kept.flatMap(fitted), ...findingLines(found, view), ...fitted(summaryOf(found, name, flags))];
}

function formOf({ format, encoding, delimiter }: ManifestCheck['head']): readonly string[] {
  if (format !== 'csv') return [format.toUpperCase(), ...(encoding === null || encoding === 'UTF-8' ? [] : [encoding])];
  return [encoding ?? '', delimiter === '\t' ? 'tab' : `"${delimiter}"`];
}

function summaryOf({ errors, warnings, repairs, briefs }: ManifestCheck, name: string, { fix }: Flags): string {
  const counts = [counted(errors, 'error'), counted(warnings, 'warning'), counted(repairs, 'repair')].filter(
    (part) => part !== null,
  );
  const found = counts.length === 0 ? 'No findings' : counts.join(', ');
  const file = /^[\w./@:+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  const again = `greenlight check ${file}`;
  const next =
    errors > 0
      ? ` Next: correct the errors, then ${again}${repairs > 0 && fix === undefined ? ' (--fix <file> writes the repairs)' : ''}`
      : ` Next: greenlight plan ${file}`;
  const movies = `${amount(briefs)} ${briefs === 1 ? 'movie' : 'movies'}`;
  return `${found}; ${movies}. Nothing was sent.${name === 'standard input' ? '' : next}`;
}

function counted(count: number, word: string): string | null {
  return count === 0 ? null : `${amount(count)} ${word}${count === 1 ? '' : 's'}`;
}
