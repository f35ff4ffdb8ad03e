import { type SampleColumn, sampleRows } from './sample-sheet.js';

/** The sample sheet as CSV. */
export function sampleCsv(columns: readonly SampleColumn[]): string {
  const rows = [
    columns.map(({ name }) => name),
    ...sampleRows.map((row) => columns.map(({ name }) => row[name] ?? '')),
  ];
  return rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
