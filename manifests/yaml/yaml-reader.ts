import { isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import type { ColumnUse } from '../../sheets/column.js';
import { type Finding, findingAt, type Trouble } from '../../sheets/findings/finding.js';
import { excerptOf } from '../../sheets/text/excerpt.js';
import { cutTexts } from './cut-text.js';
import type { YamlColumn } from './yaml-column.js';
import { type Entries, scalarText, type YamlValues } from './yaml-values.js';

/** A value of the file: its text, and where it is. Lists are joined with `|`, as in a sheet. */
export interface YamlText {
  readonly text: string;
  readonly node: Node;
  readonly path: string;
  /** Its parts, if it is a list. */
  readonly parts: readonly string[] | null;
  readonly partNodes: readonly Node[];
}

/** What the readers of one file share. */
export interface YamlFile {
  /** The whole text. */
  readonly text: string;
  readonly values: YamlValues;
  readonly lineOf: (offset: number) => number;
  /** What a name is for. */
  readonly columnOf: (name: string) => YamlColumn;
}

/** Reads values of one part of the file, and notes what is wrong with them. A class, since each movie has its own. */
export class YamlReader {
  readonly values: YamlValues;
  readonly columnOf: YamlFile['columnOf'];
  readonly findings: Finding[] = [];
  readonly #lineOf: YamlFile['lineOf'];
  readonly #text: string;
  readonly #row: number | null;

  constructor({ values, lineOf, columnOf, text }: YamlFile, row: number | null) {
    this.#text = text;
    this.values = values;
    this.columnOf = columnOf;
    this.#lineOf = lineOf;
    this.#row = row;
  }

  lineOf(node: Node | null): number {
    return this.#lineOf(node?.range?.[0] ?? 0);
  }

  note(node: Node | null, path: string, trouble: Trouble, line = this.lineOf(node)): void {
    const place = { row: this.#row, line, column: null, field: path === '' ? null : path };
    this.findings.push(findingAt(place, trouble));
  }

  /** Notes what a comment cuts off a value, if it was hardly meant as one. */
  noteCut(node: Node | null, path: string, use: ColumnUse): void {
    for (const { trouble, from, to } of cutTexts(node, this.#text, use)) {
      const line = this.#lineOf(from);
      this.note(node, path, { ...trouble, excerpt: excerptOf(this.#text, { from, to, line }) }, line);
    }
  }

  /** The entries of a map by name; notes each duplicate name. */
  entries(map: YAMLMap, path: string): Entries['entries'] {
    const { entries, duplicates } = this.values.entriesOf(map);
    for (const { key, keyOffset, value } of duplicates) {
      const trouble = error('duplicate_key', `"${key}" appears twice; leave one out`);
      this.note(value, `${path}${key}`, trouble, this.#lineOf(keyOffset));
    }
    return entries;
  }

  /** A text, number or list of them; null (noted) for anything else. */
  text(node: Node | null, path: string): YamlText | null {
    const found = this.values.follow(node);
    if (node === null) return null;
    if (found === null) {
      this.note(node, path, error('bad_alias', 'its alias refers to nothing'));
      return null;
    }
    if (isScalar(found)) return { text: scalarText(found), node, path, parts: null, partNodes: none };
    if (isSeq(found)) return this.#list(found, node, path);
    this.note(node, path, error('value_kind', 'a map where a text, a number or a list is expected'));
    return null;
  }

  #list({ items }: YAMLSeq, node: Node, path: string): YamlText | null {
    const partNodes = items as Node[]; // composed from a text, items are nodes
    const parts: string[] = [];
    for (const item of partNodes) {
      const found = this.values.follow(item);
      if (!isScalar(found)) {
        this.note(item, path, error('value_kind', 'a list here may contain only texts and numbers'));
        return null;
      }
      parts.push(scalarText(found));
    }
    return { text: parts.join('|'), node, path, parts, partNodes };
  }
}

const none: readonly Node[] = [];

function error(code: string, message: string): Trouble {
  return { severity: 'error', code, message };
}
