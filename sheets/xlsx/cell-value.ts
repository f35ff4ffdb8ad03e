import { showNumber } from './show-number.js';
import { unescaped } from './workbook-texts.js';

/** What a cell's element says. */
export interface WrittenCell {
  /** Its type, e.g. `s` for a shared text; by default a number. */
  readonly type: string;
  /** The content of its value element; null without one. */
  readonly value: string | null;
  /** The content of its own text element; null without one. */
  readonly inline: string | null;
  readonly isFormula: boolean;
  /** The format of its style. */
  readonly format: string | null;
}

/** What the values of a sheet do not show. */
export interface CellNotes {
  readonly isFormula: boolean;
  /** Why its text is not what the team means: a failed formula, one never calculated, a date that does not exist. */
  readonly fault: 'error' | 'no_value' | 'no_text' | 'impossible_date' | null;
  /** Its time of day, e.g. `16:09`, whatever its format makes of it. */
  readonly clock: string | null;
}

export interface WorkbookValues {
  readonly texts: readonly string[];
  readonly is1904: boolean;
}

export interface ReadCell {
  /** What a person sees in it. */
  readonly text: string;
  /** Null when there is nothing to note. */
  readonly notes: CellNotes | null;
}

export function readCell(cell: WrittenCell, workbook: WorkbookValues): ReadCell {
  const { isFormula, value } = cell;
  const noted = (text: string, fault: CellNotes['fault'] = null, clock: string | null = null): ReadCell => {
    const isPlain = !isFormula && fault === null && clock === null;
    return { text, notes: isPlain ? null : { isFormula, fault, clock } };
  };
  switch (cell.type) {
    case 's': {
      const index = Number(value ?? Number.NaN);
      const text = workbook.texts[index];
      return text === undefined && value !== null ? noted('', 'no_text') : noted(text ?? '');
    }
    case 'inlineStr':
      return noted(cell.inline ?? unescaped(value ?? ''));
    case 'str':
      if (isFormula && value === null) return noted('', 'no_value');
      return noted(unescaped(value ?? cell.inline ?? ''));
    case 'b':
      return value === null
        ? noted('', isFormula ? 'no_value' : null)
        : noted(/^(?:1|true)$/i.test(value.trim()) ? 'TRUE' : 'FALSE');
    case 'e':
      return noted(value?.trim() || '#N/A', 'error');
    case 'd':
      return ofNumber(isoSerial(value ?? '', workbook), cell, workbook, noted);
    default:
      if (value === null || value.trim() === '') return noted('', isFormula && value === null ? 'no_value' : null);
      return ofNumber(Number(value), cell, workbook, noted);
  }
}

type Noted = (text: string, fault?: CellNotes['fault'], clock?: string | null) => ReadCell;

/** Anything that is not a number is text, whatever its type says. */
function ofNumber(number: number, { value, type, format }: WrittenCell, { is1904 }: WorkbookValues, noted: Noted) {
  if (!Number.isFinite(number)) return noted(value ?? '');
  const code = format ?? (type === 'd' ? isoFormat(value ?? '') : null);
  const { text, clock, isImpossible } = showNumber(number, code, is1904);
  return noted(text, isImpossible ? 'impossible_date' : null, clock === text ? null : clock);
}

const isoDateTime =
  /^\s*(?:([-+]?\d{4,6})-(\d{2})-(\d{2}))?T?(?:(\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?(?:Z|[-+]\d{2}:\d{2})?\s*$/i;

/** Converts a date, a time or both from Strict workbooks to the number that others write. NaN if it is neither. */
function isoSerial(text: string, { is1904 }: WorkbookValues): number {
  const [matched, year, month, day, hours = '0', minutes = '0', seconds = '0'] = isoDateTime.exec(text) ?? [];
  if (matched === undefined || matched.trim() === '') return Number.NaN;
  const time = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
  if (year === undefined) return time;
  const days = (Date.UTC(Number(year), Number(month) - 1, Number(day)) - Date.UTC(1899, 11, 30)) / 86_400_000;
  return (days < 61 ? days - 1 : days) + time - (is1904 ? 1462 : 0);
}

/** The format when its style says nothing. */
function isoFormat(text: string): string {
  const hasDay = /\d-\d/.test(text);
  const hasTime = text.includes(':');
  if (hasDay && hasTime) return 'yyyy-mm-dd hh:mm:ss';
  return hasDay ? 'yyyy-mm-dd' : 'hh:mm:ss';
}
