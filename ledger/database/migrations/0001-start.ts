import { type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely';

type Builder = CreateTableBuilder<string, string>;

/** How each dialect spells the three kinds of column. SQLite's tables are strict: a fraction is an error there too. */
interface Spelling {
  readonly int: 'integer' | 'bigint';
  readonly serial: (builder: Builder, name: string) => Builder;
  /** Text that is compared byte by byte, as JavaScript and SQLite do. */
  readonly key: 'text' | ReturnType<typeof sql>;
  readonly table: (name: string) => Builder;
}

export async function up(db: Kysely<any>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const spelling: Spelling = postgres
    ? {
        int: 'bigint',
        serial: (builder, name) => builder.addColumn(name, 'bigserial', (column) => column.primaryKey()),
        key: sql`text collate "C"`,
        table: (name) => db.schema.createTable(name) as Builder,
      }
    : {
        int: 'integer',
        serial: (builder, name) => builder.addColumn(name, 'integer', (column) => column.primaryKey().autoIncrement()),
        key: 'text',
        table: (name) => db.schema.createTable(name).modifyEnd(sql`strict`) as Builder,
      };
  for (const table of tables(spelling)) await table.execute();
  for (const statement of [...indexes, ...(postgres ? postgresGuards : sqliteGuards)]) {
    await sql.raw(statement).execute(db);
  }
}

/** Columns by a short notation: `name:int`, `name:int?` (nullable), `name:int=0` (default); `text` and `key` alike. */
function columns(spelling: Spelling, builder: Builder, notation: string): Builder {
  let table = builder;
  for (const column of notation.trim().split(/\s+/)) {
    const [, name = '', kind, nullable, , initial] = /^(\w+):(int|text|key)(\?)?(=(.*))?$/.exec(column) ?? [];
    const type = kind === 'int' ? spelling.int : kind === 'key' ? spelling.key : 'text';
    table = table.addColumn(name, type, (definition) => {
      const required = nullable ? definition : definition.notNull();
      return initial === undefined ? required : required.defaultTo(kind === 'int' ? Number(initial) : initial);
    });
  }
  return table;
}

function tables(spelling: Spelling): readonly Builder[] {
  const { serial, table } = spelling;
  const having = (builder: Builder, notation: string) => columns(spelling, builder, notation);
  return [
    having(
      table('ledger'),
      `id:int ledger_id:text created_ms:int policy:text policy_version:int audit_length:int audit_head:text halted:text?`,
    ).addPrimaryKeyConstraint('ledger_pk', ['id']),
    having(
      table('people'),
      `name:text token_hash:text roles:text added_ms:int added_by:text removed_ms:int?`,
    ).addPrimaryKeyConstraint('people_pk', ['name']),
    having(
      serial(table('services'), 'service_no'),
      `name:text base_url:text rehearsal:int in_flight:int=0 max_in_flight:int? not_before_ms:int=0`,
    )
      .addUniqueConstraint('services_identity', ['name', 'base_url'])
      .addCheckConstraint('services_in_flight', sql`in_flight >= 0`),
    having(table('campaigns'), `campaign:text last_number:int`).addPrimaryKeyConstraint('campaigns_pk', ['campaign']),
    having(serial(table('lineages'), 'lineage_no'), `service_no:int campaign:text`).addUniqueConstraint(
      'lineages_identity',
      ['service_no', 'campaign'],
    ),
    having(
      table('budgets'),
      `path:key currency:text limit_minor:int committed_minor:int=0 spent_minor:int=0 overrun_minor:int=0
       notify_percent:int? stopped_ms:int?`,
    )
      .addPrimaryKeyConstraint('budgets_pk', ['path'])
      .addCheckConstraint('budgets_counters', sql`committed_minor >= 0 and overrun_minor >= 0`),
    having(
      table('batches'),
      `batch_id:text lineage_no:int service_no:int number:int state:text revision:int=1 settings:text budget_path:text
       levels:text=[] currency:text manifest_name:text manifest_columns:text briefs_digest:text rows_in_sheet:int=0
       rows_to_order:int=0 submitted_by:text submitted_ms:int estimates_after_ms:int=0 assumptions:text=[]
       plan_digest:text? policy_version:int? total_minor:int? credits:int? runtime_seconds:int? sealed_ms:int?
       expires_ms:int? state_reason:text? approved_minor:int=0 held_minor:int=0 posted_minor:int=0
       refunded_minor:int=0 returned_minor:int=0 overrun_minor:int=0 in_flight:int=0 max_in_flight:int?
       canary_left:int? failed_rows:int=0 trips_above:int? stops:text={} canceled_ms:int? settled_ms:int?`,
    )
      .addPrimaryKeyConstraint('batches_pk', ['batch_id'])
      .addCheckConstraint(
        'batches_money',
        sql`held_minor >= 0 and posted_minor >= 0 and held_minor + posted_minor + returned_minor <= approved_minor`,
      )
      .addCheckConstraint('batches_in_flight', sql`in_flight >= 0`),
    having(
      table('decisions'),
      `batch_id:text kind:text by_name:text channel:text at_ms:int reason:text? self_approved:int plan_digest:text
       total_minor:int currency:text policy_version:int`,
    ).addPrimaryKeyConstraint('decisions_pk', ['batch_id']),
    having(
      table('rows'),
      `batch_id:text position:int row_key:key lineage_no:int sheet_row:int content_digest:text brief:text cells:text
       class:text class_of:text? ordered:int state:text open:int=0 amount_minor:int? credits:int? runtime_seconds:int?
       estimated_ms:int? estimate_problem:text? slice:int? attempt:int? movie_id:text? uncertain_sends:int=0
       resend:int=0 next_send_ms:int=0 first_sent_ms:int? ordered_ms:int? deadline_ms:int? follow_ms:int? polls:int=0
       service_status:text? percent:int? stage:text? blocked_reason:text? blocked_ms:int? cancel_ms:int?
       cancel_sent_ms:int? finished_ms:int? ended_ms:int? end_number:int? reason:text? verdict:text? alarm:text?`,
    )
      .addPrimaryKeyConstraint('rows_pk', ['batch_id', 'position'])
      .addUniqueConstraint('rows_key', ['batch_id', 'row_key'])
      .addCheckConstraint('rows_sends', sql`uncertain_sends >= 0`),
    having(
      table('slices'),
      `batch_id:text slice:int first_position:int last_position:int last_end:int=0 wake_ms:int=0`,
    ).addPrimaryKeyConstraint('slices_pk', ['batch_id', 'slice']),
    having(
      table('orders'),
      `lineage_no:int row_key:key attempt:int service_no:int batch_id:text content_digest:text idempotency_key:text
       request_body:text amount_minor:int money:text movie_id:text?`,
    )
      .addPrimaryKeyConstraint('orders_pk', ['lineage_no', 'row_key', 'attempt'])
      .addUniqueConstraint('orders_idempotency_key', ['idempotency_key']),
    having(
      serial(table('sends'), 'send_id'),
      `lineage_no:int row_key:key attempt:int batch_id:text at_ms:int answered_ms:int? answer:text? request_id:text?`,
    ),
    having(
      serial(table('entries'), 'entry_id'),
      `at_ms:int kind:text batch_id:text row_key:key? attempt:int? amount_minor:int overrun_minor:int=0 currency:text
       note:text?`,
    ),
    having(
      table('files'),
      `batch_id:text row_key:key asset_id:text type:text path:text size_bytes:int sha256:text`,
    ).addPrimaryKeyConstraint('files_pk', ['batch_id', 'row_key', 'asset_id']),
    having(
      table('uploads'),
      `service_no:int sha256:text reference_id:text mime_type:text? uploaded_ms:int`,
    ).addPrimaryKeyConstraint('uploads_pk', ['service_no', 'sha256']),
    having(
      table('proposals'),
      `batch_id:text row_key:key resolution:text by_name:text at_ms:int`,
    ).addPrimaryKeyConstraint('proposals_pk', ['batch_id', 'row_key']),
    having(
      table('audit'),
      `seq:int at_ms:int actor:text channel:text act:text object:text detail:text after_entry:int after_send:int
       previous_hash:text hash:text`,
    ).addPrimaryKeyConstraint('audit_pk', ['seq']),
  ];
}

const indexes = [
  // Counts and lists of the states of a hundred thousand rows. Those that only wait are counted as the rest: most of a
  // sheet is written without this index.
  `create index rows_state on rows (batch_id, state) where state <> 'planned'`,
  // One open row for a key in its lineage: no two batches can have the same movie in the making.
  `create unique index rows_open on rows (lineage_no, row_key) where open = 1`,
  `create index rows_follow on rows (batch_id, slice, follow_ms) where follow_ms is not null`,
  `create index rows_ends on rows (batch_id, slice, end_number) where end_number is not null`,
  `create index rows_movie on rows (movie_id) where movie_id is not null`,
  // One movie pays for one order.
  `create unique index orders_movie on orders (service_no, movie_id) where movie_id is not null`,
  `create index orders_content on orders (service_no, content_digest)`,
  `create index sends_order on sends (lineage_no, row_key, attempt)`,
  `create index entries_row on entries (batch_id, row_key)`,
  // A hold is made once and ends once.
  `create unique index entries_hold on entries (batch_id, row_key, attempt) where kind = 'hold'`,
  `create unique index entries_end on entries (batch_id, row_key, attempt) where kind in ('post', 'release')`,
  `create index batches_lineage on batches (lineage_no, number)`,
  `create index batches_state on batches (state)`,
];

/** The books are only ever added to, whoever opens the database. */
const appendOnly = ['entries', 'audit'];

const sqliteGuards = appendOnly.flatMap((table) =>
  ['update', 'delete'].map(
    (verb) => `create trigger ${table}_no_${verb} before ${verb} on ${table}
      begin select raise(abort, '${table} are append-only'); end`,
  ),
);

const postgresGuards = [
  `create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% are append-only', tg_table_name; end $$`,
  ...appendOnly.map(
    (table) => `create trigger ${table}_append_only before update or delete or truncate on ${table}
      for each statement execute function refuse_change()`,
  ),
];
