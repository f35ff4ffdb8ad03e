import type { AspectRatio } from '../../domain/brief.js';
import type { Column } from '../../sheets/column.js';
import type { Excerpt, Finding } from '../../sheets/findings/finding.js';
import type { Suspects, TextEncoding } from '../../sheets/text/encoding.js';
import type { HeaderNames } from '../header/header-map.js';

/** A row of the sheet before anything of it is understood. */
export interface RawRow {
  readonly row: number;
  readonly line: number | null;
  /** Null for a row that could not be read at all; `troubles` says why. */
  readonly cells: readonly string[] | null;
  /** What the reader of the form found in it. An error among them keeps the row from being used. */
  readonly troubles: readonly Finding[];
  /** Cells whose text is not what the team means, as a failed formula: nothing may be filled in from them. */
  readonly unusable?: ReadonlySet<number>;
  /** In YAML each value has a place of its own; by the index of its cell. */
  placeOf?(column: number): ValuePlace | null;
  /** The line on which a cell begins. Like `fixesOf`, to be asked before the next page of rows is. */
  excerptOf?(column: number): Excerpt | null;
  /** How a cell is written, for a repair: in which parts of the text, and the text that says `value` there. */
  fixesOf?(column: number, value: string): readonly TextFix[];
}

export interface ValuePlace {
  readonly line: number;
  readonly path: string;
}

/**
 * A part of the text that is written otherwise in the repaired file: in CSV by bytes of the text as UTF-8, in YAML by
 * UTF-16 units, both without the byte order mark.
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
  /** So many movies are made first, then a person says go on. */
  readonly canary?: number;
  /** More finally failed movies than this stop the batch. */
  readonly tolerance?: number;
  readonly maxInFlight?: number;
  /** From 1 (first) to 5 (last). */
  readonly priority?: number;
  readonly deadlineSeconds?: number;
}

/** How a text is to be read. */
export interface TextOptions {
  /** The encoding that a person says it has. */
  readonly asked: string | undefined;
  readonly names: HeaderNames;
}

export type ManifestFormat = 'csv' | 'xlsx' | TreeFormat;
/** Forms whose movies have names for their values, and no rows of cells. */
export type TreeFormat = 'yaml' | 'json' | 'jsonl';

export function isTree({ format }: Pick<Table, 'format'>): boolean {
  return format !== 'csv' && format !== 'xlsx';
}

/** One form of manifest, opened: its head is known and its rows are still to come. */
export interface Table {
  readonly format: ManifestFormat;
  readonly delimiter: string | null;
  readonly columns: readonly Column[];
  /** Cells that a row may have at most, and must have at least. In YAML both are the number of columns. */
  readonly widest: number;
  readonly narrowest: number;
  /** About the file, its header and its settings, in their order. */
  readonly findings: readonly Finding[];
  /** Whether it is one of our own results files, whose cells are neutralised. */
  readonly isResults: boolean;
  readonly suspects: Suspects;
  readonly campaign: string | null;
  readonly settings: BatchSettings;
  /** Ratios that every movie is made in; null where each row says its own. */
  readonly ratios: readonly AspectRatio[] | null;
  /** The other axes, by their names. */
  readonly matrix: readonly MatrixAxis[];
  /** Repairs outside of the rows. */
  readonly fixes: readonly TextFix[];
  /** How its bytes are text; null for a workbook. */
  readonly textEncoding: TextEncoding | null;
  /** Pages of rows, once. Rows come in the order of the file. */
  rows(): AsyncIterable<readonly RawRow[]>;
}
