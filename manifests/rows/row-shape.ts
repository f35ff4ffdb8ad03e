import { columnLetter } from '../../sheets/column.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import type { Table } from '../tables/table.js';

/** Finds what is wrong with the number of a row's cells; in such a row, cells may be under the wrong header. */
export function shapeTrouble(
  cells: readonly string[],
  {
    format,
    columns,
    widest,
    narrowest,
    isResults,
  }: Pick<Table, 'format' | 'columns' | 'widest' | 'narrowest' | 'isResults'>,
): Trouble | null {
  const expected = isResults ? widest : columns.length;
  if (cells.length < narrowest) return ragged(`it has ${cells.length} cells and the header ${expected}`);
  if (cells.length === columns.length) return null;
  const beyond = cells.findIndex((cell, index) => index >= narrowest && cell.trim() !== '');
  if (beyond !== -1 && format === 'xlsx') return withoutHeader(columnLetter(beyond), cells[beyond] ?? '');
  return beyond === -1
    ? null
    : ragged(`it has a cell beyond the ${expected} of the header: "${cells[beyond]?.slice(0, 40)}"`);
}

/** In a workbook every cell is under its header, whatever is next to it. */
function withoutHeader(letter: string, cell: string): Trouble {
  const message = `column ${letter} has no header, so "${cell.slice(0, 40)}" is neither sent nor kept; name the column to keep it`;
  return { severity: 'warning', code: 'no_header_cell', message, before: cell };
}

function ragged(what: string): Trouble {
  return {
    severity: 'error',
    code: 'ragged_row',
    message: `${what}; a cell with the delimiter in it needs quotes around it`,
  };
}
