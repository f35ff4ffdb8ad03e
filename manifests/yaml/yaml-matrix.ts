import type { AspectRatio } from '../../domain/brief.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import { readRatioList } from '../fields/ratio-list.js';
import { slugOf } from '../rows/row-key.js';
import type { MatrixAxis, TextFix } from '../tables/table.js';
import { fixesOfValue } from './fix-value.js';
import type { YamlColumn } from './yaml-column.js';
import type { YamlReader, YamlText } from './yaml-reader.js';

export interface YamlMatrix {
  readonly ratios: readonly AspectRatio[] | null;
  /** Sorted by name, the order in which ids are built. */
  readonly axes: readonly (Omit<MatrixAxis, 'column'> & { readonly column: YamlColumn })[];
  readonly fixes: readonly TextFix[];
  /** Keys of the columns that it fills. */
  readonly keys: ReadonlySet<string>;
}

/** Reads the axes of a matrix and their values. */
export function readMatrix(written: ReadonlyMap<string, YamlText>, reader: YamlReader): YamlMatrix {
  let ratios: readonly AspectRatio[] | null = null;
  const axes: YamlMatrix['axes'][number][] = [];
  const fixes: TextFix[] = [];
  const keys = new Set<string>();
  for (const [name, text] of written) {
    const column = reader.columnOf(name);
    const { key } = column;
    if (keys.has(key)) reader.note(text.node, text.path, error('duplicate_field', `${key} appears twice`));
    keys.add(key);
    const values = text.parts ?? [text.text];
    if (key === 'aspect_ratio') {
      const list = readRatioList(values);
      for (const trouble of list.troubles) reader.note(text.node, text.path, trouble);
      if (list.ratios.length > 0) ratios = list.ratios;
      if (list.repaired) fixes.push(...fixesOfValue(text, list.repaired.join('|')));
    } else if (key === 'id') {
      reader.note(text.node, text.path, error('matrix', 'ids are made by the matrix; it cannot have them as values'));
    } else if (isUsable(values, text, reader)) axes.push({ name, column, values });
  }
  axes.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { ratios, axes, fixes, keys };
}

/** Each value must be distinct from the others in an id. */
function isUsable(values: readonly string[], text: YamlText, reader: YamlReader): boolean {
  const slugs = new Set<string>();
  for (const value of values) {
    const slug = slugOf(value);
    if (slug === '' && values.length > 1) {
      reader.note(
        text.node,
        text.path,
        error('matrix', `"${value}" leaves nothing for an id; use letters a-z and digits`),
      );
      return false;
    }
    if (slugs.has(slug)) reader.note(text.node, text.path, twice(value));
    slugs.add(slug);
  }
  return slugs.size === values.length;
}

function twice(value: string): Trouble {
  return error('matrix', `"${value}" appears twice once it is part of an id; use each value once`);
}

function error(code: string, message: string): Trouble {
  return { severity: 'error', code, message };
}
