import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import { tsToMs } from '@temporalio/common/lib/time.js';
import type { Process } from './gates.js';
import type { Command, Job, Sandboxed, Start } from './sandbox.js';

/** A workflow as its server knows it. */
export interface Execution extends Start {
  state: 'running' | 'completed' | 'failed' | 'terminated' | 'canceled';
  /** Every task that was done, with what came of it: all that is left of the workflow when its worker dies. */
  readonly history: {
    readonly jobs: readonly Job[];
    readonly nowMs: number;
    readonly flags: readonly number[];
    readonly commands: string;
  }[];
  /** What it has to be told. */
  pending: Job[];
  readonly activities: Map<number, Activity>;
  /** When each is due. */
  readonly timers: Map<number, number>;
  readonly parent: { readonly execution: Execution; readonly seq: number } | null;
  readonly children: Execution[];
  /** Where its code is in memory. */
  cached: { readonly workflow: Sandboxed; readonly process: Process } | null;
}

type Schedule = NonNullable<Command['scheduleActivity']>;

export interface Activity {
  readonly execution: Execution;
  readonly seq: number;
  readonly type: string;
  readonly args: readonly unknown[];
  readonly schedule: Schedule;
  attempt: number;
  /** Not started before. */
  dueMs: number;
  cancelRequested: boolean;
  run: Attempt | null;
}

export interface Attempt {
  readonly activity: Activity;
  readonly process: Process;
  readonly startedMs: number;
  readonly cancel: AbortController;
  /** When the server gives it up. */
  readonly timeoutMs: number;
}

/** The values of `ActivityCancellationType`. */
const tryCancel = 0;
const abandon = 2;

export function activityOf(execution: Execution, schedule: Schedule, nowMs: number): Activity {
  return {
    ...{ execution, schedule, seq: schedule.seq ?? 0, type: schedule.activityType ?? '', attempt: 1, dueMs: nowMs },
    args: (schedule.arguments ?? []).map((payload) => defaultPayloadConverter.fromPayload(payload)),
    ...{ cancelRequested: false, run: null },
  };
}

/** Whether the workflow hears of a cancellation at once, or when the activity has ended. */
export function answersAtOnce({ schedule }: Activity): boolean {
  const type: number = schedule.cancellationType ?? tryCancel;
  return type === tryCancel || type === abandon;
}

export function timeoutsOf({ schedule }: Activity): { readonly startToCloseMs: number; readonly heartbeatMs: number } {
  return { startToCloseMs: tsToMs(schedule.startToCloseTimeout), heartbeatMs: tsToMs(schedule.heartbeatTimeout) };
}

/** Before its next attempt, where the failure does not say. */
export function backoffMs({ attempt, schedule }: Activity): number {
  const { initialInterval, maximumInterval, backoffCoefficient } = schedule.retryPolicy ?? {};
  return Math.min(tsToMs(initialInterval) * (backoffCoefficient ?? 2) ** (attempt - 1), tsToMs(maximumInterval));
}

function failureOf(error: unknown) {
  return defaultFailureConverter.errorToFailure(error, defaultPayloadConverter);
}

export function canceledJob({ seq, type }: Activity): Job {
  const cause = { message: 'canceled', canceledFailureInfo: {} };
  const activityFailureInfo = { activityId: String(seq), activityType: { name: type } };
  const failure = { message: 'Activity cancelled', cause, activityFailureInfo };
  return { resolveActivity: { seq, result: { cancelled: { failure } } } };
}

export function failedJob({ seq, type }: Activity, error: unknown): Job {
  const activityFailureInfo = { activityId: String(seq), activityType: { name: type } };
  const failure = { message: 'Activity task failed', cause: failureOf(error), activityFailureInfo };
  return { resolveActivity: { seq, result: { failed: { failure } } } };
}

export function completedJob({ seq }: Activity, value: unknown): Job {
  return { resolveActivity: { seq, result: { completed: { result: defaultPayloadConverter.toPayload(value) } } } };
}

type End = Exclude<Execution['state'], 'running'>;

/** What a parent is told of its child. */
export function childEndJob(child: Execution, end: End, failure: unknown): Job {
  const seq = child.parent?.seq ?? 0;
  if (end === 'completed') {
    const result = defaultPayloadConverter.toPayload(undefined);
    return { resolveChildWorkflowExecution: { seq, result: { completed: { result } } } };
  }
  const { workflowId, runId, type } = child;
  const cause = failure ?? { message: `the workflow was ${end}`, terminatedFailureInfo: {} };
  const childWorkflowExecutionFailureInfo = {
    ...{ namespace: 'simulation', workflowExecution: { workflowId, runId }, workflowType: { name: type } },
  };
  const told = { message: 'Child Workflow execution failed', cause, childWorkflowExecutionFailureInfo };
  const result = end === 'canceled' ? { cancelled: { failure: told } } : { failed: { failure: told } };
  return { resolveChildWorkflowExecution: { seq, result } };
}
