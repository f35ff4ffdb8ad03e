import { CompiledQuery } from 'kysely';
import type { Tx } from '../ledger.js';
import { type ColumnKind, onPostgres, postgresTypes } from './postgres.js';
import type { Tables } from './tables.js';

/** Well within the parameters that SQLite takes in a statement; more rows at once are no faster. */
const rowsAtOnce = 500;

type Value = string | number | null;

/** A column of many rows: its name, and the one value that all rows have, or its kind and its value for each row. */
export type ColumnOf<Row> = readonly [name: string, same: Value] | OwnColumn<Row>;
type OwnColumn<Row> = readonly [name: string, kind: ColumnKind, value: (row: Row, index: number) => Value];

/**
 * Inserts rows of one shape by as few statements as there can be. The text is written here: building it as a query of
 * thousands of nodes takes longer than the database needs for the rows. SQLite takes the values one by one, PostgreSQL
 * as one JSON document, each twice as fast as by the other's way; what all rows share is part of the text.
 */
export async function insertMany<Row>(
  tx: Tx,
  table: keyof Tables & string,
  { rows, columns }: { readonly rows: readonly Row[]; readonly columns: readonly ColumnOf<Row>[] },
): Promise<void> {
  await insertEach(tx, table, { rows, columns, returning: '' });
}

/** The same, and answers what the database made of each row, in no certain order. */
export async function insertReturning<Row, Made>(
  tx: Tx,
  table: keyof Tables & string,
  insert: { readonly rows: readonly Row[]; readonly columns: readonly ColumnOf<Row>[]; readonly returning: string },
): Promise<readonly Made[]> {
  return (await insertEach(tx, table, insert)) as readonly Made[]; // the columns that the caller names
}

async function insertEach<Row>(
  tx: Tx,
  table: keyof Tables & string,
  {
    rows,
    columns,
    returning,
  }: { readonly rows: readonly Row[]; readonly columns: readonly ColumnOf<Row>[]; readonly returning: string },
): Promise<readonly unknown[]> {
  const own = columns.flatMap((column) => (column.length === 3 ? [column] : []));
  const into = `insert into ${table} (${columns.map(([name]) => name)})`;
  const end = returning === '' ? '' : ` returning ${returning}`;
  const made: unknown[] = [];
  for (let from = 0; from < rows.length;) {
    const some = rows.slice(from, from + countAtOnce(rows.length - from, onPostgres(tx)));
    const query = onPostgres(tx)
      ? CompiledQuery.raw(`${into} ${selectFromJson(columns)}${end}`, [documentOf(some, own, from)])
      : CompiledQuery.raw(`${into} values ${tuples(columns, some.length)}${end}`, parametersOf(some, own, from));
    made.push(...(await tx.executeQuery(query)).rows);
    from += some.length;
  }
  return made;
}

/** A text of SQLite has a place for each value: those of few lengths are prepared once, and used again. */
function countAtOnce(left: number, postgres: boolean): number {
  return left >= rowsAtOnce || postgres ? Math.min(left, rowsAtOnce) : 2 ** Math.floor(Math.log2(left));
}

function parametersOf<Row>(rows: readonly Row[], own: readonly OwnColumn<Row>[], from: number): Value[] {
  const parameters: Value[] = [];
  for (const [index, row] of rows.entries()) {
    for (const [, , value] of own) parameters.push(value(row, from + index));
  }
  return parameters;
}

function documentOf<Row>(rows: readonly Row[], own: readonly OwnColumn<Row>[], from: number): string {
  const members = own.map(([name, , value], place) => ({ before: `${place === 0 ? '{' : ','}"${name}":`, value }));
  let records = '';
  for (const [index, row] of rows.entries()) {
    records += index === 0 ? '' : ',';
    for (const { before, value } of members) records += before + JSON.stringify(value(row, from + index));
    records += '}';
  }
  return `[${records}]`;
}

function tuples(columns: readonly ColumnOf<never>[], rows: number): string {
  const tuple = columns.map((column) => (column.length === 3 ? '?' : literal(column[1])));
  return Array(rows).fill(`(${tuple})`).join(',');
}

function selectFromJson(columns: readonly ColumnOf<never>[]): string {
  const selected = columns.map((column) => (column.length === 3 ? `own.${column[0]}` : literal(column[1])));
  const own = columns.flatMap((column) => (column.length === 3 ? [`${column[0]} ${postgresTypes[column[1]]}`] : []));
  return `select ${selected} from json_to_recordset($1::json) as own (${own})`;
}

function literal(value: Value): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
