import { type Kysely, sql } from 'kysely';

/** The archive that a shared ledger's movies go to: a worker with another one is refused. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const column of ['archive_id', 'archive_url']) {
    await sql.raw(`alter table ledger add column ${column} text`).execute(db);
  }
}
