import { type Column, fieldNameOf, type PlainField, plainFields } from '../../sheets/column.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import { didYouMean, nearName } from './did-you-mean.js';
import type { HeaderNames } from './header-map.js';
import { isReferencePastLimit } from './header-names.js';
import type { HeaderUses } from './header-uses.js';
import { likelyHeader } from './header-words.js';

/** What is wrong with the headers as a whole, each with the field that it is about. */
export function missingFields(
  columns: readonly Column[],
  { unclear }: HeaderUses,
  names: HeaderNames,
): readonly { readonly field: string; readonly trouble: Trouble }[] {
  const troubles: { field: string; trouble: Trouble }[] = [];
  for (const { field, header } of names.mapped) {
    if (columns.some((column) => column.use.kind !== 'own' && fieldNameOf(column) === field)) continue;
    const message = `--map ${field}="${header}": there is no column "${header}"; ${seen(columns)}`;
    troubles.push({ field, trouble: error('map_missing', message) });
  }
  for (const [field, headers] of unclear) {
    const shown = headers.slice(0, shownHeaders).map((header) => `"${header.trim()}"`);
    const message = `${shown.join(' and ')} could each be ${field}; --map ${field}="${headers[0]?.trim()}" says which`;
    troubles.push({ field, trouble: error('unclear_field', message) });
  }
  const said = new Set(troubles.map(({ field }) => field));
  for (const field of ['id', 'prompt'] as const) {
    const isThere = columns.some(({ use }) => use.kind === 'field' && use.field === field);
    if (!isThere && !said.has(field)) troubles.push({ field, trouble: missing(field, columns) });
  }
  return troubles;
}

function missing(field: PlainField, columns: readonly Column[]): Trouble {
  const own = columns.filter(({ use }) => use.kind === 'own').map(({ header }) => header.trim());
  const likely = likelyHeader(field, own);
  const meant = likely === null ? '' : `; did you mean "${likely}"? --map ${field}="${likely}" says so`;
  return error('missing_column', `there is no column ${field}${meant}; ${seen(columns)}`);
}

const shownHeaders = 12;

/** What the file has, so that nobody has to open it. */
function seen(columns: readonly Pick<Column, 'header'>[]): string {
  const named = columns.map(({ header }) => header.trim()).filter((header) => header !== '');
  const shown = named.slice(0, shownHeaders).map((header) => `"${header.slice(0, 40)}"`);
  const more = named.length > shownHeaders ? ` and ${named.length - shownHeaders} more` : '';
  return `its columns are ${shown.join(', ')}${more}`;
}

/** Why a row is not a header. */
export function nothingKnown(cells: readonly string[]): string {
  const headers = cells.map((header) => ({ header }));
  const likely = likelyHeader('prompt', cells);
  const example = `--map prompt="${likely?.trim() ?? '…'}"`;
  return `none of its names is known; it needs at least id and prompt (${example} names one); ${seen(headers)}`;
}

/** The finding about one header, given an earlier one with the same meaning (`before`). */
export function headerTrouble(
  column: Column,
  before: Column | undefined,
  lacking: ReadonlySet<PlainField>,
): Trouble | null {
  if (before) return twice(before, column);
  const { header, use } = column;
  if (use.kind !== 'own') return null;
  if (isReferencePastLimit(header)) {
    return error('too_many_references', `"${header}" is past the limit: a movie takes reference_1 to reference_20`);
  }
  const near = nearName(header, lacking) ?? likelyOptional(header, lacking);
  return near === null ? null : didYouMean(header, near);
}

/** Reports fields found under a longer name: money is spent on how headers are understood. */
export function understoodFields(
  columns: readonly Column[],
  { understood }: HeaderUses,
): readonly { readonly column: Column; readonly trouble: Trouble }[] {
  return columns.flatMap((column) => {
    const { use } = column;
    const header = use.kind === 'field' ? understood.get(use.field)?.trim() : undefined;
    if (use.kind !== 'field' || header === undefined) return [];
    const message = `"${header}" is read as ${use.field}; --map ${use.field}="${header}" confirms it`;
    return [{ column, trouble: { severity: 'warning', code: 'header_understood', message } }];
  });
}

/** A missing id or prompt is an error, which already says this. */
function likelyOptional(header: string, lacking: ReadonlySet<PlainField>): string | null {
  const optional = plainFields.filter((field) => field !== 'id' && field !== 'prompt' && lacking.has(field));
  return optional.find((field) => likelyHeader(field, [header]) !== null) ?? null;
}

function twice(before: Column, column: Column): Trouble {
  const both = `"${before.header.trim()}" (column ${before.letter}) and "${column.header.trim()}"`;
  if (column.use.kind === 'own') return error('duplicate_header', `${both} have the same name; rename one`);
  const field = fieldNameOf(column);
  const message = `${both} are both ${field}; rename one, or --map ${field}="${before.header.trim()}" says which`;
  return error('duplicate_field', message);
}

function error(code: string, message: string): Trouble {
  return { severity: 'error', code, message };
}
