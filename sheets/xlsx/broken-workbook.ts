import { fileError, type ManifestError } from '../findings/manifest-error.js';

/** A workbook that no spreadsheet wrote as it is: saving it again is what mends it. */
export function brokenWorkbook(what: string, cause?: unknown): ManifestError {
  return fileError('broken_workbook', `${what}; open it in a spreadsheet and save it again`, { cause });
}
