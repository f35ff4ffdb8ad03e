import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { ColumnUse } from '../column.js';
import { type Finding, findingAt, type Trouble } from '../finding.js';
import { useOfHeader } from '../header-names.js';
import { scalarText, type YamlValues } from './yaml-values.js';

/** A value of the file: its text, and where it is. Lists are joined as a sheet joins them, by `|`. */
export interface YamlText {
  readonly text: string;
  readonly node: Node;
  readonly path: string;
  /** Its parts, where it is a list. */
  readonly parts: readonly string[] | null;
  readonly partNodes: readonly Node[];
}

/** Reads values of one part of the file, and notes what they should not be. */
export interface YamlReader {
  readonly values: YamlValues;
  readonly findings: readonly Finding[];
  /** What a name is for. */
  useOf(key: string): ColumnUse;
  lineOf(node: Node | null): number;
  note(node: Node | null, path: string, trouble: Trouble): void;
  /** The entries of a map by name; each name that is there twice is noted. */
  entries(map: YAMLMap, path: string): ReturnType<YamlValues['entriesOf']>['entries'];
  /** A text, number or list of them; null (noted) for anything else. */
  text(node: Node | null, path: string): YamlText | null;
}

/** What the readers of one file have in common. */
export interface YamlFile {
  readonly values: YamlValues;
  readonly lineOf: (offset: number) => number;
  readonly useOf: (key: string) => ColumnUse;
}

/** Remembers what each name is for: movies have the same few. */
export function rememberedUses(): (key: string) => ColumnUse {
  const uses = new Map<string, ColumnUse>();
  return (key) => {
    const use = uses.get(key) ?? useOfHeader(key) ?? { kind: 'own' };
    uses.set(key, use);
    return use;
  };
}

export function createYamlReader({ values, lineOf: lineOfOffset, useOf }: YamlFile, row: number | null): YamlReader {
  const findings: Finding[] = [];
  const lineOf = (node: Node | null) => lineOfOffset(node?.range?.[0] ?? 0);

  function note(node: Node | null, path: string, trouble: Trouble, line = lineOf(node)): void {
    findings.push(findingAt({ row, line, column: null, field: path === '' ? null : path }, trouble));
  }

  function partsOf(items: readonly unknown[], path: string): readonly string[] | null {
    const parts: string[] = [];
    for (const item of items) {
      const found = values.follow(item as Node | null); // composed from a text, items are nodes
      if (!isScalar(found)) {
        note(item as Node | null, path, kindTrouble('a list here has texts and numbers alone'));
        return null;
      }
      parts.push(scalarText(found));
    }
    return parts;
  }

  return {
    values,
    findings,
    useOf,
    lineOf,
    note,
    entries(map, path) {
      const { entries, twice } = values.entriesOf(map);
      for (const { key, keyOffset, value } of twice) {
        const message = `"${key}" is there twice; leave one out`;
        note(value, `${path}${key}`, { severity: 'error', code: 'duplicate_key', message }, lineOfOffset(keyOffset));
      }
      return entries;
    },
    text(node, path) {
      const found = values.follow(node);
      const at = { node: node ?? found, path };
      if (at.node === null || found === null) {
        if (node !== null)
          note(node, path, { severity: 'error', code: 'bad_alias', message: 'its alias stands for nothing' });
        return null;
      }
      if (isScalar(found)) return { ...at, node: at.node, text: scalarText(found), parts: null, partNodes: [] };
      const parts = isSeq(found) ? partsOf(found.items, path) : null;
      if (isMap(found)) note(node, path, kindTrouble('it is a map; a text, a number or a list would do'));
      const partNodes = isSeq(found) ? (found.items as Node[]) : []; // scalars all, where there are parts
      return parts && { ...at, node: at.node, text: parts.join('|'), parts, partNodes };
    },
  };
}

function kindTrouble(message: string): Trouble {
  return { severity: 'error', code: 'value_kind', message };
}
