import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import {
  checkManifest,
  type HeaderMap,
  type HiddenRows,
  type ManifestCheck,
  ManifestError,
  type ManifestOptions,
  type ManifestSource,
} from '../../manifests/read-manifest.js';
import { printable } from '../../reports/wording/printable.js';
import type { FetchSheetOptions } from '../manifest/fetch-sheet.js';
import { manifestArgument } from '../manifest/manifest-flags.js';
import { openSource } from '../manifest/manifest-source.js';
import { parseHiddenRows, parseMap } from '../manifest/reading-flags.js';
import { writeRepaired } from '../manifest/write-repaired.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { createPaint } from '../terminal/paint.js';
import { printJson, say } from '../terminal/print.js';
import { columnsOf, cutStart, wrapWords } from '../terminal/text-width.js';
import { briefJson, checkJson, createJsonStream } from '../views/check-json.js';
import { summaryOf } from '../views/check-summary.js';
import { amount, findingLines } from '../views/findings-table.js';

/** `greenlight check`: everything that is to be known of a manifest before anything is sent. Needs no server. */
export function addCheckCommand(program: Command, context: CliContext): void {
  program
    .command('check')
    .description('Validate a manifest, cell by cell, without sending anything')
    .argument('<manifest>', manifestArgument)
    .option('--fix <file>', 'write a repaired copy; everything else stays byte for byte')
    .option('--strict', 'treat repairs as errors')
    .option('--campaign <name>', 'campaign the row ids belong to (default: file name)')
    .option('--encoding <name>', 'text encoding, if not UTF-8')
    .option('--sheet <name>', 'worksheet name (default: first)')
    .option('--map <field=header>', 'header of the column that has a field, e.g. prompt="Shot Description"', parseMap)
    .option('--hidden-rows <order|leave>', 'whether to order rows that the workbook hides', parseHiddenRows)
    .option('--json', 'output JSON with every finding')
    .option('--briefs', 'with --json, include the briefs')
    .addHelpText('after', '\nExample:\n  greenlight check manifests/examples/spring-launch.csv')
    .action(async (path, flags) => {
      if (flags.briefs && !flags.json) throw new CliError('Cannot show --briefs: it needs --json', exitCodes.usage);
      await check({ path, flags, context });
    });
}

interface Flags {
  readonly fix?: string | undefined;
  readonly strict?: true | undefined;
  readonly campaign?: string | undefined;
  readonly encoding?: string | undefined;
  readonly sheet?: string | undefined;
  readonly map?: HeaderMap | undefined;
  readonly hiddenRows?: HiddenRows | undefined;
  readonly json?: true | undefined;
  readonly briefs?: true | undefined;
}

interface Checking {
  readonly path: string;
  readonly flags: Flags;
  readonly context: CliContext;
}

async function check({ path, flags, context }: Checking): Promise<void> {
  const name = path === '-' ? 'standard input' : path;
  const stream = flags.json && flags.briefs ? createJsonStream(context, 'briefs_detail') : null;
  try {
    const { source, close } = await openSource(context, path, { fetching: () => fetching(context) });
    try {
      await checkSource(source, { path, flags, context, name, stream });
    } finally {
      await close();
    }
  } catch (error) {
    if (!flags.json || !(error instanceof ManifestError)) throw error;
    await printDocument(unusable(name, error), stream, context);
    context.setExitCode(exitCodes.usage);
  }
}

interface CheckingSource extends Checking {
  readonly name: string;
  readonly stream: ReturnType<typeof createJsonStream> | null;
}

async function checkSource(source: ManifestSource, checking: CheckingSource): Promise<void> {
  const { path, flags, context, name, stream } = checking;
  const options = await optionsOf(path, flags, context);
  const found = await checkManifest(source, options, async (rows, head) => {
    await stream?.items(rows.map((row) => briefJson(row, head)));
  });
  if (flags.fix !== undefined) {
    await writeRepaired(context, flags.fix, { source, head: found.head, options });
    say(context, `Wrote ${flags.fix}`);
  }
  if (flags.json) await printDocument(checkJson(name, found), stream, context);
  else for (const line of screenOf(found, checking)) context.stdout.write(`${line}\n`);
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
  const { campaign = path === '-' ? 'stdin' : undefined, encoding, sheet, map, hiddenRows, strict } = flags;
  return {
    ...(campaign !== undefined && { campaign }),
    ...(encoding !== undefined && { encoding }),
    ...(sheet !== undefined && { sheet }),
    ...(map !== undefined && { map }),
    ...(hiddenRows !== undefined && { hiddenRows }),
    ...(strict !== undefined && { strict }),
    allowPrivateAddresses: await allowsPrivateAddresses(context),
  };
}

async function fetching({ cwd, env }: CliContext): Promise<FetchSheetOptions> {
  const { readConfig } = await import('../../home/config.js');
  const { allowPrivateReferences: allowPrivate, proxies } = await readConfig({ cwd, env, flags: {} });
  return { allowPrivate, proxies };
}

/** Only a configuration file can say so; without one there is nothing to load for it. */
async function allowsPrivateAddresses({ cwd, env }: CliContext): Promise<boolean> {
  if (!env.GREENLIGHT_CONFIG && !existsSync(join(cwd, 'greenlight.config.yaml'))) return false;
  const { readConfig } = await import('../../home/config.js');
  return (await readConfig({ cwd, env, flags: {} })).allowPrivateReferences;
}

function screenOf(found: ManifestCheck, { path, name, flags, context }: CheckingSource): readonly string[] {
  const { stdout, env } = context;
  const columns = columnsOf(stdout, env);
  const isTerminal = stdout.isTTY ?? false;
  const view = { columns, isTerminal, paint: createPaint(stdout, env) };
  const fitted = (line: string) => (isTerminal ? wrapWords(line, columns) : [line]);
  const { rows, head } = found;
  const shownName = printable(isTerminal ? cutStart(name, Math.max(10, columns - 40)) : name);
  const title = [shownName, `${amount(rows)} ${rows === 1 ? 'row' : 'rows'}`, ...formOf(head)].join('  ');
  const own = head.ownColumns.map((index) => head.columns[index] ?? '').filter((header) => header.trim() !== '');
  const kept = own.length === 0 ? [] : [`custom columns, kept and not sent: ${printable(own.join(', '))}`];
  const summary = summaryOf(found, { ...flags, path: path === '-' ? null : path });
  return [title, ...kept.flatMap(fitted), ...findingLines(found, view), ...fitted(summary)];
}

function formOf({ format, encoding, delimiter }: ManifestCheck['head']): readonly string[] {
  if (format !== 'csv') return [format.toUpperCase(), ...(encoding === null || encoding === 'UTF-8' ? [] : [encoding])];
  return [encoding ?? '', delimiter === '\t' ? 'tab' : `"${delimiter}"`];
}
