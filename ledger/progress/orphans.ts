import { type BatchState, openBatchStates } from '../../domain/batch-state.js';
import { terminalStates } from '../../domain/row-state.js';
import type { Service } from '../../domain/service.js';
import { ofService } from '../batches/service-filter.js';
import { pastPlanned } from '../database/partial-indexes.js';
import type { Ledger } from '../ledger.js';
import { type DueRow, dueRow, followed } from './due-rows.js';

/*
 * What whoever reconciles has to look at. These only read: what follows is done by the workflows that are started
 * again, by the looks that are recorded, or by a person.
 */

export interface UnfinishedBatch {
  readonly batchId: string;
  readonly state: BatchState;
}

/**
 * Batches that a workflow should be busy with, the oldest first: being prepared, waiting for a decision, or in the
 * making (again, where a late proof or a late movie set a row of a settled one going). Whoever finds one without a
 * workflow starts it; it goes on from what is in the books.
 */
export async function batchesToStart(
  ledger: Ledger,
  { service }: { readonly service: Pick<Service, 'name' | 'baseUrl'> },
): Promise<readonly UnfinishedBatch[]> {
  const batches = await ledger.db
    .selectFrom('batches')
    .innerJoin('services', 'services.service_no', 'batches.service_no')
    .select(['batches.batch_id', 'batches.state'])
    .where(ofService(service))
    .where('batches.state', 'in', [...openBatchStates])
    .orderBy('batches.submitted_ms')
    .orderBy('batches.batch_id')
    .execute();
  return batches.map(({ batch_id: batchId, state }) => ({ batchId, state }));
}

/** Rows past their deadline, which no slice follows any more. The one that was looked at least comes first. */
export async function overdueRows(
  ledger: Ledger,
  { service, limit }: { readonly service: Pick<Service, 'name' | 'baseUrl'>; readonly limit: number },
): Promise<readonly (DueRow & { readonly batchId: string })[]> {
  const rows = await ledger.db
    .selectFrom('rows')
    .innerJoin('batches', 'batches.batch_id', 'rows.batch_id')
    .innerJoin('services', 'services.service_no', 'batches.service_no')
    .where(ofService(service))
    .select(['rows.batch_id', ...followed.map((column) => `rows.${column}` as const)])
    .where('rows.state', '=', 'overdue')
    .where(pastPlanned)
    .where('batches.state', 'in', ['making', 'unsettled'])
    .orderBy('rows.polls')
    .orderBy('rows.deadline_ms')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...dueRow(row), batchId: row.batch_id }));
}

/**
 * Batches in the making that have rows which their workflow may have counted as settled before they came back to life:
 * running ones that nobody looked at when their time had come, finished ones whose files nobody has saved, and unknown
 * ones that people had sent again and nobody has asked for since. Other rows may wait for the very places that these hold.
 *
 * @param dueSinceMs since when they must wait, so that what is late by itself is not taken for that
 */
export async function batchesWithStrays(
  ledger: Ledger,
  { service, dueSinceMs }: { readonly service: Pick<Service, 'name' | 'baseUrl'>; readonly dueSinceMs: number },
): Promise<readonly string[]> {
  const batches = await ledger.db
    .selectFrom('batches')
    .innerJoin('services', 'services.service_no', 'batches.service_no')
    .select('batches.batch_id')
    .where(ofService(service))
    .where('batches.state', '=', 'making')
    .where((eb) => {
      const rows = eb.selectFrom('rows').select('position').whereRef('rows.batch_id', '=', 'batches.batch_id');
      return eb.or([
        eb.exists(rows.where('rows.state', '=', 'running').where('rows.follow_ms', '<=', dueSinceMs)),
        eb.exists(rows.where('rows.state', '=', 'archiving').where('finished_ms', '<=', dueSinceMs).where(pastPlanned)),
        // One that is asked for is sent, or says what it waits for.
        eb.exists(
          rows
            .where('rows.state', '=', 'ordering')
            .where('resend', '=', 1)
            .where('rows.alarm', 'is', null)
            .where('next_send_ms', '<=', dueSinceMs)
            .where(pastPlanned),
        ),
      ]);
    })
    .orderBy('batches.batch_id')
    .execute();
  return batches.map(({ batch_id }) => batch_id);
}

export interface LedgerFault {
  readonly kind: 'hold_on_terminal_row' | 'posted_without_movie' | 'late_movie';
  readonly batchId: string;
  readonly rowKey: string;
  readonly detail: string;
}

/** What must not be, or what only a person can judge. Empty on sound books. */
export async function ledgerFaults(ledger: Ledger): Promise<readonly LedgerFault[]> {
  const orders = await ledger.db
    .selectFrom('orders')
    .innerJoin('rows', (join) =>
      join
        .onRef('rows.batch_id', '=', 'orders.batch_id')
        .onRef('rows.row_key', '=', 'orders.row_key')
        .onRef('rows.attempt', '=', 'orders.attempt'),
    )
    .select(['orders.batch_id', 'orders.row_key', 'orders.attempt', 'orders.money', 'rows.state'])
    .where((eb) =>
      eb.or([
        eb.and([eb('orders.money', '=', 'held'), eb('rows.state', 'in', [...terminalStates])]),
        eb.and([eb('orders.money', '=', 'posted'), eb('orders.movie_id', 'is', null)]),
      ]),
    )
    .execute();
  const late = await ledger.db
    .selectFrom('audit')
    .selectAll()
    .where('act', '=', 'late_answer')
    .orderBy('seq')
    .execute();
  return [
    ...orders.map(({ batch_id: batchId, row_key: rowKey, attempt, money, state }): LedgerFault => {
      const kind = money === 'held' ? 'hold_on_terminal_row' : 'posted_without_movie';
      return { kind, batchId, rowKey, detail: `attempt ${attempt} is ${money}, the row is ${state}` };
    }),
    ...late.map(({ object: batchId, detail }): LedgerFault => {
      const { row, attempt, movie_id } = JSON.parse(detail) as { row: string; attempt: number; movie_id: string }; // by answers.ts
      return {
        kind: 'late_movie',
        batchId,
        rowKey: row,
        detail: `attempt ${attempt} created ${movie_id} after it was given up`,
      };
    }),
  ];
}
