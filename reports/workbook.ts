import { currencyDecimals } from '../domain/money.js';
import { relativeLink } from './escape-html.js';
import type { Cell } from './table.js';

export interface WorkbookTable {
  readonly sheet: string;
  readonly columns: readonly { readonly name: string; readonly width: number }[];
  readonly rows: readonly (readonly Cell[])[];
}

/** As many as a spreadsheet takes on one sheet; behind them a file stands by its path alone. */
const maxLinks = 65_530;

/** A table as a workbook: numbers that add up, money with its currency's decimals, files as links that work beside it. */
export async function tableWorkbook({ sheet, columns, rows }: WorkbookTable): Promise<Buffer> {
  const { default: writeWorkbook, getCellAddress } = await import('write-excel-file/node').then(async (node) => ({
    ...node,
    ...(await import('write-excel-file/utility')),
  }));
  const header = columns.map(({ name }) => ({ type: String, value: name, fontWeight: 'bold' as const }));
  const all = rows.flatMap((row, index) =>
    row.flatMap((cell, column) => (isLink(cell) ? [{ at: getCellAddress(index + 1, column), file: cell.file }] : [])),
  );
  const links = all.slice(0, maxLinks);
  const relations = () => links.map(({ file }, index) => relationXml(file, index)).join('');
  const marks = `<hyperlinks>${links.map(({ at }, index) => `<hyperlink ref="${at}" r:id="rId-file-${index}"/>`).join('')}</hyperlinks>`;
  const features = [
    {
      files: {
        transform: {
          'xl/worksheets/_rels/sheet{id}.xml.rels': { insert: relations },
          'xl/worksheets/sheet{id}.xml': {
            transform: (xml: string) =>
              links.length === 0 ? xml : xml.replace('</sheetData>', `</sheetData>${marks}`),
          },
        },
      },
    },
  ];
  const data = [header, ...rows.map((row) => row.map(cellOf))];
  const options = { sheet, columns: columns.map(({ width }) => ({ width })), stickyRowsCount: 1 };
  return writeWorkbook(data, options, { features }).toBuffer();
}

function cellOf(cell: Cell) {
  if (cell === null || cell === '') return null;
  // Text stays text, whatever it begins with.
  if (typeof cell === 'string') return { type: String, value: cell, format: '@' };
  if (typeof cell === 'number') return { type: Number, value: cell };
  if (isLink(cell)) return { type: String, value: cell.file, textColor: '#0563c1', format: '@' };
  const decimals = currencyDecimals(cell.currency);
  const format = decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}`;
  return { type: Number, value: cell.amountMinor / 10 ** decimals, format };
}

function isLink(cell: Cell | undefined): cell is Extract<Cell, { file: string }> {
  return typeof cell === 'object' && cell !== null && 'file' in cell;
}

function relationXml(file: string, index: number): string {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink';
  return `<Relationship Id="rId-file-${index}" Type="${type}" Target="${relativeLink(file).replace(/^\.\//, '')}" TargetMode="External"/>`;
}
