import { extname } from 'node:path';
import type { ManifestHead, ManifestOptions, ManifestSource } from '../../manifests/read-manifest.js';
import type { CliContext } from '../terminal/context.js';
import { CliError, exitCodes } from '../terminal/exit-codes.js';
import { writeNewFile } from '../terminal/write-new-file.js';

const workbookEndings: ReadonlySet<string> = new Set(['.xlsx', '.xlsm']);
const textEndings: Readonly<Record<Exclude<ManifestHead['format'], 'xlsx'>, readonly string[]>> = {
  csv: ['', '.csv', '.tsv', '.txt', '.tab'],
  yaml: ['', '.yaml', '.yml'],
  json: ['', '.json', '.yaml', '.yml'],
  jsonl: ['', '.jsonl', '.ndjson'],
};

/**
 * Writes a manifest with its repairs made. Programs go by the end of a file's name, so it must say what is in the file:
 * a workbook stays a workbook or becomes CSV, a text stays what it is.
 *
 * @throws CliError when the name says something else.
 */
export async function writeRepaired(
  context: CliContext,
  file: string,
  { source, head, options }: { source: ManifestSource; head: ManifestHead; options: ManifestOptions },
): Promise<void> {
  const ending = extname(file).toLowerCase();
  const own = extname(source.name).toLowerCase();
  if (head.format === 'xlsx' && workbookEndings.has(ending)) {
    if (workbookEndings.has(own) && own !== ending) throw refused(file, `${source.name} is ${own}; name it ${own}`);
    const { repairedWorkbook } = await import('../../manifests/repair-workbook.js');
    await writeNewFile(context, file, repairedWorkbook(source, options));
    return;
  }
  if (head.format === 'xlsx' ? ending !== '.csv' : ending !== own && !textEndings[head.format].includes(ending)) {
    const kind = head.format === 'xlsx' ? 'a workbook' : head.format.toUpperCase();
    const names =
      head.format === 'xlsx' ? `${own === '.xlsm' ? own : '.xlsx'} or .csv` : (textEndings[head.format][1] ?? own);
    throw refused(file, `${source.name} is ${kind}; name it ${names}`);
  }
  const { repairedBytes } = await import('../../manifests/repair-manifest.js'); // with all that writes other encodings
  await writeNewFile(context, file, repairedBytes(source, options));
}

function refused(file: string, why: string): CliError {
  return new CliError(`Cannot write ${file}: ${why}`, exitCodes.usage);
}
