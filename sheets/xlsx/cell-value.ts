import { showNumber } from './show-number.js';
import { unescaped } from './workbook-texts.js';

/** What a cell's element says. */
export interface WrittenCell {
  /** Its type, as `s` for a shared text; a number where it says none. */
  readonly type: string;
  /** What stands in its value element; null where it has none. */
  readonly value: string | null;
  /** What stands in its own text element; null where it has none. */
  readonly inline: string | null;
  readonly isFormula: boolean;
  /** The format of its style. */
  readonly format: string | null;
}

/** What the values of a sheet do not show. */
export interface CellNotes {
  readonly isFormula: boolean;
  /** What keeps its text from being what the team means: a failed formula, one never worked out, a date that is none. */
  readonly fault: 'error' | 'no_value' | 'no_text' | 'impossible_date' | null;
  /** The time of day that it is, as `16:09`, whatever its format makes of it. */
  readonly clock: string | null;
}

export interface WorkbookValues {
  readonly texts: readonly string[];
  readonly is1904: boolean;
}

export interface ReadCell {
  /** What a person sees in it. */
  readonly text: string;
  /** Null where there is nothing to note. */
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

/** What is no number is text, whatever its type says. */
function ofNumber(number: number, { value, type, format }: WrittenCell, { is1904 }: WorkbookValues, noted: Noted) {
  if (!Number.isFinite(number)) return noted(value ?? '');
  const code = format ?? (type === 'd' ? isoFormat(value ?? '') : null);
  const { text, clock, isImpossible } = showNumber(number, code, is1904);
  return noted(text, isImpossible ? 'impossible_date' : null, clock === text ? null : clock);
}

const isoDateTime =
  /^\s*(?:([-+]?\d{4,6})-(\d{2})-(\d{2}))?T?(?:(\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?(?:Z|[-+]\d{2}:\d{2})?\s*$/i;

/** A day, a time or both as Strict workbooks write them, as the number that others write. NaN for what is none. */
function isoSerial(text: string, { is1904 }: WorkbookValues): number {
  const [matched, year, month, day, hours = '0', minutes = '0', seconds = '0'] = isoDateTime.exec(text) ?? [];
  if (matched === undefined || matched.trim() === '') return Number.NaN;
  const time = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
  if (year === undefined) return time;
  const days = (Date.UTC(Number(year), Number(month) - 1, Number(day)) - Date.UTC(1899, 11, 30)) / 86_400_000;
  return (days < 61 ? days - 1 : days) + time - (is1904 ? 1462 : 0);
}

/** How it is shown where its style says nothing. */
function isoFormat(text: string): string {
  const hasDay = /\d-\d/.test(text);
  const hasTime = text.includes(':');
  if (hasDay && hasTime) return 'yyyy-mm-dd hh:mm:ss';
  return hasDay ? 'yyyy-mm-dd' : 'hh:mm:ss';
}
