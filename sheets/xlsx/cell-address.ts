/** Sizes of a sheet (ECMA-376 part 1, 18.3.1.73; the limits of spreadsheets). */
export const sheetColumns = 16_384;
export const sheetRows = 1_048_576;

export interface CellAddress {
  /** Both from 0. */
  readonly row: number;
  readonly column: number;
}

/** Reads `E12`, `e12` and `$E$12` alike; null when it is not a cell address. */
export function cellAddress(text: string | undefined): CellAddress | null {
  const [, letters = '', digits] = /^\s*\$?([a-z]{1,3})\$?(\d{1,7})\s*$/i.exec(text ?? '') ?? [];
  const row = Number(digits) - 1;
  return digits === undefined || row < 0 ? null : { row, column: columnIndex(letters) };
}

/** From 0: A is 0, AA is 26. */
function columnIndex(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number - 1;
}
