import { maySpend } from '../../domain/four-eyes.js';
import { type Act, type Actor, mayAct } from '../../domain/roles.js';
import { spendingRules } from '../../ledger/access/policies.js';
import { sightOf } from '../../ledger/access/sight.js';
import { type BatchView, listBatches } from '../../ledger/batches/batches.js';
import { countRows } from '../../ledger/batches/rows.js';
import type { BudgetRecord } from '../../ledger/money/budget-levels.js';
import { listUnknowns, type UnknownRow } from '../../ledger/orders/unknowns.js';
import { haltedBecause } from '../../ledger/verification/restored-ledger.js';
import type { OperationDeps } from '../deps.js';
import { listBudgets } from '../money/budgets.js';

/** Something that waits for this person, the most urgent kind first. */
export type Need =
  /** The ledger orders nothing until somebody in finance accepts responsibility. */
  | { readonly kind: 'halted'; readonly why: string }
  | { readonly kind: 'approve'; readonly batch: BatchView }
  /** Ordering is stopped, and this person may end the stop. */
  | { readonly kind: 'stopped'; readonly batch: BatchView; readonly stop: BatchView['stops'][number] }
  | { readonly kind: 'unknown'; readonly rows: readonly UnknownRow[]; readonly batchId: string }
  /** Paid movies whose files the service does not have, or not yet. */
  | { readonly kind: 'lost' | 'overdue'; readonly batch: BatchView; readonly rows: number }
  | { readonly kind: 'budget'; readonly level: BudgetRecord };

const looked = 100;

/** What waits for a person, by their current roles. */
export async function needsOf(deps: OperationDeps, actor: Actor): Promise<readonly Need[]> {
  const { ledger } = deps;
  const sight = await sightOf(ledger.db, actor);
  const open = await listBatches(ledger, { ...sight, states: ['waiting', 'making', 'unsettled'], limit: looked });
  const may = (act: Act) => mayAct(actor, act);
  const halted = may('reconcile') ? await haltedBecause(ledger) : null;
  return [
    ...(halted === null ? [] : [{ kind: 'halted', why: halted } as const]),
    ...(await approvals(deps, { actor, open })),
    ...open.flatMap((batch) => stopsFor(batch, actor)),
    ...(may('resolve') ? unknownsByBatch(await listUnknowns(ledger, sight)) : []),
    ...(may('refetch') ? await troubles(deps, open) : []),
    ...(may('budget') ? (await listBudgets(deps, { actor })).flatMap(passedBudget) : []),
  ];
}

interface Open {
  readonly actor: Actor;
  readonly open: readonly BatchView[];
}

async function approvals({ ledger }: OperationDeps, { actor, open }: Open): Promise<readonly Need[]> {
  const rules = await spendingRules(ledger.db);
  return open
    .filter(({ state }) => state === 'waiting')
    .filter(({ submittedBy }) => maySpend(actor, { act: 'approve', askedBy: submittedBy, rules }).allowed)
    .map((batch) => ({ kind: 'approve', batch }));
}

/** A deliberate pause needs nobody else; it is shown with its batch. */
function stopsFor(batch: BatchView, actor: Actor): readonly Need[] {
  return batch.stops
    .filter(({ kind, endsBy }) => kind !== 'paused' && kind !== 'restored' && actor.roles.includes(endsBy))
    .map((stop) => ({ kind: 'stopped', batch, stop }));
}

function unknownsByBatch(rows: readonly UnknownRow[]): readonly Need[] {
  const batchIds = [...new Set(rows.map(({ batchId }) => batchId))];
  return batchIds.map((batchId) => ({ kind: 'unknown', batchId, rows: rows.filter((one) => one.batchId === batchId) }));
}

async function troubles({ ledger }: OperationDeps, open: readonly BatchView[]): Promise<readonly Need[]> {
  const needs: Need[] = [];
  for (const batch of open.filter(({ state }) => state !== 'waiting')) {
    const { lost = 0, overdue = 0 } = await countRows(ledger, batch.batchId);
    if (lost > 0) needs.push({ kind: 'lost', batch, rows: lost });
    if (overdue > 0) needs.push({ kind: 'overdue', batch, rows: overdue });
  }
  return needs;
}

function passedBudget(level: BudgetRecord): readonly Need[] {
  return level.notifiedMs !== null || level.stoppedMs !== null ? [{ kind: 'budget', level }] : [];
}
