import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import { withDocument } from './json-records.js';
import { type ColumnKind, onPostgres } from './postgres.js';
import type { Tables } from './tables.js';

type Value = string | number | null;
type Text = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** Stands for a value while the text of a query is built. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that every movie passes through. Building its text costs more than running it, so that is done once for each
 * dialect: `build` sees a place for each value of `Values`, and may pass it wherever a query takes a value.
 *
 * @returns runs the query with values in those places.
 */
export function prepared<Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => { compile(): CompiledQuery<Row> },
): (db: Kysely<Tables>, values: Values) => Promise<readonly Row[]> {
  const texts = new Map<boolean, Text>();
  return async (db, values) => {
    const postgres = onPostgres(db);
    const text = texts.get(postgres) ?? build(db, places<Values>()).compile();
    texts.set(postgres, text);
    const parameters = text.parameters.map((value) => (value instanceof Place ? filled(values, value) : value));
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text.sql, parameters) as CompiledQuery<Row>); // built above
    return rows;
  };
}

/**
 * A query over many records at once, prepared as any other; its text comes after `with own as (…)`, a record a row, and
 * a query of one record has the same text.
 *
 * @returns runs it with the records and the values in those places.
 */
export function preparedForMany<Record extends object, Values extends object, Row>(
  columns: Readonly<{ readonly [Name in keyof Record & string]: ColumnKind }>,
  build: (db: Kysely<Tables>, values: Values) => RawBuilder<Row>,
): (db: Kysely<Tables>, records: readonly Record[], values: Values) => Promise<readonly Row[]> {
  const run = prepared<Values & { readonly ownRecords: string }, Row>((db, values) => {
    const query = sql<Row>`${withDocument(db, values.ownRecords, columns)} ${build(db, values)}`;
    return { compile: () => query.compile(db) };
  });
  return (db, records, values) => run(db, { ...values, ownRecords: documentOf(records) });
}

/** Half a character, as in a text that was cut, is kept as a lost one: PostgreSQL refuses a document that has it. */
function documentOf(records: readonly object[]): string {
  const document = JSON.stringify(records);
  if (!document.includes('\\ud')) return document; // so it writes halves, and nothing else but a text's own backslash
  return JSON.stringify(records, (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\uFFFD') : value,
  );
}

function filled(values: object, { name }: Place): Value {
  return (values as Readonly<Record<string, Value>>)[name] ?? null;
}

function places<Values extends object>(): Values {
  return new Proxy({}, { get: (_, name) => new Place(String(name)) }) as Values; // only passed on, never looked into
}
