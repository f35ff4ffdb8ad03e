import { extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { sampleCsv } from '../../manifests/sample-csv.js';
import { sampleColumns } from '../../manifests/sample-sheet.js';
import { templateWorkbook } from '../../manifests/sample-workbook.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { printJson, say } from '../terminal/print.js';
import { writeNewFile } from '../terminal/write-new-file.js';

/** `greenlight template`: a sheet to begin with. */
export function addTemplateCommand(program: Command, context: CliContext): void {
  program
    .command('template')
    .description('Write a sample sheet with every column, as CSV or XLSX')
    .argument('[file]', 'file to write (default: CSV to standard output)')
    .addOption(new Option('--format <kind>', 'format (default: from the file name)').choices(['csv', 'xlsx'] as const))
    .option('--references <count>', 'number of reference columns, at most 20', referenceCount, 2)
    .option('--json', 'output the columns and their allowed values instead')
    .addHelpText('after', '\nExample:\n  greenlight template spring.xlsx')
    .action(async (file, { format, references, json }) => {
      const columns = sampleColumns(references);
      if (json) {
        printJson(context, { columns: columns.map(({ name, about }) => ({ name, about })) });
        return;
      }
      const kind = kindOf(file, format);
      if (file === undefined) refuseBinaryOnTerminal(kind, context);
      const bytes = kind === 'xlsx' ? await templateWorkbook(columns) : Buffer.from(sampleCsv(columns));
      if (file === undefined) {
        context.stdout.write(bytes);
        return;
      }
      await writeNewFile(context, file, [bytes]);
      say(context, `Wrote ${file}. Next: fill it in, then greenlight check ${file}`);
    });
}

function referenceCount(text: string): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) > 20)
    throw new InvalidArgumentError('It must be a whole number from 0 to 20.');
  return Number(text);
}

type Kind = 'csv' | 'xlsx';

/** Programs go by the end of a file's name, so it must not say another kind. */
function kindOf(file: string | undefined, format: Kind | undefined): Kind {
  const extension = extname(file ?? '').toLowerCase();
  const named = extension === '.xlsx' ? 'xlsx' : ['', '.csv', '.txt'].includes(extension) ? 'csv' : null;
  if (named === null || (format !== undefined && extension !== '' && format !== named)) {
    throw new CliError(
      `Cannot write ${file} as ${format ?? 'CSV or XLSX'}: use the extension .csv or .xlsx`,
      exitCodes.usage,
    );
  }
  return format ?? named;
}

function refuseBinaryOnTerminal(kind: Kind, { stdout }: CliContext): void {
  if (kind === 'csv' || !stdout.isTTY) return;
  throw new CliError(
    'Cannot show a workbook on a terminal: name a file, e.g. greenlight template spring.xlsx',
    exitCodes.usage,
  );
}
