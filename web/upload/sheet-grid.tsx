import { A, Icon, LinkButton } from '../parts/link.js';
import type { FoundFinding, SheetFilter } from './sheet-filter.js';
import type { SheetPageProps } from './sheet-page.js';

/** The sheet as its spreadsheet shows it: letters, numbers, and in each cell what was found there. */
export function SheetGrid({ checked, filter, rows, marked, rowsPerPage }: SheetPageProps) {
  const { upload, check } = checked;
  const { head } = check;
  if (!head) return <div class="stack" />;
  const path = (change: Partial<SheetFilter>) => sheetPath(upload.id, { ...filter, skip: 0, ...change });
  const total = filter.show === 'all' ? check.rows : marked;
  return (
    <div class="stack">
      <div class="row">
        <h2 id="grid-title">The sheet</h2>
        <nav class="tabs" aria-label="Rows">
          <A to={path({ show: 'findings' })} current={filter.show === 'findings' && 'true'}>
            <b>With findings</b> {marked.toLocaleString('en-US')}
          </A>
          <A to={path({ show: 'all' })} current={filter.show === 'all' && 'true'}>
            <b>All rows</b> {check.rows.toLocaleString('en-US')}
          </A>
        </nav>
        {filter.show === 'findings' && <span class="end soft small">errors first, then as in the sheet</span>}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys */}
      <section class="sheet" aria-labelledby="grid-title" tabindex={0}>
        <table>
          <caption class="vh">Rows of {upload.name}; letters and numbers as in your spreadsheet</caption>
          <Head columns={head.columns} hasHeaderRow={head.format === 'csv' || head.format === 'xlsx'} />
          <tbody>
            {rows.map((row) => (
              <GridRow row={row} columns={head.columns} findings={check.findings} />
            ))}
          </tbody>
        </table>
      </section>
      <nav class="row small soft" aria-label="Pages">
        <span>
          {rows.length === 0
            ? 'No rows'
            : `${(filter.skip + 1).toLocaleString('en-US')} to ${(filter.skip + rows.length).toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`}
        </span>
        <span class="end row">
          {filter.skip > 0 && (
            <LinkButton size="small" to={path({})}>
              First
            </LinkButton>
          )}
          {filter.skip + rows.length < total && (
            <LinkButton size="small" to={path({ skip: filter.skip + rowsPerPage })}>
              Next
            </LinkButton>
          )}
        </span>
      </nav>
    </div>
  );
}

function Head({ columns, hasHeaderRow }: { readonly columns: readonly string[]; readonly hasHeaderRow: boolean }) {
  return (
    <thead>
      <tr class="letters">
        <td />
        {columns.map((_, column) => (
          <th scope="col">{letterOf(column)}</th>
        ))}
      </tr>
      <tr>
        <th scope="row">{hasHeaderRow ? 1 : ''}</th>
        {columns.map((name, column) => (
          <th scope="col" id={`${letterOf(column)}1`}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function sheetPath(id: string, { show, skip }: SheetFilter): string {
  return `/uploads/${id}?show=${show}${skip === 0 ? '' : `&skip=${skip}`}`;
}

interface GridRowProps {
  readonly row: SheetPageProps['rows'][number];
  readonly columns: readonly string[];
  readonly findings: readonly FoundFinding[];
}

function GridRow({ row: { row, cells, repaired }, columns, findings }: GridRowProps) {
  const own = findings.filter((finding) => finding.row === row);
  const about = own.filter((finding) => columnOf(finding, columns) === null);
  return (
    <tr>
      <th scope="row" id={`r${row}`}>
        {row}
        {about.map((finding) => (
          <Note finding={finding} />
        ))}
      </th>
      {columns.map((_, column) => {
        const found = own.filter((finding) => columnOf(finding, columns) === column);
        const text = cells[column] ?? '';
        const after = repaired.get(column);
        return (
          <td id={`${letterOf(column)}${row}`} class={classOf(found, text) || undefined}>
            {after === undefined || after === text ? (
              text
            ) : (
              <>
                <del>{text}</del> {after}
              </>
            )}
            {found.map((finding) => (
              <Note finding={finding} />
            ))}
          </td>
        );
      })}
    </tr>
  );
}

function Note({ finding: { severity, message } }: { readonly finding: FoundFinding }) {
  const icon = severity === 'error' ? 'failed' : severity === 'warning' ? 'review' : 'repair';
  return (
    <span class="note">
      <Icon name={icon} />
      <span>
        <span class="vh">{severity}: </span>
        {severity === 'repair' ? 'repaired' : message}
      </span>
    </span>
  );
}

const marks = { error: 'err', warning: 'war', repair: 'rep' } as const;
const longText = 60;

function classOf(found: readonly FoundFinding[], text: string): string {
  const worst = (['error', 'warning', 'repair'] as const).find((one) => found.some(({ severity }) => severity === one));
  return [worst && marks[worst], text.length > longText && 'long'].filter((name) => name).join(' ');
}

/** By its letter; in YAML by the name of its field. */
export function columnOf({ column, field }: FoundFinding, columns: readonly string[]): number | null {
  if (column !== null) return numberOf(column);
  const found = field === null ? -1 : columns.indexOf(field.split(/[.[]/)[0] ?? '');
  return found < 0 ? null : found;
}

/** As a spreadsheet names its columns: A, …, Z, AA. */
export function letterOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letterOf(Math.floor(column / 26) - 1) + last;
}

function numberOf(letters: string): number {
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
