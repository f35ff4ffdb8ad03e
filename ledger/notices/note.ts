import type { RowState } from '../../domain/row-state.js';
import type { AuditEvent } from '../access/audit.js';
import type { Tx } from '../ledger.js';

/** Acts that people are to hear of, by what the notice of one is called. */
const kinds = {
  seal: 'approval',
  plan_refused: 'plan_refused',
  approve: 'approved',
  reject: 'rejected',
  expire: 'expired',
  close: 'finished',
  unsettled: 'unsettled',
  pause: 'stopped',
  tripped: 'stopped',
  canary: 'stopped',
  credentials: 'stopped',
  budget_stop: 'budget_stopped',
  budget_notice: 'budget_used',
  halt: 'halted',
} as const satisfies Readonly<Record<string, string>>;

export type NoticeKind =
  | (typeof kinds)[keyof typeof kinds]
  | 'unknown'
  | 'lost'
  | 'approval_due'
  | 'no_worker'
  | 'channel_off';

/** What greenlight itself found. */
export interface Found {
  readonly kind: NoticeKind;
  readonly object: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
}

export async function noteFound(tx: Tx, { kind, object, detail, nowMs }: Found): Promise<void> {
  await tx
    .insertInto('notices')
    .values({ at_ms: nowMs, kind, object, by_name: 'greenlight', detail: JSON.stringify(detail) })
    .execute();
}

/** In the transaction of the act itself: what did not happen is not told, and what happened is not forgotten. */
export async function noteAct(tx: Tx, { atMs, actor, act, object, detail }: AuditEvent): Promise<void> {
  if (!(act in kinds)) return;
  const kind = kinds[act as keyof typeof kinds];
  await tx
    .insertInto('notices')
    .values({ at_ms: atMs, kind, object, by_name: actor.name, detail: JSON.stringify({ ...detail, act }) })
    .execute();
}

interface Moved {
  readonly moves: readonly { readonly row: { readonly row_key: string }; readonly to: RowState }[];
  readonly nowMs: number;
}

/** Rows that a person has to look at. */
export async function noteRows(tx: Tx, batchId: string, { moves, nowMs }: Moved): Promise<void> {
  for (const kind of ['unknown', 'lost'] as const) {
    const rows = moves.filter(({ to }) => to === kind).length;
    if (rows === 0) continue;
    await noteFound(tx, { kind, object: batchId, detail: { rows }, nowMs });
  }
}
