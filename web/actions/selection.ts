import type { RowState } from '../../domain/row-state.js';
import { listRowLines } from '../../operations/batches.js';
import { type RowsFilter, readRowsFilter, statesOf } from '../batch/rows-filter.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskContext } from '../desk-env.js';

/** The rows that an act is about: one, those that a filter shows, or the whole batch. */
export interface Selection {
  readonly batchId: string;
  /** As the operations take them. */
  readonly rowKeys: readonly string[] | 'all';
  /** What a form has to send again to mean the same rows. */
  readonly fields: Readonly<Record<string, string>>;
  /** As `hero-9x16`, `12 rows`, `the whole batch`. */
  readonly words: string;
}

/** More are not acted on at once: they would be the batch. */
const mostRows = 5_000;

/** @param fields of an address, or of the form that an earlier look at it gave. */
export async function readSelection(
  deps: DeskDeps,
  c: DeskContext,
  { fields, among }: { readonly fields: Readonly<Record<string, string>>; readonly among: readonly RowState[] | null },
): Promise<Selection> {
  const batchId = c.req.param('batch') ?? '';
  const { row } = fields;
  if (row) return { batchId, rowKeys: [row], fields: { row }, words: row };
  const filter = readRowsFilter(fields);
  if (filter.tab === 'all' && filter.id === '')
    return { batchId, rowKeys: 'all', fields: {}, words: 'the whole batch' };
  const rowKeys = await keysOf(deps, c, { batchId, filter, among });
  const words = rowKeys.length === 1 ? '1 row' : `${rowKeys.length.toLocaleString('en-US')} rows`;
  return { batchId, rowKeys, fields: { state: filter.tab, id: filter.id }, words };
}

interface Among {
  readonly batchId: string;
  readonly filter: RowsFilter;
  readonly among: readonly RowState[] | null;
}

async function keysOf(deps: DeskDeps, c: DeskContext, { batchId, filter, among }: Among): Promise<readonly string[]> {
  const states = statesOf(filter.tab)?.filter((state) => among === null || among.includes(state)) ?? among;
  const rows = await listRowLines(deps, {
    ...{ batchId, actor: actorOf(c), limit: mostRows },
    ...(states && { states }),
    ...(filter.id !== '' && { keyPrefix: filter.id }),
  });
  return rows.map(({ rowKey }) => rowKey);
}
