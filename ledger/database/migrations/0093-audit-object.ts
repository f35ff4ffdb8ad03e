import { type Kysely, sql } from 'kysely';

/** What was done to one batch, budget or person is read without the rest of the audit. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index audit_object on audit (object, seq)`.execute(db);
}
