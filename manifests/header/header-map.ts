import { bareName } from '../../sheets/bare-name.js';
import { type ColumnUse, fieldNameOf } from '../../sheets/column.js';
import { useOfHeader } from './header-names.js';
import { qualifiedField } from './header-words.js';

/** The team's header for a field, as they state it; keyed by the field's own name. */
export type HeaderMap = Readonly<Record<string, string>>;

/** How headers are understood: the team's own mapping first, then the known names. */
export interface HeaderNames {
  useOf(header: string): ColumnUse | null;
  /** How many cells of a row are known column names. */
  knownIn(cells: readonly string[]): number;
  /** Fields that the team has named a header for, and that header. */
  readonly mapped: readonly { readonly field: string; readonly header: string }[];
}

/** The field that a name stands for, e.g. `duration` for duration_seconds; null when it is not one. */
export function mappableField(name: string): string | null {
  const use = useOfHeader(name);
  return use === null ? null : fieldNameOf({ use, header: name });
}

/** @throws Error for an unknown field; callers check with `mappableField` first. */
export function createHeaderNames(map: HeaderMap = {}): HeaderNames {
  const mapped = Object.entries(map).map(([name, header]) => {
    const use = useOfHeader(name);
    if (use === null) throw new Error(`Cannot map ${name}: a brief has no such field`);
    return { field: fieldNameOf({ use, header: name }), header, use };
  });
  const byHeader = new Map(mapped.map(({ header, use }) => [bareName(header), use] as const));
  const taken = new Set(mapped.map(({ field }) => field));
  const useOf = (header: string): ColumnUse | null => {
    const said = byHeader.get(bareName(header));
    if (said) return said;
    const use = useOfHeader(header);
    return use !== null && taken.has(fieldNameOf({ use, header })) ? null : use;
  };
  const isName = (cell: string) => useOf(cell) !== null || qualifiedField(cell) !== null;
  return { mapped, useOf, knownIn: (cells) => cells.filter(isName).length };
}
