import type { AspectRatio } from '../../domain/brief.js';
import { restoreFormula } from '../../domain/cells/formula-cell.js';
import { limits } from '../../domain/interface-limits.js';
import { isReportName } from '../../domain/report-names.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import { readDuration } from '../fields/duration.js';
import { fillTemplate } from '../fields/fill-template.js';
import { readRatioList } from '../fields/ratio-list.js';
import { textTroubles } from '../fields/text-troubles.js';
import { type DraftReference, draftReferences } from '../references/draft-references.js';
import { isTree, type RawRow, type Table } from '../tables/table.js';
import { expandRow, type Variant } from './expand-row.js';
import { rowKeyRule, rowKeyTroubles } from './row-key.js';
import type { RowLayout } from './row-layout.js';
import { RowNotes, type RowNotesOptions } from './row-notes.js';
import { shapeTrouble } from './row-shape.js';

/** A brief whose local references are still to be checked. */
export interface DraftBrief {
  readonly rowKey: string;
  readonly prompt: string;
  readonly durationSeconds: number;
  readonly aspectRatio: AspectRatio | null;
  readonly style: string | null;
  readonly references: readonly DraftReference[];
  readonly cells: readonly string[];
}

/** A cell that the repaired file changes. */
export interface CellFix {
  readonly column: number;
  readonly text: string;
}

export interface DraftRow {
  readonly row: RawRow;
  /** The id as written; null for a row without one. */
  readonly baseKey: string | null;
  /** Also for a row with errors, as far as they could be read: its ids must be known as taken. */
  readonly briefs: readonly DraftBrief[];
  readonly notes: RowNotes;
  readonly fixes: readonly CellFix[];
}

export interface DraftOptions extends RowNotesOptions {
  readonly allowPrivateAddresses: boolean;
}

/** Reads rows of one table. A blank row gives null; every other gives briefs, or an error among its notes. */
export function rowDrafter(table: Table, layout: RowLayout, options: DraftOptions): (row: RawRow) => DraftRow | null {
  return (row) => {
    if (!isTree(table) && row.troubles.length === 0 && row.cells?.every(isBlank)) return null;
    const notes = new RowNotes(row, layout, options);
    const fixes: CellFix[] = [];
    const shape = row.cells === null ? null : shapeTrouble(row.cells, table);
    if (shape) notes.add(null, shape);
    if (row.cells === null || shape?.severity === 'error') return { row, baseKey: null, briefs: [], notes, fixes };
    const reader = { table, layout, options, notes, fixes };
    const cells = restored(row.cells, reader);
    const id = (layout.field.id === null ? '' : (cells[layout.field.id] ?? '')).trim();
    if (layout.field.id !== null) for (const trouble of rowKeyTroubles(id)) notes.add(layout.field.id, trouble);
    const ratios = table.ratios ?? readRatios(cells, reader);
    const { variants, trouble } = expandRow(id, ratios, table.matrix);
    if (trouble) notes.add(null, trouble);
    const badKey = variants.find(({ rowKey }) => rowKey !== id && isBadKey(id, rowKey))?.rowKey;
    if (badKey !== undefined) refuseKey(id, badKey, reader);
    const briefs = variants.map((variant) => briefOf(variant, row, cells, reader));
    return { row, baseKey: id === '' ? null : id, briefs, notes, fixes };
  };
}

function isBadKey(id: string, rowKey: string): boolean {
  return rowKeyRule.test(id) && (!rowKeyRule.test(rowKey) || rowKey.endsWith('-') || isReportName(rowKey));
}

/** Reports only the first bad id; a shorter one helps them all. */
function refuseKey(id: string, rowKey: string, { layout, notes }: RowReader): void {
  const why = isReportName(rowKey)
    ? "which is the name of a report next to the movies' folders; choose another id"
    : `which is not a valid id (${rowKey.length} of at most 64 of A-Z a-z 0-9 . _ -); shorten the id`;
  const message = `its movie would be "${rowKey.slice(0, 80)}", ${why}`;
  notes.add(layout.field.id, { severity: 'error', code: 'id_expanded', message, before: id });
}

interface RowReader {
  readonly table: Table;
  readonly layout: RowLayout;
  readonly options: DraftOptions;
  readonly notes: RowNotes;
  readonly fixes: CellFix[];
}

function isBlank(cell: string): boolean {
  return cell === '' || cell.trim() === '';
}

const apostrophe = "'".charCodeAt(0);

/** Removes the apostrophe that keeps a spreadsheet from running a cell. */
function restored(cells: readonly string[], { table, notes, fixes }: RowReader): readonly string[] {
  if (!cells.some((cell) => cell.charCodeAt(0) === apostrophe)) return cells;
  return cells.map((cell, column) => {
    const text = restoreFormula(cell);
    if (text === cell || column >= table.columns.length) return cell;
    if (!table.isResults) {
      const message = 'the apostrophe that keeps a spreadsheet from running the cell is taken away';
      notes.add(column, { severity: 'repair', code: 'apostrophe_removed', message, before: cell, after: text });
      fixes.push({ column, text });
    }
    return text;
  });
}

/** The ratios of a cell; `[null]` when it asks for none. */
function readRatios(cells: readonly string[], { layout, notes, fixes }: RowReader): readonly (AspectRatio | null)[] {
  const column = layout.field.aspect_ratio;
  const written = column === null ? '' : (cells[column] ?? '').trim();
  if (column === null || written === '') return [null];
  const { ratios, troubles, repaired } = readRatioList(written.split('|'));
  for (const trouble of troubles) notes.add(column, trouble);
  if (repaired) fixes.push({ column, text: repaired.join('|') });
  return ratios.length === 0 ? [null] : ratios;
}

function briefOf(variant: Variant, row: RawRow, written: readonly string[], reader: RowReader): DraftBrief {
  const { table, layout, options, notes } = reader;
  const { damageSigns } = table;
  const cells = cellsOf(variant, written, reader);
  const textOf = (column: number | null) => filled(column, cells, row, reader);
  const prompt = textOf(layout.field.prompt);
  const style = textOf(layout.field.style);
  if (layout.field.prompt !== null) {
    const troubles = prompt === '' ? [noPrompt] : textTroubles(prompt, promptLimits, damageSigns);
    for (const trouble of troubles) notes.add(layout.field.prompt, trouble);
  }
  if (style !== '')
    for (const trouble of textTroubles(style, styleLimits, damageSigns)) notes.add(layout.field.style, trouble);
  if (damageSigns.nul) refuseNul(cells, reader);
  return {
    rowKey: variant.rowKey,
    prompt,
    durationSeconds: durationOf(cells, reader),
    aspectRatio: variant.ratio,
    style: style === '' ? null : style,
    references: draftReferences(layout.references, { textOf, damageSigns }, notes, options),
    cells,
  };
}

const noPrompt = {
  severity: 'error',
  code: 'prompt_missing',
  message: `it has no prompt; ${limits.promptMin} to ${limits.promptMax} characters`,
} as const;
const promptLimits = { name: 'prompt', min: limits.promptMin, max: limits.promptMax };
const styleLimits = { name: 'style', max: limits.styleMax };

/** The row's cells for this movie; only the team's own columns, without those that a results file adds. */
function cellsOf({ rowKey, ratio, values }: Variant, written: readonly string[], { table, layout }: RowReader) {
  const cells = written.length === table.columns.length ? written : written.slice(0, table.columns.length);
  const { id, aspect_ratio: ratioColumn } = layout.field;
  const isMultiplied = id !== null && rowKey !== (cells[id] ?? '').trim();
  if (!isMultiplied && values.size === 0 && table.ratios === null) return cells;
  const own = [...cells];
  for (const [column, value] of values) own[column] = value;
  if (id !== null && isMultiplied) own[id] = rowKey;
  if (ratioColumn !== null && ratio !== null && (isMultiplied || table.ratios)) own[ratioColumn] = ratio;
  return own;
}

/** A cell's text as sent: trimmed, with one kind of line end, its templates filled. */
function filled(column: number | null, cells: readonly string[], row: RawRow, { layout, notes }: RowReader): string {
  const cell = column === null ? '' : (cells[column] ?? '');
  const trimmed = cell.trim();
  const text = trimmed.includes('\r') ? trimmed.replace(/\r\n?/g, '\n') : trimmed;
  if (!text.includes('{{')) return text;
  const { text: whole, missing } = fillTemplate(text, (name) => {
    const other = layout.named(name);
    if (other === null || other === column) return null;
    if (row.unusable?.has(other)) notes.add(column, unusableSlot(name, cell, cells[other] ?? ''));
    return (cells[other] ?? '').trim();
  });
  for (const { name, isColumn } of missing) {
    const message = isColumn
      ? `{{${name}}} is empty in this row`
      : `{{${name}}} names no column${layout.named(name) === null ? `; write \\{{${name}}} for the braces themselves` : ''}`;
    notes.add(column, { severity: 'error', code: 'template_missing', message, before: cell });
  }
  return whole;
}

function unusableSlot(name: string, before: string, value: string): Trouble {
  const message = `{{${name}}} is filled from a cell that cannot be used${value === '' ? '' : ` (${value.slice(0, 40)})`}; correct that`;
  return { severity: 'error', code: 'template_unusable', message, before };
}

function durationOf(cells: readonly string[], { layout, notes }: RowReader): number {
  const column = layout.field.duration_seconds;
  const written = column === null ? '' : (cells[column] ?? '').trim();
  if (written === '') return limits.durationSecondsDefault;
  const reading = readDuration(written);
  if ('seconds' in reading) return reading.seconds;
  notes.add(column, reading.trouble);
  return limits.durationSecondsDefault;
}

/** In a custom column too: no results file could give it back. */
function refuseNul(cells: readonly string[], { notes }: RowReader): void {
  for (const [column, cell] of cells.entries()) {
    if (!cell.includes('\0')) continue;
    const message = 'contains a NUL character';
    notes.add(column, { severity: 'error', code: 'nul_character', message, before: cell });
  }
}
