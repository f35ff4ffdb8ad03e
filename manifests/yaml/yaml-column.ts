import { bareName } from '../../sheets/bare-name.js';
import { type ColumnUse, fieldNameOf } from '../../sheets/column.js';
import { isReferencePastLimit, useOfHeader } from '../header/header-names.js';

/** The column of a sheet that a name would be. */
export interface YamlColumn {
  /** One for a column, however its name is spelled. */
  readonly key: string;
  /** The field's own name; one of the team's as they write it. */
  readonly header: string;
  readonly use: ColumnUse;
  /** Whether it is a reference that no movie can have. */
  readonly isPastLimit: boolean;
}

export function yamlColumn(use: ColumnUse, name: string): YamlColumn {
  if (use.kind === 'own') {
    return { key: `own ${bareName(name)}`, header: name, use, isPastLimit: isReferencePastLimit(name) };
  }
  const field = fieldNameOf({ use, header: name });
  return { key: field, header: field, use, isPastLimit: false };
}

/** Remembers what each name is for: movies have the same few. */
export function rememberedColumns(): (name: string) => YamlColumn {
  const columns = new Map<string, YamlColumn>();
  return (name) => {
    const known = columns.get(name);
    if (known) return known;
    const column = yamlColumn(useOfHeader(name) ?? { kind: 'own' }, name);
    columns.set(name, column);
    return column;
  };
}
