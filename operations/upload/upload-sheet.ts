import { extname } from 'node:path';
import { type RowCells, readCells } from '../../manifests/read-cells.js';
import { fileSource } from '../../manifests/read-manifest.js';
import { repairedBytes } from '../../manifests/repair-manifest.js';
import { repairedWorkbook } from '../../manifests/repair-workbook.js';
import { sheetWithFindings } from '../../manifests/with-findings.js';
import { checkUpload, findUpload, type UploadDeps, type UploadLook } from './manifest-uploads.js';
import type { SubmitFileInput } from './submit-file.js';
import { type SubmittedFile, submitFile } from './submit-file.js';

export interface SheetPage {
  /** Rows by their numbers; null for all. */
  readonly only: ReadonlySet<number> | null;
  readonly skip: number;
  readonly limit: number;
}

/** Rows of an uploaded sheet as written. */
export async function uploadedRows(deps: UploadDeps, look: UploadLook, page: SheetPage): Promise<readonly RowCells[]> {
  const { path, name, read } = await findUpload(deps, look);
  return readCells(await fileSource(path, name), read, page);
}

/** A file to download. */
export interface TakenFile {
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
}

/** The sheet with its repairs made: a workbook stays one, everything else byte for byte. */
export async function repairedUpload(deps: UploadDeps, look: UploadLook): Promise<TakenFile> {
  const { upload, check } = await checkUpload(deps, look);
  const source = await fileSource(upload.path, upload.name);
  const isWorkbook = check.head?.format === 'xlsx';
  return {
    name: named(upload.name, 'repaired'),
    bytes: isWorkbook ? repairedWorkbook(source, upload.read) : repairedBytes(source, upload.read),
  };
}

/** The sheet as CSV, with the findings of each row next to it. */
export async function uploadWithFindings(deps: UploadDeps, look: UploadLook): Promise<TakenFile> {
  const { upload, check } = await checkUpload(deps, look);
  const source = await fileSource(upload.path, upload.name);
  const name = `${named(upload.name, 'findings').slice(0, -extname(upload.name).length || undefined)}.csv`;
  return { name, bytes: sheetWithFindings(source, upload.read, check.findings) };
}

/** E.g. `spring-repaired.csv`. */
function named(name: string, word: string): string {
  const ending = extname(name);
  return `${name.slice(0, name.length - ending.length)}-${word}${ending}`;
}

export interface SubmitUploadInput extends UploadLook, Pick<SubmitFileInput, 'remoteFiles' | 'otherBatch'> {
  readonly flags: Omit<SubmitFileInput['flags'], 'budgetPath'>;
}

/** Stores the rows of an uploaded sheet as the campaign's next batch, which is priced and waits for a decision. */
export async function submitUpload(
  deps: UploadDeps,
  { id, actor, flags, ...input }: SubmitUploadInput,
): Promise<SubmittedFile> {
  const { path, name, read, budget } = await findUpload(deps, { id, actor });
  const budgetPath = budget ?? undefined;
  return submitFile(deps, { path, name, read, actor, ...input, flags: { ...flags, budgetPath } });
}
