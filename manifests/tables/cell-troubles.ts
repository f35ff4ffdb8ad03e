import type { Column } from '../../sheets/column.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import type { CellNotes } from '../../sheets/xlsx/cell-value.js';

/** What a person should know about a cell of a workbook. In a column that is not sent, none of this is an error. */
export function cellTrouble(notes: CellNotes, text: string, { use }: Column): Trouble | null {
  const severity = use.kind === 'own' ? 'warning' : 'error';
  switch (notes.fault) {
    case 'error':
      return { severity, code: 'error_cell', message: `its formula gives ${text}; correct it`, before: text };
    case 'no_value': {
      const message = 'its formula has no value yet; open it in a spreadsheet and save it again';
      return { severity, code: 'formula_empty', message };
    }
    case 'no_text': {
      const message = 'its text is missing from the workbook; open it in a spreadsheet and save it again';
      return { severity, code: 'text_missing', message };
    }
    case 'impossible_date': {
      const message = `it is formatted as a date, and ${text} is not one; a spreadsheet shows #### there`;
      return { severity, code: 'impossible_date', message, before: text };
    }
    default:
      if (!notes.isFormula || text === '') return null;
      return {
        severity: 'warning',
        code: 'formula',
        message: 'it is a formula; the value saved with the file is used',
        before: text,
      };
  }
}

/** Whether a cell's text is not what its team means, so that it must not fill a template. */
export function isUnusable({ fault }: CellNotes): boolean {
  return fault !== null;
}
