import { type ColumnDataType, type Kysely, PostgresAdapter, sql } from 'kysely';

/** Who is signed in by a browser, and the single-use codes by which they come in. Both are kept as hashes. */
export async function up(db: Kysely<any>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const int: ColumnDataType = postgres ? 'bigint' : 'integer';
  const table = (name: string) => {
    const builder = db.schema.createTable(name);
    return postgres ? builder : builder.modifyEnd(sql`strict`);
  };
  await table('sign_in_codes')
    .addColumn('code_hash', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('alone', int, (column) => column.notNull())
    .addColumn('until_ms', int, (column) => column.notNull())
    .execute();
  await table('sessions')
    .addColumn('id_hash', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('alone', int, (column) => column.notNull())
    .addColumn('since_ms', int, (column) => column.notNull())
    .addColumn('until_ms', int, (column) => column.notNull())
    .execute();
}
