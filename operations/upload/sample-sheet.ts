import { sampleCsv } from '../../manifests/sample-csv.js';
import { sampleColumns } from '../../manifests/sample-sheet.js';
import { templateWorkbook } from '../../manifests/sample-workbook.js';

const references = 2;

/** A sample sheet, as `greenlight template` writes it. */
export async function sampleSheet(kind: 'csv' | 'xlsx'): Promise<Buffer> {
  const columns = sampleColumns(references);
  return kind === 'xlsx' ? templateWorkbook(columns) : Buffer.from(sampleCsv(columns));
}
