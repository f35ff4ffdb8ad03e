import type { Trouble } from '../../sheets/findings/finding.js';
import type { Table } from '../tables/table.js';

/** What is wrong with the number of a row's cells; in such a row, cells may be under the wrong header. */
export function shapeTrouble(
  cells: readonly string[],
  { columns, widest, narrowest, isResults }: Pick<Table, 'columns' | 'widest' | 'narrowest' | 'isResults'>,
): Trouble | null {
  const expected = isResults ? widest : columns.length;
  if (cells.length < narrowest) return ragged(`it has ${cells.length} cells and the header ${expected}`);
  if (cells.length === columns.length) return null;
  const beyond = cells.findIndex((cell, index) => index >= narrowest && cell.trim() !== '');
  return beyond === -1
    ? null
    : ragged(`it has a cell beyond the ${expected} of the header: "${cells[beyond]?.slice(0, 40)}"`);
}

function ragged(what: string): Trouble {
  return {
    severity: 'error',
    code: 'ragged_row',
    message: `${what}; a cell with the delimiter in it needs quotes around it`,
  };
}
