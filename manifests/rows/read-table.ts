import type { FindingLog } from '../../sheets/findings/finding-log.js';
import { type Finding, findingAt, wholeFile } from '../../sheets/findings/finding.js';
import type { ManifestSource } from '../../sheets/sheet-source.js';
import type { ManifestOptions } from '../open-manifest.js';
import { createLocalFiles } from '../references/local-files.js';
import type { RawRow, Table } from '../tables/table.js';
import type { DraftRow } from './draft-row.js';
import { rowDrafter } from './draft-row.js';
import { maxBriefs } from './expand-row.js';
import { collectPaths, createRowFinisher, type ManifestRow } from './finish-row.js';
import { layoutOf } from './row-layout.js';

export interface TablePage {
  readonly rows: readonly ManifestRow[];
  /** The number of the page's rows, without blank ones, before they were multiplied or refused. */
  readonly rowsRead: number;
  readonly drafts: readonly DraftRow[];
}

/** Reads the rows of a table as briefs, a page at a time; findings go to the log. */
export async function* readTable(
  table: Table,
  { folder }: Pick<ManifestSource, 'folder'>,
  { strict = false, allowPrivateAddresses = false }: ManifestOptions,
  log: FindingLog,
): AsyncGenerator<TablePage, void, undefined> {
  const layout = layoutOf(table);
  const localFiles = createLocalFiles(folder);
  let excerpts = 0;
  const wantsExcerpt = () => ++excerpts <= maxExcerpts;
  const draft = rowDrafter(table, layout, { strict, allowPrivateAddresses, wantsExcerpt });
  const finisher = createRowFinisher(layout, localFiles);
  let briefs = 0;
  for await (const rawRows of inParts(table.rows())) {
    const drafts = rawRows.map(draft).filter((one) => one !== null);
    const paths = new Set<string>();
    for (const one of drafts) collectPaths(one, paths);
    if (paths.size > 0) await localFiles.look(paths);
    const rows: ManifestRow[] = [];
    for (const one of drafts) {
      for (const row of finisher.finish(one)) rows.push(row);
      for (const finding of sorted(one.notes.findings)) log.add(finding);
    }
    if (briefs <= maxBriefs && briefs + rows.length > maxBriefs) log.add(tooMany);
    briefs += rows.length;
    yield { rows, rowsRead: drafts.length, drafts };
  }
}

/** A piece of a file may have tens of thousands of rows, and a row with faults takes a hundred times its length. */
const pageRows = 1_000;

async function* inParts(pages: AsyncIterable<readonly RawRow[]>): AsyncGenerator<readonly RawRow[], void, undefined> {
  for await (const page of pages) {
    for (let from = 0; from < page.length; from += pageRows) yield page.slice(from, from + pageRows);
  }
}

/** More than any screen shows. */
const maxExcerpts = 100;

const tooMany = findingAt(wholeFile, {
  severity: 'warning',
  code: 'too_many_movies',
  message: `it has more than ${maxBriefs} movies, the most a batch takes; split it into several files`,
});

/** Sorts by column, then by line; findings about the row as a whole come first. */
function sorted(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2) return findings;
  return [...findings].sort((a, b) => columnNumber(a.column) - columnNumber(b.column) || (a.line ?? 0) - (b.line ?? 0));
}

function columnNumber(letters: string | null): number {
  let number = 0;
  for (const letter of letters ?? '') number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}
