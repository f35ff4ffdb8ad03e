import type { Trouble } from '../../sheets/findings/finding.js';

/** An id that names a row in its lineage, and a campaign: safe in a path, a URL and a command line. */
export const rowKeyRule = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What a spreadsheet makes of a long number, or of an id like `1E5`. */
const scientific = /^\d+(?:[.,]\d+)?e[+-]?\d+$/i;

const none: readonly Trouble[] = [];

/** What is wrong with an id as it is written; an empty list for a good one. */
export function rowKeyTroubles(id: string): readonly Trouble[] {
  if (id === '') return [{ severity: 'error', code: 'id_missing', message: 'it has no id, which names the movie' }];
  if (rowKeyRule.test(id) && !scientific.test(id)) return none;
  const troubles: Trouble[] = [];
  if (!rowKeyRule.test(id)) {
    const message = `"${cut(id)}" is no id; use 1 to 64 of A-Z a-z 0-9 . _ - beginning with a letter or digit`;
    troubles.push({ severity: 'error', code: 'id_form', message, before: id });
  }
  if (scientific.test(id)) {
    const message = `"${cut(id)}" looks like a number that a spreadsheet shortened; format the column as text`;
    troubles.push({ severity: 'warning', code: 'id_spreadsheet', message, before: id });
  }
  return troubles;
}

/** A value as a part of an id: `Île-de-France` gives `ile-de-france`. Empty when nothing of it can be kept. */
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
