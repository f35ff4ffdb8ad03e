import { createFindingLog, type FindingLog, type OmittedFindings } from '../sheets/findings/finding-log.js';
import { type Finding, findingAt, wholeFile } from '../sheets/findings/finding.js';
import { ManifestError } from '../sheets/findings/manifest-error.js';
import type { ManifestSource } from '../sheets/sheet-source.js';
import { type ManifestHead, type ManifestOptions, openManifest } from './open-manifest.js';
import type { ManifestRow } from './rows/finish-row.js';
import { readTable } from './rows/read-table.js';

export type { Excerpt, Finding } from '../sheets/findings/finding.js';
export type { OmittedFindings } from '../sheets/findings/finding-log.js';
export { ManifestError } from '../sheets/findings/manifest-error.js';
export { fileSource, type ManifestSource } from '../sheets/sheet-source.js';
export type { HeaderMap } from './header/header-map.js';
export type { ManifestHead, ManifestOptions } from './open-manifest.js';
export type { ManifestRow } from './rows/finish-row.js';
export type { HiddenRows } from './tables/hidden-rows.js';

export interface ManifestCheck {
  readonly head: ManifestHead;
  /** Rows of the sheet that are not blank, without the header. */
  readonly rows: number;
  /** Movies that they ask for; rows with errors count for none. */
  readonly briefs: number;
  readonly errors: number;
  readonly warnings: number;
  readonly repairs: number;
  /** Sorted by place, those of the whole file first. At most 100,000 of each severity are kept. */
  readonly findings: readonly Finding[];
  /** The findings beyond that, counted by kind and column. */
  readonly omitted: readonly OmittedFindings[];
}

/**
 * Checks a manifest in one pass. Sends nothing and needs no server; reads the local files that it names. Memory does
 * not grow with the rows, except for their ids and digests (some 120 bytes each).
 *
 * @param onRows gets the briefs as they are read, even when other rows have errors
 * @throws ManifestError for a file that is not a manifest at all; all other findings are in the result.
 */
export async function checkManifest(
  source: ManifestSource,
  options: ManifestOptions,
  onRows?: (rows: readonly ManifestRow[], head: ManifestHead) => Promise<void>,
): Promise<ManifestCheck> {
  const { head, table, findings } = await openManifest(source, options);
  const log = createFindingLog();
  for (const finding of findings) log.add(finding);
  let rows = 0;
  let briefs = 0;
  for await (const page of readTable(table, source, options, log)) {
    rows += page.rowsRead;
    briefs += page.rows.length;
    await onRows?.(page.rows, head);
  }
  if (rows === 0 && log.counts.error === 0) log.add(noRows);
  return { head, rows, briefs, ...countsOf(log), findings: log.findings, omitted: log.omitted };
}

function countsOf({ counts }: FindingLog): Pick<ManifestCheck, 'errors' | 'warnings' | 'repairs'> {
  return { errors: counts.error, warnings: counts.warning, repairs: counts.repair };
}

const noRows: Finding = findingAt(wholeFile, {
  severity: 'error',
  code: 'no_rows',
  message: 'it has a header and no rows',
});

/** Rows handed on at a time. */
const pageRows = 1000;

/**
 * Reads the briefs of a manifest in the order of its rows, up to 1,000 at a time. The file is read once, as the pages
 * are taken: an error in a later row shows only there, so do nothing with the pages before all are taken, unless
 * `checkManifest` found no error.
 *
 * @throws ManifestError with every finding, at the end, when there is an error; no page follows the first one.
 */
export async function* readBriefs(
  source: ManifestSource,
  options: ManifestOptions,
): AsyncGenerator<readonly ManifestRow[], void, undefined> {
  const { table, findings } = await openManifest(source, options);
  const log = createFindingLog();
  for (const finding of findings) log.add(finding);
  let waiting: ManifestRow[] = [];
  let rows = 0;
  for await (const page of readTable(table, source, options, log)) {
    rows += page.rowsRead;
    if (log.counts.error > 0) continue;
    waiting.push(...page.rows);
    while (waiting.length >= pageRows) {
      yield waiting.slice(0, pageRows);
      waiting = waiting.slice(pageRows);
    }
  }
  if (rows === 0 && log.counts.error === 0) log.add(noRows);
  if (log.counts.error > 0) throw new ManifestError(log.findings, { file: source.name });
  if (waiting.length > 0) yield waiting;
}
