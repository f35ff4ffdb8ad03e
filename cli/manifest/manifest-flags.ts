import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { type Includable, includable } from '../../domain/row-class.js';
import type { HeaderMap, HiddenRows } from '../../manifests/read-manifest.js';
import type { SettingFlags } from '../../operations/settings.js';
import { type BudgetFlag, parseBudget } from './parse-budget-flag.js';
import { parseHiddenRows, parseMap } from './reading-flags.js';

export const manifestArgument =
  'CSV, XLSX, YAML or JSON file; https address of a shared Google Sheet or of such a file; - for standard input';

/** A command that takes a manifest, with every flag that says how to read it and what to make of it. */
export function manifestCommand(program: Command, name: string) {
  return program
    .command(name)
    .argument('<manifest>', manifestArgument)
    .option('--campaign <name>', 'campaign the row ids belong to (default: file name)')
    .option(
      '--budget <amount or path>',
      'spending limit for this campaign (500USD) or an existing budget path (acme/emea)',
      parseBudget,
    )
    .option('--canary <rows>', 'order only the first N rows, then pause for review', wholeNumberFrom(1))
    .option(
      '--tolerance <rows or share>',
      'stop ordering when more rows than this have failed, e.g. 3 or 5%',
      parseTolerance,
    )
    .option('--max-in-flight <rows>', 'maximum movies in progress at once', wholeNumberFrom(1))
    .option('--priority <1 to 5>', '1 (first) to 5 (last), when batches compete for workers', parsePriority)
    .option('--deadline <seconds>', 'seconds after which an unfinished movie is overdue', wholeNumberFrom(1))
    .option('--include <states>', 'also re-order rows whose last attempt was failed, canceled or lost', parseInclude)
    .option('--respend', 're-order rows that were paid for and have changed since')
    .option('--allow-duplicates', 'order rows whose content was already ordered under another id')
    .option('--allow-free', 'accept estimates of zero')
    .option('--encoding <name>', 'text encoding, if not UTF-8')
    .option('--sheet <name>', 'worksheet name (default: first)')
    .option('--map <field=header>', 'header of the column that has a field, e.g. prompt="Shot Description"', parseMap)
    .option('--hidden-rows <order|leave>', 'whether to order rows that the workbook hides', parseHiddenRows)
    .option('--strict', 'treat repairs as errors');
}

/** As they are typed: the settings of a batch under their flags' names, and how the manifest is read. */
export interface ManifestFlags extends Omit<SettingFlags, 'budgetPath' | 'deadlineSeconds'> {
  readonly campaign?: string | undefined;
  readonly budget?: BudgetFlag | undefined;
  readonly deadline?: number | undefined;
  readonly encoding?: string | undefined;
  readonly sheet?: string | undefined;
  readonly map?: HeaderMap | undefined;
  readonly hiddenRows?: HiddenRows | undefined;
  readonly strict?: true | undefined;
}

export function settingFlags({ budget, deadline, ...flags }: ManifestFlags): SettingFlags {
  return { ...flags, deadlineSeconds: deadline, budgetPath: budget?.kind === 'path' ? budget.path : undefined };
}

function parseTolerance(text: string): NonNullable<SettingFlags['tolerance']> {
  const [, percent] = /^(\d{1,3}(?:\.\d{1,2})?) ?%$/.exec(text) ?? [];
  if (percent !== undefined && Number(percent) <= 100) return { percent: Number(percent) };
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number of rows or a share of them, e.g. 3 or 5%.');
}

function parsePriority(text: string): number {
  if (!/^[1-5]$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 (first) to 5 (last).');
  return Number(text);
}

function parseInclude(text: string, earlier: readonly Includable[] | undefined): readonly Includable[] {
  const states = text.split(',').map((word) => {
    const state = includable.find((one) => one === word.trim());
    if (!state) throw new InvalidArgumentError(`It must be one of ${includable.join(', ')}.`);
    return state;
  });
  return [...new Set([...(earlier ?? []), ...states])];
}

export function wholeNumberFrom(least: 0 | 1): (text: string) => number {
  return (text) => {
    if (!/^\d{1,9}$/.test(text) || Number(text) < least) {
      throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
    }
    return Number(text);
  };
}
