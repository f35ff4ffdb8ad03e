import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { limits } from '../../domain/interface-limits.js';
import { bareName } from '../../sheets/bare-name.js';
import type { ColumnUse, ReferencePart } from '../../sheets/column.js';
import type { Trouble } from '../../sheets/findings/finding.js';
import { type YamlColumn, yamlColumn } from './yaml-column.js';
import type { YamlReader, YamlText } from './yaml-reader.js';

/** A value of a movie in the column where a sheet would have it. */
export interface YamlCell {
  readonly column: YamlColumn;
  /** The column's name as the movie spells it. */
  readonly name: string;
  readonly value: YamlText;
}

export interface YamlMovie {
  /** By the keys of their columns. */
  readonly cells: ReadonlyMap<string, YamlCell>;
  /** Whether it states its references, even if there are none. */
  readonly saysReferences: boolean;
}

/** A movie, or the defaults of all, as the cells of a row. `path` prefixes the names in findings. */
export function readMovie(map: YAMLMap, reader: YamlReader, path: string): YamlMovie {
  const cells = new Map<string, YamlCell>();
  let saysReferences = false;
  const put = (name: string, column: YamlColumn, value: YamlText | null) => {
    if (value === null) return;
    const before = cells.get(column.key);
    if (before) reader.note(value.node, value.path, bothAre(before.name, name, column));
    else cells.set(column.key, { column, name, value });
  };
  for (const { key, value } of reader.entries(map, path)) {
    const at = `${path}${key}`;
    if (referenceLists.has(key.toLowerCase())) {
      saysReferences = true;
      readReferences(value, reader, at, put);
      continue;
    }
    const column = reader.columnOf(key);
    const { use, isPastLimit } = column;
    if (isPastLimit) reader.note(value, at, tooManyReferences);
    saysReferences ||= use.kind === 'reference';
    reader.noteCut(value, at, use);
    const text = reader.text(value, at);
    if (text?.parts && use.kind !== 'own' && !isRatio(use)) reader.note(value, at, noList);
    else put(key, column, text);
  }
  return { cells, saysReferences };
}

type Put = (name: string, column: YamlColumn, value: YamlText | null) => void;

const referenceLists: ReadonlySet<string> = new Set(['references', 'refs', 'images']);

function readReferences(node: Node | null, reader: YamlReader, path: string, put: Put): void {
  const list = reader.values.follow(node);
  if (list === null || (isScalar(list) && list.value === null)) return;
  const items = isSeq(list) ? (list.items as (Node | null)[]) : [list]; // composed from a text, items are nodes
  if (items.length > limits.referencesMax) reader.note(node, path, tooManyReferences);
  for (const [index, item] of items.slice(0, limits.referencesMax).entries()) {
    const at = isSeq(list) ? `${path}[${index}]` : path;
    const found = reader.values.follow(item);
    if (isMap(found)) readReference(found, { reader, path: at, number: index + 1, put });
    else {
      const column = partColumn(index + 1, 'source');
      reader.noteCut(item, at, column.use);
      put(at, column, reader.text(item, at));
    }
  }
}

const partNames: ReadonlyMap<string, ReferencePart> = new Map([
  ['file', 'source'],
  ['path', 'source'],
  ['url', 'source'],
  ['id', 'source'],
  ['referenceid', 'source'],
  ['role', 'role'],
  ['description', 'description'],
]);

interface ReferenceAt {
  readonly reader: YamlReader;
  readonly path: string;
  readonly number: number;
  readonly put: Put;
}

function readReference(map: YAMLMap, { reader, path, number, put }: ReferenceAt): void {
  for (const { key, value } of reader.entries(map, `${path}.`)) {
    const part = partNames.get(bareName(key));
    const at = `${path}.${key}`;
    if (part) {
      const column = partColumn(number, part);
      reader.noteCut(value, at, column.use);
      put(at, column, reader.text(value, at));
    } else
      reader.note(
        value,
        at,
        error('unknown_key', `"${key}" is unknown; a reference has file, url or id, role, description`),
      );
  }
}

function partColumn(number: number, part: ReferencePart): YamlColumn {
  return yamlColumn({ kind: 'reference', number, part }, '');
}

function isRatio(use: ColumnUse): boolean {
  return use.kind === 'field' && use.field === 'aspect_ratio';
}

function bothAre(first: string, second: string, { header }: YamlColumn): Trouble {
  return error('duplicate_field', `${header} appears twice, as "${first}" and as "${second}"; leave one out`);
}

const noList = error('value_kind', 'a list where one text or number is expected');
const tooManyReferences = error('too_many_references', `a movie takes at most ${limits.referencesMax} references`);

function error(code: string, message: string): Trouble {
  return { severity: 'error', code, message };
}
