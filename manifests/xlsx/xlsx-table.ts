import { fileError } from '../manifest-error.js';
import type { ManifestSource } from '../manifest-source.js';
import type { Table } from '../table.js';

export async function openXlsx(source: ManifestSource, _sheet: string | undefined): Promise<Table> {
  throw fileError('xlsx', `${source.name} is a workbook; save it as CSV`);
}
