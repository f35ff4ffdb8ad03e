import { sql } from 'kysely';
import { listBatches } from '../../ledger/batches/batches.js';
import { listRows } from '../../ledger/batches/rows.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { line, table } from '../report.js';
import { sheet, submit } from './batch.js';
import { benchOneRow, timed } from './ledger.js';

/** Batches that are copied in one statement. */
const copiesTogether = 250;
const tables = ['lineages', 'batches', 'decisions', 'slices', 'rows', 'orders', 'sends', 'entries', 'files'] as const;

/**
 * One row's way through a new ledger on PostgreSQL, and through the same after it got millions of delivered rows, which
 * are copies of one batch. Then what it takes to delete the files of 20,000 rows from it, and to drop a partition that
 * holds the same.
 */
export async function benchLarge({ rows }: { readonly rows: number }): Promise<void> {
  const url = process.env.GREENLIGHT_TEST_POSTGRES_URL;
  if (!url) return line('There is no PostgreSQL');
  const ledger = await openLedger({ url, migrate: true });
  try {
    line('a new ledger');
    const batchId = await benchOneRow(ledger, 'few');
    const { count } = await ledger.db
      .selectFrom('rows')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('batch_id', '=', batchId)
      .executeTakeFirstOrThrow();
    const copies = Math.ceil(rows / count);
    for (const name of tables) await copy(ledger, { name, batchId, copies });
    await sql`analyze`.execute(ledger.db);
    await sizes(ledger, rows);
    line(`${copies * count} rows`);
    await benchOneRow(ledger, 'more');
    await timed('the same sheet again', () => submit(ledger, 'more', sheet('more', count)));
    await timed('the newest batches', () => listBatches(ledger, { limit: 20 }));
    await timed('a page of rows', () => listRows(ledger, `${batchId}-${copies}`, { limit: 100 }));
    await deletion(ledger, `${batchId}-1%`, 20_000 / count);
  } finally {
    await ledger.close();
  }
}

/** Faster by far without the indexes of the table, which are made again at its end. */
async function copy(
  { db }: Ledger,
  { name, batchId, copies }: { readonly name: string; readonly batchId: string; readonly copies: number },
): Promise<void> {
  const startedMs = performance.now();
  const columns = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${name}
      and not (column_name in ('entry_id', 'send_id'))`.execute(db);
  const indexes = await sql<{ name: string; made: string }>`
    select indexname as name, indexdef as made from pg_indexes
    where schemaname = current_schema() and tablename = ${name}
      and indexname not in (select conname from pg_constraint)`.execute(db);
  for (const index of indexes.rows) await sql`drop index ${sql.id(index.name)}`.execute(db);
  const names = columns.rows.map((column) => column.name);
  const where =
    name === 'lineages'
      ? sql`t.lineage_no = (select lineage_no from batches where batch_id = ${batchId})`
      : sql`t.batch_id = ${batchId}`;
  for (let from = 1; from <= copies; from += copiesTogether) {
    const to = Math.min(copies, from + copiesTogether - 1);
    await sql`
      insert into ${sql.table(name)} (${sql.join(names.map((column) => sql.id(column)))})
      select ${sql.join(names.map(copied))}
      from ${sql.table(name)} t cross join generate_series(${sql.lit(from)}, ${sql.lit(to)}) g where ${where}`.execute(
      db,
    );
  }
  for (const index of indexes.rows) await sql.raw(index.made).execute(db);
  if (name === 'lineages')
    await sql`select setval(pg_get_serial_sequence('lineages', 'lineage_no'), max(lineage_no)) from lineages`.execute(
      db,
    );
  line(`${name.padEnd(40)} copied in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
}

function copied(column: string) {
  const own = sql.ref(`t.${column}`);
  if (column === 'lineage_no') return sql`${own} + g`;
  if (['batch_id', 'campaign', 'movie_id', 'idempotency_key'].includes(column)) return sql`${own} || '-' || g`;
  if (column === 'content_digest') return sql`md5(${own} || g) || md5(g || ${own})`;
  return own;
}

async function sizes({ db }: Ledger, rows: number): Promise<void> {
  const found = await sql<{ name: string; heap: string; all: string }>`
    select relname as name, pg_table_size(oid) as heap, pg_total_relation_size(oid) as all from pg_class
    where relkind = 'r' and relname in (${sql.join([...tables])}) order by 3 desc`.execute(db);
  const shown = found.rows.map((one) => [
    one.name,
    `${Math.round(Number(one.heap) / 1e6)} MB`,
    `${Math.round(Number(one.all) / 1e6)} MB`,
    `${Math.round(Number(one.all) / rows)} B`,
  ]);
  table(['table', 'lines', 'with indexes', 'a row'], shown);
}

async function deletion({ db }: Ledger, like: string, batches: number): Promise<void> {
  const some = await db
    .selectFrom('batches')
    .select('batch_id')
    .where('batch_id', 'like', like)
    .limit(batches)
    .execute();
  const ids = some.map(({ batch_id }) => batch_id);
  await sql`create table of_a_month (like files) partition by list (batch_id)`.execute(db);
  await sql`create table one_month partition of of_a_month for values in (${sql.join(ids.map((id) => sql.lit(id)))})`.execute(
    db,
  );
  await sql`insert into of_a_month select * from files where batch_id in (${sql.join(ids)})`.execute(db);
  await timed('a partition of their files, dropped', () => sql`drop table one_month`.execute(db));
  await timed('files of 20,000 rows, deleted', () => db.deleteFrom('files').where('batch_id', 'in', ids).execute());
}
