import { fileError, type ManifestError } from '../findings/manifest-error.js';

/** The error for a damaged workbook: saving it again in a spreadsheet repairs it. */
export function brokenWorkbook(what: string, cause?: unknown): ManifestError {
  return fileError('broken_workbook', `${what}; open it in a spreadsheet and save it again`, { cause });
}
