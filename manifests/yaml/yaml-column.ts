import { bareName } from '../../sheets/bare-name.js';
import { type ColumnUse, fieldNameOf } from '../../sheets/column.js';
import type { HeaderNames } from '../header/header-map.js';
import { isReferencePastLimit } from '../header/header-names.js';
import { type HeaderUses, headerUses } from '../header/header-uses.js';

/** The column of a sheet that a name stands for. */
export interface YamlColumn {
  /** The same for a column, however its name is spelled. */
  readonly key: string;
  /** The field's own name; for a custom column as the team writes it. */
  readonly header: string;
  readonly use: ColumnUse;
  /** Whether it is a reference beyond what a movie can have. */
  readonly isPastLimit: boolean;
}

export function yamlColumn(use: ColumnUse, name: string): YamlColumn {
  if (use.kind === 'own') {
    return { key: `own ${bareName(name)}`, header: name, use, isPastLimit: isReferencePastLimit(name) };
  }
  const field = fieldNameOf({ use, header: name });
  return { key: field, header: field, use, isPastLimit: false };
}

export interface YamlColumns extends HeaderUses {
  columnOf(name: string): YamlColumn;
}

/** What each name in a file is for. Movies share the same few. */
export function yamlColumns(fileNames: readonly string[], names: HeaderNames): YamlColumns {
  const found = headerUses(fileNames, names);
  const columns = new Map(
    fileNames.map((name, index) => [name, yamlColumn(found.uses[index] ?? { kind: 'own' }, name)] as const),
  );
  return { ...found, columnOf: (name) => columns.get(name) ?? yamlColumn(names.useOf(name) ?? { kind: 'own' }, name) };
}
