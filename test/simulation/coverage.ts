import { CompiledQuery } from 'kysely';
import { cancelOutcome } from '../../domain/answers/cancel-outcome.js';
import { batchStates } from '../../domain/batch-state.js';
import { rowStates } from '../../domain/row-state.js';
import type { Ledger } from '../../ledger/ledger.js';

/** How often each thing came up, by its name. */
export type Counts = Map<string, number>;

export function count(counts: Counts, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

const answers = [
  ...[
    'movie',
    'other movie',
    'no id',
    'not connected',
    'withheld',
    'rate limited',
    'refused',
    'credentials',
    'conflict',
  ],
  ...['unlisted', 'lost'],
];
const stops = ['paused', 'tripped', 'canary', 'credentials', 'budget', 'restored'];
const cancels = [
  ...[
    'planned: end',
    'blocked: end',
    'ordering: release',
    'ordering: mark, may_still_leave',
    'ordering: mark, unknown',
  ],
  ...['running: mark', 'overdue: mark', 'unknown: mark', 'archiving: none', 'delivered: none', 'canceled: none'],
];

/** What must come up in a run of many seeds. */
const expected: readonly string[] = [
  ...rowStates.map((state) => `row ${state}`),
  ...batchStates.map((state) => `batch ${state}`),
  ...stops.map((kind) => `stop ${kind}`),
  ...answers.flatMap((answer) => [`answer ${answer}, first`, `answer ${answer}, later`]),
  ...cancels.map((cell) => `cancel ${cell}`),
];

/** What did not. */
export function missing(counts: Counts): readonly string[] {
  return expected.filter((name) => !counts.has(name));
}

/** In one query whose text is made once: it is asked after each commit. */
const present = CompiledQuery.raw(`
  select distinct 'row ' || state as name from rows
  union all select distinct 'batch ' || state from batches
  union all select distinct 'stop ' || kinds.key from batches, json_each(batches.stops) as kinds
  union all select 'stop budget' where exists (select 1 from budgets where stopped_ms is not null)
  union all select 'stop restored' where exists (select 1 from ledger where halted is not null)`);

/** What is there now. */
export async function observe({ db }: Ledger, counts: Counts): Promise<void> {
  const { rows } = await db.executeQuery<{ readonly name: string }>(present as CompiledQuery<{ name: string }>);
  for (const { name } of rows) count(counts, name);
}

/** Which cells of the table of cancels the next cancel meets. */
export async function observeCancel(
  { db }: Ledger,
  { batchId, rowKeys }: { readonly batchId: string; readonly rowKeys: readonly string[] | 'all' },
  counts: Counts,
): Promise<void> {
  const rows = await db.selectFrom('rows').selectAll().where('batch_id', '=', batchId).execute();
  for (const row of rows.filter(({ row_key }) => rowKeys === 'all' || rowKeys.includes(row_key))) {
    const sends = await db
      .selectFrom('sends')
      .select('send_id')
      .where('batch_id', '=', batchId)
      .where('row_key', '=', row.row_key)
      .where('attempt', '=', row.attempt ?? 0)
      .where('answered_ms', 'is', null)
      .execute();
    const { state, uncertain_sends: uncertainSends } = row;
    const { act, effect } = cancelOutcome({ state, uncertainSends, sendUnderWay: sends.length > 0 });
    count(counts, `cancel ${state}: ${act}${state === 'ordering' && act === 'mark' ? `, ${effect}` : ''}`);
  }
}

/** Which cells of the table of create outcomes the run met, by every send and what was known before it. */
export async function observeSends({ db }: Ledger, counts: Counts): Promise<void> {
  const sends = await db.selectFrom('sends').selectAll().orderBy('send_id').execute();
  for (const send of sends) {
    if (send.answer === null) {
      count(counts, 'answer none');
      continue;
    }
    const earlier = sends.filter(
      (other) =>
        other.send_id < send.send_id &&
        other.row_key === send.row_key &&
        other.attempt === send.attempt &&
        (other.answer === null || !proves(classOf(other.answer))),
    );
    count(counts, `answer ${classOf(send.answer)}, ${earlier.length > 0 ? 'later' : 'first'}`);
  }
}

function proves(answer: string): boolean {
  return ['not connected', 'withheld', 'rate limited', 'refused', 'credentials'].includes(answer);
}

function classOf(answer: string): string {
  const { kind, status = 0, echo } = JSON.parse(answer) as { kind: string; status?: number; echo?: string };
  if (kind === 'movie') return echo === 'matches' ? 'movie' : 'other movie';
  if (kind === 'broken') return 'no id';
  if (kind !== 'refused') return kind.replace('_', ' ');
  if ([400, 404, 413, 415, 422].includes(status)) return 'refused';
  if ([401, 402, 403].includes(status)) return 'credentials';
  if (status === 409) return 'conflict';
  return status === 429 ? 'rate limited' : 'unlisted';
}
