import { type ColumnDataType, type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Who changed which rule, when a token ends, the tries with a token that nobody has, and rows by their content. The history of the rules is
 * read from the audit, which has recorded each change since the first version.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const int: ColumnDataType = postgres ? 'bigint' : 'integer';
  const table = (name: string) => {
    const builder = db.schema.createTable(name);
    return postgres ? builder : builder.modifyEnd(sql`strict`);
  };
  await db.schema.alterTable('people').addColumn('token_expires_ms', int).execute();
  await table('policy_changes')
    .addColumn('version', int, (column) => column.primaryKey())
    .addColumn('at_ms', int, (column) => column.notNull())
    .addColumn('by_name', 'text', (column) => column.notNull())
    .addColumn('before', 'text', (column) => column.notNull())
    .addColumn('after', 'text', (column) => column.notNull())
    .execute();
  await table('refused_tokens')
    .addColumn('owner', 'text', (column) => column.primaryKey())
    .addColumn('recorded_ms', int, (column) => column.notNull())
    .addColumn('unrecorded', int, (column) => column.notNull())
    .execute();
  // Plans look for the content of their rows in those of others; rows that are not ordered do not count.
  await sql`create index rows_content on rows (content_digest) where ordered = 1`.execute(db);
  const changes = await db.selectFrom('audit').selectAll().where('act', '=', 'policy').orderBy('seq').execute();
  for (const [index, { at_ms, actor, detail }] of changes.entries()) {
    const { before, after } = JSON.parse(detail) as { readonly before: unknown; readonly after: unknown };
    const change = { version: index + 2, at_ms, by_name: actor };
    await db
      .insertInto('policy_changes')
      .values({ ...change, before: JSON.stringify(before), after: JSON.stringify(after) })
      .execute();
  }
}
