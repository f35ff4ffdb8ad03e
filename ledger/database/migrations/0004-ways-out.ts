import { type Kysely, sql } from 'kysely';

/** The deadline of a policy that says nothing else, when this came. */
const deadlineMs = 24 * 60 * 60 * 1_000;

/** Every movie in the making has a deadline, rows that stand still show no old alarm, and alarms are found at once. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`update rows set deadline_ms = ordered_ms + ${sql.lit(deadlineMs)}
    where state = 'running' and deadline_ms is null`.execute(db);
  await sql`update rows set alarm = null
    where alarm is not null and state in ('unknown', 'delivered', 'rejected', 'failed', 'canceled', 'lost')`.execute(
    db,
  );
  await sql`create index rows_alarm on rows (batch_id, position) where alarm is not null`.execute(db);
}
