import type { AspectRatio } from '../../domain/brief.js';
import type { Column } from '../../sheets/column.js';
import type { Excerpt, Finding } from '../../sheets/findings/finding.js';
import type { DamageSigns, TextEncoding } from '../../sheets/text/encoding.js';
import type { HeaderNames } from '../header/header-map.js';

/** A row of the sheet before it is interpreted. */
export interface RawRow {
  readonly row: number;
  readonly line: number | null;
  /** Null for a row that could not be read at all; `troubles` says why. */
  readonly cells: readonly string[] | null;
  /** Findings of the format's reader. With an error among them the row is not used. */
  readonly troubles: readonly Finding[];
  /** Cells whose text is not what the team means, e.g. a failed formula: they must not fill a template. */
  readonly unusable?: ReadonlySet<number>;
  /** The place of a value by the index of its cell; in YAML each has its own. */
  placeOf?(column: number): ValuePlace | null;
  /** The line on which a cell begins. Like `fixesOf`, call it before the next page of rows is read. */
  excerptOf?(column: number): Excerpt | null;
  /** The parts of the text to change for a repair, and the text that says `value` there. */
  fixesOf?(column: number, value: string): readonly TextFix[];
}

export interface ValuePlace {
  readonly line: number;
  readonly path: string;
}

/**
 * A part of the text that the repaired file changes: in CSV by bytes of the text as UTF-8, in YAML by UTF-16 units,
 * both without the byte order mark.
 */
export interface TextFix {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Values that multiply every movie, by the name of the column that they fill. */
export interface MatrixAxis {
  readonly column: number;
  readonly name: string;
  readonly values: readonly string[];
}

export interface BatchSettings {
  /** Path of the budget that pays. */
  readonly budget?: string;
  /** How many movies are made first, before a person continues the batch. */
  readonly canary?: number;
  /** The batch stops when more movies than this have finally failed. */
  readonly tolerance?: number;
  readonly maxInFlight?: number;
  /** From 1 (first) to 5 (last). */
  readonly priority?: number;
  readonly deadlineSeconds?: number;
}

/** How to read a text. */
export interface TextOptions {
  /** The encoding that a person stated. */
  readonly asked: string | undefined;
  readonly names: HeaderNames;
}

export type ManifestFormat = 'csv' | 'xlsx' | TreeFormat;
/** Formats whose movies have named values instead of rows of cells. */
export type TreeFormat = 'yaml' | 'json' | 'jsonl';

export function isTree({ format }: Pick<Table, 'format'>): boolean {
  return format !== 'csv' && format !== 'xlsx';
}

/** An opened manifest: its head is known and its rows are still to come. */
export interface Table {
  readonly format: ManifestFormat;
  readonly delimiter: string | null;
  readonly columns: readonly Column[];
  /** The most and the fewest cells that a row may have. In YAML both are the number of columns. */
  readonly widest: number;
  readonly narrowest: number;
  /** Findings about the file, its header and its settings, in order. */
  readonly findings: readonly Finding[];
  /** Whether it is one of our own results files, whose cells are neutralised. */
  readonly isResults: boolean;
  readonly damageSigns: DamageSigns;
  readonly campaign: string | null;
  readonly settings: BatchSettings;
  /** Ratios that every movie is made in; null when each row states its own. */
  readonly ratios: readonly AspectRatio[] | null;
  /** The other axes, by name. */
  readonly matrix: readonly MatrixAxis[];
  /** Repairs outside the rows. */
  readonly fixes: readonly TextFix[];
  /** The encoding of its text; null for a workbook. */
  readonly textEncoding: TextEncoding | null;
  /** Pages of rows, once. Rows come in the order of the file. */
  rows(): AsyncIterable<readonly RawRow[]>;
}
