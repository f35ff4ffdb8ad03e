import { type Document, isMap, isScalar, type Node, visit } from 'yaml';
import { type Column, type ColumnUse, fieldNameOf, type PlainField, plainFields } from '../../sheets/column.js';
import { type Finding, findingAt, type Trouble, wholeFile } from '../../sheets/findings/finding.js';
import { fileError } from '../../sheets/findings/manifest-error.js';
import type { ManifestSource } from '../../sheets/sheet-source.js';
import { decodeText } from '../../sheets/text/decode-text.js';
import { encodingFindings } from '../../sheets/text/encoding-findings.js';
import { anyDamageSign, detectEncoding, type TextEncoding } from '../../sheets/text/encoding.js';
import { excerptOf } from '../../sheets/text/excerpt.js';
import { headerTrouble, missingFields, understoodFields } from '../header/header-findings.js';
import type { HeaderNames } from '../header/header-map.js';
import { lackingFields } from '../header/read-header.js';
import { maxBriefs } from '../rows/expand-row.js';
import type { RawRow, Table, TextOptions, TreeFormat } from '../tables/table.js';
import { fixesOfValue } from './fix-value.js';
import { parseJsonLines } from './json-lines.js';
import { oddBlankFindings } from './odd-blanks.js';
import { parseYaml } from './parse-yaml.js';
import { type YamlColumn, type YamlColumns, yamlColumn, yamlColumns } from './yaml-column.js';
import { isFlat, readHead, type YamlHead } from './yaml-head.js';
import { maxBytes, maxColumns, pageMovies, sizeFindings, tooManyColumns } from './yaml-limits.js';
import { readMatrix, type YamlMatrix } from './yaml-matrix.js';
import { readMovie, type YamlMovie } from './yaml-movie.js';
import { type YamlFile, YamlReader, type YamlText } from './yaml-reader.js';
import { yamlValues } from './yaml-values.js';

interface TreeOptions extends TextOptions {
  readonly format: TreeFormat;
}

/** Opens a manifest in YAML or in JSON, a subset of it; its movies become the rows of a sheet. */
export async function openYaml(source: ManifestSource, { asked, names, format }: TreeOptions): Promise<Table> {
  const encoding = await detectEncoding(source.open(), asked);
  const text = await wholeText(source, encoding);
  const { document, findings: faults, lineOf } = format === 'jsonl' ? parseJsonLines(text) : parseYaml(text);
  const about = encodingFindings(encoding);
  if (!document) return tableOf({ format, encoding, findings: [...about, ...instead(oddBlankFindings(text), faults)] });
  const understood = yamlColumns(namesIn(document), names);
  const file: YamlFile = { text, values: yamlValues(document), lineOf, columnOf: understood.columnOf };
  const reader = new YamlReader(file, null);
  const head = readHead(document, reader);
  const matrix = readMatrix(head.matrix, reader);
  noteInMatrix(head.defaults, matrix, reader);
  if (head.movies.length > maxBriefs)
    return tableOf({ format, encoding, findings: [...about, tooMany(head.movies.length)] });
  const movies = head.movies.map((node, index) => readRow(node, index + 1, file, matrix));
  if (movies.length === 0) {
    const odd = oddBlankFindings(text);
    if (odd.length > 0) return tableOf({ format, encoding, findings: [...about, ...odd] });
  }
  const columns = columnsOf(movies, head, matrix);
  if (columns.length > maxColumns)
    return tableOf({ format, encoding, findings: [...about, tooManyColumns(columns.length)] });
  const size = sizeFindings(head.movies.length);
  return tableOf({
    format,
    encoding,
    columns,
    findings: [...about, ...size, ...headFindings(columns, understood, names, movies), ...reader.findings],
    head,
    matrix,
    rows: () => pagesOf(movies, { columns, defaults: head.defaults, text, lineOf }),
  });
}

async function wholeText(source: ManifestSource, encoding: TextEncoding): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of decodeText(source.open(), encoding)) {
    length += piece.length;
    if (length > maxBytes)
      throw fileError('too_large', `it has more than ${maxBytes} bytes; use CSV for this many movies`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Reports the cause instead of the faults that follow from it. */
function instead(causes: readonly Finding[], faults: readonly Finding[]): readonly Finding[] {
  const isBeside = causes.some((cause) => faults.some(({ line }) => Math.abs((line ?? 0) - (cause.line ?? 0)) < 2));
  return isBeside ? causes : faults;
}

interface TableParts {
  readonly format: TreeFormat;
  readonly encoding: TextEncoding;
  readonly columns?: readonly Column[];
  readonly findings: readonly Finding[];
  readonly head?: YamlHead;
  readonly matrix?: YamlMatrix;
  readonly rows?: Table['rows'];
}

function tableOf({ format, encoding, columns = [], findings, head, matrix, rows = nothing }: TableParts): Table {
  const axes =
    matrix?.axes.map(({ column, name, values }) => ({ column: indexOf(columns, column.key), name, values })) ?? [];
  return {
    format,
    textEncoding: encoding,
    delimiter: null,
    columns,
    widest: columns.length,
    narrowest: columns.length,
    findings,
    isResults: false,
    damageSigns: anyDamageSign,
    campaign: head?.campaign ?? null,
    settings: head?.settings ?? {},
    ratios: matrix?.ratios ?? null,
    matrix: axes,
    fixes: matrix?.fixes ?? [],
    rows,
  };
}

interface YamlRow extends YamlMovie {
  /** Whether it is a movie at all. */
  readonly readable: boolean;
  readonly row: number;
  readonly line: number;
  readonly findings: readonly Finding[];
}

function readRow(node: Node | null, row: number, file: YamlFile, matrix: YamlMatrix): YamlRow {
  const reader = new YamlReader(file, row);
  const line = reader.lineOf(node);
  const about = { row, line, findings: reader.findings };
  const nothingRead = { ...about, readable: false, cells: noCells, saysReferences: false };
  if (!isFlat(node, '', reader)) return nothingRead;
  const map = file.values.follow(node);
  if (!isMap(map)) {
    reader.note(node, '', error('value_kind', 'not a movie; a movie has "id: …" and "prompt: …"'));
    return nothingRead;
  }
  const movie = readMovie(map, reader, '');
  noteInMatrix(movie, matrix, reader);
  return { row, line, findings: reader.findings, ...movie, readable: true };
}

const noCells: YamlMovie['cells'] = new Map();

function noteInMatrix({ cells }: YamlMovie, { keys }: YamlMatrix, reader: YamlReader): void {
  if (keys.size === 0) return;
  for (const { column, value } of cells.values()) {
    if (keys.has(column.key)) reader.note(value.node, value.path, inMatrix(column));
  }
}

/** Fields in the order of the template, then the team's own as they come. */
function columnsOf(movies: readonly YamlMovie[], { defaults }: YamlHead, matrix: YamlMatrix): readonly Column[] {
  const columns = new Map<string, YamlColumn>();
  const add = (column: YamlColumn) => {
    if (!columns.has(column.key)) columns.set(column.key, column);
  };
  for (const { cells } of [...movies, defaults]) {
    for (const { column } of cells.values()) add(column);
  }
  if (matrix.ratios) add(fieldColumn('aspect_ratio'));
  for (const { column } of matrix.axes) add(column);
  return [...columns.values()]
    .sort((a, b) => placeOfUse(a.use) - placeOfUse(b.use))
    .map(({ header, use }, index) => ({ index, header, use, letter: null }));
}

function fieldColumn(field: PlainField): YamlColumn {
  return yamlColumn({ kind: 'field', field }, field);
}

function placeOfUse(use: ColumnUse): number {
  if (use.kind === 'field') return plainFields.indexOf(use.field);
  if (use.kind === 'own') return Number.MAX_SAFE_INTEGER;
  return 100 + use.number * 10 + ['source', 'role', 'description'].indexOf(use.part);
}

function indexOf(columns: readonly Column[], key: string): number {
  return columns.findIndex(({ use, header }) => yamlColumn(use, header).key === key);
}

/** Findings about the names of values, once each, and about fields that no movie has. */
function headFindings(
  columns: readonly Column[],
  understood: YamlColumns,
  names: HeaderNames,
  movies: readonly YamlRow[],
): readonly Finding[] {
  const lacking = lackingFields(columns, understood);
  const found = columns.flatMap((column) => {
    const trouble = headerTrouble(column, undefined, lacking);
    return trouble?.severity === 'warning' ? [{ field: fieldNameOf(column), trouble }] : [];
  });
  const longer = understoodFields(columns, understood).map(({ column, trouble }) => ({
    field: fieldNameOf(column),
    trouble,
  }));
  // Nothing is missing where no movie could be read.
  const missing = movies.some(({ readable }) => readable) ? missingFields(columns, understood, names) : [];
  return [...found, ...longer, ...missing].map(({ field, trouble }) => findingAt({ ...wholeFile, field }, trouble));
}

/** Every name of a value, wherever it occurs. */
function namesIn(document: Document): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key)) names.add(String(key.source ?? key.value));
    },
  });
  return [...names];
}

interface RowsOf {
  readonly columns: readonly Column[];
  readonly defaults: YamlMovie;
  readonly text: string;
  readonly lineOf: (offset: number) => number;
}

async function* pagesOf(
  movies: readonly YamlRow[],
  { columns, defaults, text, lineOf }: RowsOf,
): AsyncGenerator<readonly RawRow[], void, undefined> {
  const keys = columns.map(({ use, header }) => ({
    key: yamlColumn(use, header).key,
    isReference: use.kind === 'reference',
  }));
  for (let from = 0; from < movies.length; from += pageMovies) {
    yield movies.slice(from, from + pageMovies).map((movie) => rowOf(movie));
  }

  function rowOf({ row, line, readable, cells, saysReferences, findings }: YamlRow): RawRow {
    const own = keys.map(({ key, isReference }): YamlText | null => {
      const value = cells.get(key)?.value;
      if (value && value.text !== '') return value;
      return (isReference && saysReferences ? undefined : defaults.cells.get(key)?.value) ?? value ?? null;
    });
    return {
      row,
      line,
      cells: readable ? own.map((value) => value?.text ?? '') : null,
      troubles: findings,
      placeOf(index) {
        const value = own[index];
        if (!value) return null;
        return { line: lineOf(value.node.range?.[0] ?? 0), path: value.path };
      },
      excerptOf(index) {
        const [from, to] = own[index]?.node.range ?? [0, 0];
        return own[index] ? excerptOf(text, { from, to, line: lineOf(from) }) : null;
      },
      fixesOf(index, text) {
        const value = own[index];
        return value ? fixesOfValue(value, text) : [];
      },
    };
  }
}

function tooMany(count: number): Finding {
  const message = `it has ${count} movies, and a batch takes ${maxBriefs}; split it into several CSV files`;
  return findingAt(wholeFile, error('too_many_movies', message));
}

function inMatrix({ header }: YamlColumn): Trouble {
  return error('matrix', `${header} is in the matrix, which gives it to every movie; leave it out in one place`);
}

function error(code: string, message: string): Trouble {
  return { severity: 'error', code, message };
}

async function* nothing(): AsyncGenerator<readonly RawRow[], void, undefined> {}
