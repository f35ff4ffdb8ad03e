import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

interface OldEntry {
  readonly entry_id: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly batch_id: string;
  readonly row_key: string | null;
  readonly attempt: number | null;
  readonly amount_minor: number;
  readonly overrun_minor: number;
  readonly currency: string;
  readonly note: string | null;
}

const pageSize = 2_000;

/** Gives the entries of an older ledger their place and hash, batch by batch in the order in which they were made. */
export async function chainEntries(db: Kysely<any>, postgres: boolean): Promise<void> {
  let [batchId, seq, previous] = ['', 0, ''];
  for (let after: readonly [string, number] = ['', 0]; ;) {
    const { rows: page } = await sql<OldEntry>`select * from entries
      where (batch_id, entry_id) > (${after[0]}, ${after[1]})
      order by batch_id, entry_id limit ${pageSize}`.execute(db);
    const links = page.map((entry) => {
      if (entry.batch_id !== batchId) [batchId, seq, previous] = [entry.batch_id, 0, ''];
      seq += 1;
      previous = hashOf(seq, entry, previous);
      return { entry_id: entry.entry_id, batch_seq: seq, hash: previous };
    });
    if (links.length > 0) await store(db, links, postgres);
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = [last.batch_id, last.entry_id];
  }
}

/** As `entryHash` was when this migration was written: a migration does not change with the code around it. */
function hashOf(seq: number, entry: OldEntry, previous: string): string {
  const { batch_id, at_ms, kind, row_key, attempt, amount_minor, overrun_minor, currency, note } = entry;
  const text = [batch_id, seq, at_ms, kind, row_key, attempt, amount_minor, overrun_minor, currency, note];
  return createHash('sha256').update(previous).update(JSON.stringify(text)).digest('hex');
}

async function store(db: Kysely<any>, links: readonly object[], postgres: boolean): Promise<void> {
  const document = JSON.stringify(links);
  const link = postgres
    ? sql`json_to_recordset(${document}::json) as link (entry_id bigint, batch_seq bigint, hash text)`
    : sql`(select value ->> 'entry_id' as entry_id, value ->> 'batch_seq' as batch_seq, value ->> 'hash' as hash
        from json_each(${document})) as link`;
  await sql`update entries set batch_seq = link.batch_seq, hash = link.hash from ${link}
    where entries.entry_id = link.entry_id`.execute(db);
}
