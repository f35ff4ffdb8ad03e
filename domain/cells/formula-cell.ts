/**
 * A spreadsheet runs a cell that begins like this as a formula (OWASP, CSV injection), the full-width forms too. Any
 * apostrophes in front are counted in, so that what is neutralised can be told from what was written that way.
 */
const runs = /^'*[=+\-@\t\r\n＝＋－＠]/;
const neutralised = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** The cell with an apostrophe in front where a spreadsheet would run it; `restoreFormula` takes it away again. */
export function neutraliseFormula(cell: string): string {
  return runs.test(cell) ? `'${cell}` : cell;
}

/** The cell as it was before `neutraliseFormula`; other cells stay as they are. */
export function restoreFormula(cell: string): string {
  return neutralised.test(cell) ? cell.slice(1) : cell;
}
