import { tableWorkbook, type WorkbookTable } from '../../reports/workbook.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { say } from '../terminal/print.js';
import { writeNewFile } from '../terminal/write-new-file.js';

/** Rows of a sheet, less that of the headers. */
const maxRows = 1_048_575;

/**
 * Writes a workbook that is not there yet.
 *
 * @throws CliError where a file of that name is, or a sheet does not hold so many rows.
 */
export async function writeTable(context: CliContext, file: string, table: WorkbookTable): Promise<void> {
  await writeNewFile(context, file, [await tableWorkbook(table)]);
  say(context, `${file}: ${table.rows.length === 1 ? '1 row' : `${table.rows.length} rows`}`);
}

/** @throws CliError where a sheet does not hold so many. */
export async function gathered<T>(file: string, all: AsyncIterable<T>): Promise<readonly T[]> {
  const rows: T[] = [];
  for await (const row of all) {
    rows.push(row);
    if (rows.length <= maxRows) continue;
    throw new CliError(`Cannot write ${file}: a sheet holds ${maxRows} rows; use --csv`, exitCodes.usage);
  }
  return rows;
}
