import type { RowState } from '../row-state.js';

export interface RowAtCancel {
  readonly state: RowState;
  /** Sends of the current attempt that may have reached the service. */
  readonly uncertainSends: number;
  /** One of them has no answer yet. */
  readonly sendUnderWay: boolean;
}

/**
 * What a cancel does to a row at once. `end`: it is over, nothing was spent. `release`: it is over and its hold goes
 * back. `mark`: the intent stays with the row, and whoever follows it acts on it. `none`: nothing to cancel.
 */
export type CancelAct = 'end' | 'release' | 'mark' | 'none';

/** What a preview counts the row as. */
export type CancelEffect = 'not_spent' | 'may_still_leave' | 'may_be_charged' | 'paid_and_kept' | 'unknown' | 'ended';

/**
 * | row | at once | shown as |
 * |---|---|---|
 * | planned, blocked | over | not spent |
 * | ordering, nothing can have arrived | over, hold released | not spent |
 * | ordering, a send is under way | marked; that send finishes | may still leave |
 * | ordering, an answer was lost | marked; nothing is sent again, the hold stays | unknown |
 * | running, overdue | marked; the follower sends the cancel | may be charged |
 * | unknown | marked; nothing is sent, the hold stays | unknown |
 * | archiving | nothing: it is paid | paid and kept |
 * | any end | nothing | ended |
 */
export function cancelOutcome({ state, uncertainSends, sendUnderWay }: RowAtCancel): {
  readonly act: CancelAct;
  readonly effect: CancelEffect;
} {
  switch (state) {
    case 'planned':
    case 'blocked':
      return { act: 'end', effect: 'not_spent' };
    case 'ordering':
      if (uncertainSends === 0) return { act: 'release', effect: 'not_spent' };
      return { act: 'mark', effect: sendUnderWay ? 'may_still_leave' : 'unknown' };
    case 'running':
    case 'overdue':
      return { act: 'mark', effect: 'may_be_charged' };
    case 'unknown':
      return { act: 'mark', effect: 'unknown' };
    case 'archiving':
      return { act: 'none', effect: 'paid_and_kept' };
    case 'delivered':
    case 'rejected':
    case 'failed':
    case 'canceled':
    case 'lost':
    case 'unchanged':
    case 'open_elsewhere':
    case 'left_out':
      return { act: 'none', effect: 'ended' };
    default:
      return state satisfies never;
  }
}
