/**
 * Where a row of a batch stands. planned → ordering → running → archiving → delivered is the way of a movie that goes
 * well; `blocked` waits outside, `unknown` and `overdue` keep their money until somebody learns more, and the rest
 * are ends.
 */
export const rowStates = [
  'planned',
  'blocked',
  'ordering',
  'unknown',
  'running',
  'overdue',
  'archiving',
  'delivered',
  'rejected',
  'failed',
  'canceled',
  'lost',
  'unchanged',
  'open_elsewhere',
  'left_out',
] as const;
export type RowState = (typeof rowStates)[number];

/** Rows that this batch does not order: the sheet has them, their class says why they stay out. */
const notOrderedStates = ['unchanged', 'open_elsewhere', 'left_out'] as const satisfies readonly RowState[];

export const terminalStates = [
  'delivered',
  'rejected',
  'failed',
  'canceled',
  'lost',
  ...notOrderedStates,
] as const satisfies readonly RowState[];

/** What a slice is done with: an end, or a state that only proof, time or a person can leave. */
export const settledStates = [...terminalStates, 'unknown', 'overdue'] as const satisfies readonly RowState[];

/** Rows that are ordered, or may be, and have no end yet. */
export const begunStates = [
  'ordering',
  'unknown',
  'running',
  'overdue',
  'archiving',
] as const satisfies readonly RowState[];

/** Rows that take a place within the in-flight limit. */
const inFlightStates = ['ordering', 'running'] as const satisfies readonly RowState[];

/** Finished for good without a movie; `tolerance` counts these. */
export const failedStates = ['rejected', 'failed', 'lost'] as const satisfies readonly RowState[];

export function isTerminal(state: RowState): boolean {
  return (terminalStates as readonly RowState[]).includes(state);
}

export function isSettled(state: RowState): boolean {
  return (settledStates as readonly RowState[]).includes(state);
}

export function isInFlight(state: RowState): boolean {
  return (inFlightStates as readonly RowState[]).includes(state);
}

export function isBegun(state: RowState): boolean {
  return (begunStates as readonly RowState[]).includes(state);
}

export function isFailed(state: RowState): boolean {
  return (failedStates as readonly RowState[]).includes(state);
}
