import { isReportName, isUnknownToWindows } from '../../domain/report-names.js';
import type { Trouble } from '../../sheets/findings/finding.js';

/** The form of row ids and campaign names: safe in a path, a URL and a command line. */
export const rowKeyRule = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What a spreadsheet makes of a long number, or of an id like `1E5`. */
const scientific = /^\d+(?:[.,]\d+)?e[+-]?\d+$/i;

const none: readonly Trouble[] = [];

/** Finds what is wrong with an id as written; an empty list for a valid one. */
export function rowKeyTroubles(id: string): readonly Trouble[] {
  if (id === '') return [{ severity: 'error', code: 'id_missing', message: 'missing id' }];
  if (rowKeyRule.test(id) && !scientific.test(id) && !isReportName(id) && !isUnknownToWindows(id)) return none;
  const troubles: Trouble[] = [];
  if (!rowKeyRule.test(id)) troubles.push({ severity: 'error', code: 'id_form', message: formTrouble(id), before: id });
  if (isReportName(id)) {
    const message = `"${cut(id)}" is the name of a report next to the movies' folders; choose another id`;
    troubles.push({ severity: 'error', code: 'id_reserved', message, before: id });
  }
  if (rowKeyRule.test(id) && isUnknownToWindows(id)) {
    const message = `"${cut(id)}" is a name that Windows has no folder for; its files cannot be copied there`;
    troubles.push({ severity: 'warning', code: 'id_windows', message, before: id });
  }
  if (scientific.test(id)) {
    const message = `"${cut(id)}" looks like a number that a spreadsheet shortened; format the column as text`;
    troubles.push({ severity: 'warning', code: 'id_spreadsheet', message, before: id });
  }
  return troubles;
}

const maxIdLength = 64;

function formTrouble(id: string): string {
  const rule = `use 1 to ${maxIdLength} of A-Z a-z 0-9 . _ - beginning with a letter or digit`;
  const { length } = [...id];
  if (length > maxIdLength && rowKeyRule.test(id.slice(0, maxIdLength))) {
    return `"${cut(id)}" has ${length} characters, and an id has at most ${maxIdLength}`;
  }
  return `"${cut(id)}" is not a valid id; ${rule}`;
}

/** Turns a value into a part of an id: `Île-de-France` gives `ile-de-france`. Empty when nothing of it can be kept. */
export function slugOf(value: string): string {
  return value
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

function cut(text: string): string {
  return text.length > 70 ? `${text.slice(0, 69)}…` : text;
}
