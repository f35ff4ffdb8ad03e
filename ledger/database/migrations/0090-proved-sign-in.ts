import { type Kysely, PostgresAdapter } from 'kysely';

/** When the person of a session last proved who they are; null where nobody said so. */
export async function up(db: Kysely<any>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  await db.schema
    .alterTable('sessions')
    .addColumn('proved_ms', postgres ? 'bigint' : 'integer')
    .execute();
}
