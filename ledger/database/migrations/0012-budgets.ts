import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Budgets of real money and of rehearsals are kept apart, and each level counts all money under its path, also what was
 * spent before it was defined. A limit stays what it was; a rehearsal gets its own where it has spent something.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const statement of statements(postgres)) await sql.raw(statement).execute(db);
}

function statements(postgres: boolean): readonly string[] {
  const [int, end, key] = postgres ? ['bigint', '', 'text collate "C"'] : ['integer', ' strict', 'text'];
  return [
    `alter table batches add column rehearsal ${int} not null default 0`,
    `update batches set rehearsal =
      (select services.rehearsal from services where services.service_no = batches.service_no)`,
    `create table new_budgets (rehearsal ${int} not null, path ${key} not null, currency text not null,
      limit_minor ${int} not null, committed_minor ${int} not null default 0, spent_minor ${int} not null default 0,
      overrun_minor ${int} not null default 0, notify_percent ${int}, notified_ms ${int}, stopped_ms ${int},
      primary key (rehearsal, path), check (committed_minor >= 0 and overrun_minor >= 0))${end}`,
    copy(0, ''),
    copy(1, `where exists (select 1 from batches where rehearsal = 1 and ${under})`),
    'drop table budgets',
    'alter table new_budgets rename to budgets',
    'alter table batches drop column levels',
  ];
}

const under = `(batches.budget_path = budgets.path
  or substr(batches.budget_path, 1, length(budgets.path) + 1) = budgets.path || '/')`;

function copy(rehearsal: 0 | 1, where: string): string {
  const sum = (amount: string) =>
    `coalesce((select sum(${amount}) from entries join batches on batches.batch_id = entries.batch_id
      where batches.rehearsal = ${rehearsal} and ${under}), 0)`;
  const minor = 'entries.amount_minor';
  const overrun = 'entries.overrun_minor';
  const committed = `case kind when 'commit' then ${minor} when 'post' then -${minor} when 'uncommit' then -${minor} else 0 end`;
  const spent = `case kind when 'post' then ${minor} when 'refund' then -${minor}
    when 'correction' then ${minor} - ${overrun} else 0 end`;
  return `insert into new_budgets (rehearsal, path, currency, limit_minor, committed_minor, spent_minor, overrun_minor,
      notify_percent, stopped_ms)
    select ${rehearsal}, path, currency, limit_minor, ${sum(committed)}, ${sum(spent)}, ${sum(overrun)},
      notify_percent, stopped_ms
    from budgets ${where}`;
}
