import { fileURLToPath } from 'node:url';
import { DefaultQueryExecutor, PostgresAdapter, sql } from 'kysely';
import type { Ledger } from '../../ledger/ledger.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Tables that grow with the movies. */
const large = ['rows', 'entries', 'orders', 'files', 'sends'];

/** Indexes of a few rows: what is wrong, and what is looked at next. */
const narrow = new Set(['rows_alarm', 'rows_follow']);

/** Statements of the product by their text, each with the function that runs it. */
const ran = new Map<string, Statement>();

interface Statement {
  readonly dialect: Ledger['dialect'];
  readonly from: string;
  readonly text: string;
}

/** From now on the statements of this process are remembered, but for those of tests. @returns ends that. */
export function rememberStatements(): () => void {
  ran.clear(); // files of tests share this module
  const { compileQuery } = DefaultQueryExecutor.prototype;
  DefaultQueryExecutor.prototype.compileQuery = function (this: DefaultQueryExecutor, ...args) {
    const compiled = compileQuery.apply(this, args);
    const from = callerOf(new Error().stack ?? '');
    const dialect = this.adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
    // Lists of values differ by their length alone.
    const shape = compiled.sql.replace(/\((\?|\$\d+)(, (\?|\$\d+))+\)/g, '($1)');
    if (from) ran.set(`${dialect} ${shape}`, { dialect, from, text: compiled.sql });
    return compiled;
  } as typeof compileQuery;
  return () => {
    DefaultQueryExecutor.prototype.compileQuery = compileQuery;
  };
}

/** `ledger/progress/polls.ts rowsByKey`; null for a test and for whoever makes the tables. */
function callerOf(stack: string): string | null {
  for (const line of stack.split('\n').slice(2)) {
    if (line.includes('node_modules') || line.includes('prepared-query')) continue;
    const [, name = '', path] = /at (?:async )?(?:([\w.#<>]+) \()?(?:file:\/\/)?([^():]+\.ts)/.exec(line) ?? [];
    if (!path?.startsWith(root)) continue;
    const file = path.slice(root.length);
    return file.startsWith('test/') || file.includes('migrations/') ? null : `${file} ${name}`.trim();
  }
  return null;
}

/** How SQLite runs the remembered statements of one place. */
export async function plansOf({ db }: Ledger, place: string): Promise<readonly string[]> {
  const plans: string[] = [];
  for (const { from, text } of ran.values()) {
    if (!from.startsWith(place)) continue;
    plans.push(...(await explained(db, text)));
  }
  return plans;
}

interface Scan {
  /** File and function. */
  readonly from: string;
  readonly statement: string;
  /** The part of the plan that reads so. */
  readonly part: string;
}

async function scansOf(ledger: Ledger): Promise<readonly Scan[]> {
  const scans: Scan[] = [];
  for (const { dialect, from, text } of ran.values()) {
    if (dialect !== ledger.dialect) continue; // the other database has other words
    if (!/^\s*(select|update|delete|insert|with)\b/i.test(text)) continue;
    const parts = ledger.dialect === 'sqlite' ? await sqliteScans(ledger, text) : await postgresScans(ledger, text);
    scans.push(...parts.map((part) => ({ from, statement: text, part })));
  }
  return scans;
}

async function explained(db: Ledger['db'], text: string): Promise<readonly string[]> {
  const { rows } = await sql<{
    detail: string;
  }>`${sql.raw(`explain query plan ${text.replaceAll('?', 'null')}`)}`.execute(db);
  return rows.map(({ detail }) => detail);
}

async function sqliteScans({ db }: Ledger, text: string): Promise<readonly string[]> {
  const names = namesIn(text);
  const details = await explained(db, text);
  const sorted = details.some((detail) => detail.includes('TEMP B-TREE FOR ORDER BY'));
  return details.filter((detail) => {
    const [, how, name = '', index = '', by = ''] =
      /^(SCAN|SEARCH) (\w+)(?: USING (?:COVERING )?INDEX (\w+))?(?: \((.*)\))?/.exec(detail) ?? [];
    if (!how || !names.has(name) || narrow.has(index)) return false;
    return how === 'SCAN' || (by === 'batch_id=?' && (sorted || !isFirstFew(text)));
  });
}

/** Reads in the order of an index until it has enough. */
function isFirstFew(text: string): boolean {
  return /where ("\w+"\.)?"batch_id" = (\?|\$1) order by .* limit/.test(text);
}

/** The large tables as a statement calls them. */
function namesIn(text: string): ReadonlySet<string> {
  const names = new Set(large);
  for (const [, table = '', alias = ''] of text.matchAll(/"?(\w+)"? as "?(\w+)"?/g)) {
    if (large.includes(table)) names.add(alias);
  }
  return names;
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/** Those that have rows when the server is asked: a plan over an empty table says nothing. */
const planned = ['rows', 'entries', 'orders'];

/** As the server plans it for any values, and whatever the size of a table. */
async function postgresScans({ db }: Ledger, text: string): Promise<readonly string[]> {
  const values = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const nulls = values === 0 ? '' : `(${Array.from({ length: values }, () => 'null').join()})`;
  const rows = await db.connection().execute(async (one) => {
    for (const setting of ['plan_cache_mode = force_generic_plan', 'enable_seqscan = off'])
      await sql.raw(`set ${setting}`).execute(one);
    await sql.raw(`prepare looked_at as ${text}`).execute(one);
    const answer = await sql<{
      'QUERY PLAN': readonly { readonly Plan: Plan }[];
    }>`${sql.raw(`explain (format json) execute looked_at${nulls}`)}`.execute(one);
    await sql.raw('deallocate looked_at').execute(one);
    await sql.raw('reset all').execute(one);
    return answer.rows;
  });
  const parts = rows.flatMap((row) => row['QUERY PLAN'].flatMap((one) => partsOf(one.Plan)));
  return parts.flatMap((part) => {
    const { 'Node Type': how, 'Relation Name': table = '', 'Index Name': index = '', 'Index Cond': by = '' } = part;
    if (how === 'Seq Scan') return planned.includes(table) ? [`${how} ${table}`] : [];
    const ofLarge = planned.some((name) => index.startsWith(`${name}_`));
    if (!/Index/.test(how) || !ofLarge || narrow.has(index)) return [];
    const wide = by === '' || (/^\(?\w*\.?batch_id = [^()]*\)?$/.test(by) && !isFirstFew(text));
    return wide ? [`${how} ${table} ${index} ${by}`] : [];
  });
}

function partsOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(partsOf)];
}

/** What reads all of a large table or of a batch, and why it may. */
const allowed: Readonly<Record<string, string>> = {
  'ledger/verification/': 'an audit reads the books whole',
  'ledger/verification/counter-check.ts': 'an audit reads the books whole',
  'ledger/money/spend.ts': 'a report of all that was spent, by days',
  'ledger/money/budget-use.ts': 'a page of a budget: what all its batches hold, moved and bought',
  'ledger/money/level-money.ts': 'once, when a budget is defined at a path that has spent already',
  'ledger/money/invoiced-batches.ts': 'a batch that is over, looked at alone; it looks at each of its orders',
  'ledger/money/entries.ts listEntries': 'pages of entries in the order of their making',
  'ledger/money/row-entries.ts':
    'the page of one row: a small table is read whole by PostgreSQL; SQLite goes by the index',
  'ledger/money/statement.ts movementsAfter': 'pages of entries in the order of their making',
  'ledger/money/statement.ts notesHaveForeignText': 'once, before a file of all entries is written',
  'ledger/batches/campaign-rows.ts': 'pages of all that a campaign has made, for a bundle',
  'ledger/batches/rows.ts rowViews': 'a page with the order of each of its rows, by the key of orders',
  'ledger/money/billed-movies.ts': 'an invoice is compared with the movies of its service',
  'ledger/access/audit.ts lastNumbers': 'the last of an index',
  'ledger/progress/done-since.ts firstEntrySince': 'the last of an index',
  'ledger/movie-reviews/markets.ts marketsOf': 'the first of an index, and the next of each market',
  'ledger/plan/': 'once or a few times in the life of a plan: when it is priced, sealed and decided on',
  'ledger/archived/': 'a batch that is over, moved into a file once, or brought back',
  'ledger/batches/slices.ts': 'once, when the batch is cut',
  'ledger/progress/ledger-figures.ts waiting': 'the rows of each state in the making, by the index that has only them',
  'ledger/batches/rows.ts countsOfMany': 'counts an index without its rows: 5 ms at 100,000',
  'ledger/batches/class-totals.ts': 'a plan that is sealed, or shown while it is prepared: 75 ms at 100,000',
  'ledger/progress/orphans.ts ledgerFaults': 'when a person asks what is wrong',
  'ledger/progress/cancels.ts': 'a person cancels a batch: each of its rows changes, or is counted before',
  'ledger/progress/retries.ts': 'a person orders or fetches again what a batch lacks: those rows are read',
  'ledger/verification/restored-ledger.ts': 'once, after the ledger was restored',
};

/** Remembered statements that read a large table, or all rows of a batch, and are on no list. */
export async function unexcusedScans(ledger: Ledger): Promise<readonly string[]> {
  return (await scansOf(ledger))
    .filter(({ from }) => !Object.keys(allowed).some((place) => from.startsWith(place)))
    .map(({ from, part, statement }) => `${from}: ${part}: ${statement}`);
}
