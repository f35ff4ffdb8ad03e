import { basename, extname } from 'node:path';
import { type Finding, findingAt, wholeFile } from '../sheets/findings/finding.js';
import { fileError, naming } from '../sheets/findings/manifest-error.js';
import type { ManifestSource } from '../sheets/sheet-source.js';
import { formOf } from '../sheets/sniff-form.js';
import { createHeaderNames, type HeaderMap } from './header/header-map.js';
import { rowKeyRule } from './rows/row-key.js';
import type { HiddenRows } from './tables/hidden-rows.js';
import type { BatchSettings, ManifestFormat, Table } from './tables/table.js';

export interface ManifestOptions {
  /** The lineage, whatever the file says. */
  readonly campaign?: string;
  /** The team's header for a field, keyed by the field's name. */
  readonly map?: HeaderMap;
  /** Name of the worksheet; by default the first. */
  readonly sheet?: string;
  /** Whether rows that a workbook hides are ordered; by default each is an error. */
  readonly hiddenRows?: HiddenRows;
  /** The encoding of the text, if known. */
  readonly encoding?: string;
  /** Treats repairs as errors. */
  readonly strict?: boolean;
  /** Allows references into private networks and without `https`. */
  readonly allowPrivateAddresses?: boolean;
}

export interface ManifestHead {
  readonly name: string;
  readonly format: ManifestFormat;
  /** Null for a workbook, which has none. */
  readonly encoding: string | null;
  /** Whether this encoding is only a guess. */
  readonly isEncodingGuessed: boolean;
  readonly delimiter: string | null;
  /** The team's own headers in their order; in YAML the names of the fields. */
  readonly columns: readonly string[];
  /** Which of the columns are custom columns, kept and not sent. */
  readonly ownColumns: readonly number[];
  readonly campaign: string;
  readonly settings: BatchSettings;
}

export interface OpenManifest {
  readonly head: ManifestHead;
  readonly table: Table;
  /** Findings about the file and its head, in order. */
  readonly findings: readonly Finding[];
}

/**
 * Detects the format of a manifest and reads its head.
 *
 * @throws ManifestError for a file of no known format, or one that cannot be read.
 */
export async function openManifest(source: ManifestSource, options: ManifestOptions): Promise<OpenManifest> {
  const table = await openTable(source, options).catch((error: unknown) => {
    throw naming(source.name, error);
  });
  const campaign = options.campaign ?? table.campaign ?? source.campaign ?? stemOf(source.name);
  const head: ManifestHead = {
    name: source.name,
    format: table.format,
    encoding: table.textEncoding?.name ?? null,
    isEncodingGuessed: table.textEncoding?.known === 'guess',
    delimiter: table.delimiter,
    columns: table.columns.map(({ header }) => header),
    ownColumns: table.columns.filter(({ use }) => use.kind === 'own').map(({ index }) => index),
    campaign,
    settings: table.settings,
  };
  const findings = [...campaignFindings(campaign, options, table), ...table.findings];
  return { head, table, findings: options.strict ? findings.map(strictly) : findings };
}

async function openTable(
  source: ManifestSource,
  { encoding, sheet, hiddenRows, map }: ManifestOptions,
): Promise<Table> {
  const names = createHeaderNames(map);
  const form = await formOf(source, names.knownIn);
  if (sheet !== undefined && form !== 'xlsx') {
    throw fileError('no_sheets', `it is ${form.toUpperCase()}, which has no sheets; leave out --sheet`);
  }
  // Each format has a parser of its own, and a check pays for loading only the one that it needs.
  switch (form) {
    case 'csv':
      return (await import('./tables/csv-table.js')).openCsv(source, { asked: encoding, names });
    case 'yaml':
    case 'json':
    case 'jsonl':
      return (await import('./yaml/yaml-table.js')).openYaml(source, { asked: encoding, names, format: form });
    case 'xlsx':
      return (await import('./tables/xlsx-table.js')).openXlsx(source, { sheet, hiddenRows, names });
    default:
      return form satisfies never;
  }
}

function stemOf(name: string): string {
  const base = basename(name);
  return base.slice(0, base.length - extname(base).length);
}

function campaignFindings(campaign: string, options: ManifestOptions, table: Table): readonly Finding[] {
  if (rowKeyRule.test(campaign)) return [];
  const from =
    options.campaign !== undefined ? '' : table.campaign !== null ? ' of the file' : ', from the name of the file,';
  const message = `"${campaign.slice(0, 80)}"${from} is not a valid campaign name; set one by --campaign, using only A-Z a-z 0-9 . _ -`;
  return [findingAt(wholeFile, { severity: 'error', code: 'campaign_name', message, before: campaign })];
}

function strictly(finding: Finding): Finding {
  return finding.severity === 'repair' ? { ...finding, severity: 'error' } : finding;
}
