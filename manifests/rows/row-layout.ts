import { bareName } from '../../sheets/bare-name.js';
import { type Column, fieldNameOf, type PlainField, plainFields } from '../../sheets/column.js';
import type { Place } from '../../sheets/findings/finding.js';
import { useOfHeader } from '../header/header-names.js';
import type { RawRow, Table } from '../tables/table.js';

/** Columns of one reference; null when the sheet has none for that part. */
export interface ReferenceColumns {
  readonly number: number;
  readonly source: number | null;
  readonly role: number | null;
  readonly description: number | null;
}

/** The column of each field: found once, used for every row. */
export interface RowLayout {
  readonly field: Readonly<Record<PlainField, number | null>>;
  readonly references: readonly ReferenceColumns[];
  placeOf(row: RawRow, column: number | null): Place;
  /** The column for a name in a template. */
  named(name: string): number | null;
}

export function layoutOf({ columns }: Pick<Table, 'columns'>): RowLayout {
  const byName = new Map<string, number>();
  for (const column of columns) {
    const name = bareName(column.header);
    if (!byName.has(name)) byName.set(name, column.index);
  }
  const field = Object.fromEntries(plainFields.map((name) => [name, indexOfField(columns, name)]));
  return {
    field: field as Record<PlainField, number | null>, // every plain field has an entry
    references: referenceColumns(columns),
    placeOf(row, index) {
      const column = index === null ? undefined : columns[index];
      const value = index === null ? null : row.placeOf?.(index);
      return {
        row: row.row,
        line: value?.line ?? row.line,
        column: column?.letter ?? null,
        field: value?.path ?? (column ? fieldNameOf(column) : null),
      };
    },
    named(name) {
      const known = byName.get(bareName(name));
      if (known !== undefined) return known;
      const use = useOfHeader(name);
      return use?.kind === 'field' ? indexOfField(columns, use.field) : null;
    },
  };
}

function indexOfField(columns: readonly Column[], name: PlainField): number | null {
  return columns.find(({ use }) => use.kind === 'field' && use.field === name)?.index ?? null;
}

function referenceColumns(columns: readonly Column[]): readonly ReferenceColumns[] {
  const numbers = new Set(columns.flatMap(({ use }) => (use.kind === 'reference' ? [use.number] : [])));
  const indexOf = (number: number, part: string) =>
    columns.find(({ use }) => use.kind === 'reference' && use.number === number && use.part === part)?.index ?? null;
  return [...numbers]
    .sort((a, b) => a - b)
    .map((number) => ({
      number,
      source: indexOf(number, 'source'),
      role: indexOf(number, 'role'),
      description: indexOf(number, 'description'),
    }));
}
