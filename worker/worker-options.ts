import type { WorkerDeploymentOptions, WorkerOptions } from '@temporalio/worker';
import type { Activities } from '../activities/activities.js';
import { heartbeatEveryMs } from '../activities/heartbeats.js';
import type { Tracing } from '../telemetry/tracing.js';
import type { LedgerNames } from '../workflows/names.js';
import { traceActivities } from './trace-activities.js';
import { unreplayableFails, type WorkflowCode } from './workflow-code.js';

/** Requests under way get this long at a stop; then they are aborted, and their rows are polled again later. */
const graceMs = 10_000;

export interface Serving {
  readonly namespace: string;
  readonly names: LedgerNames;
  readonly activities: Activities;
  readonly code: WorkflowCode;
  readonly workerDeploymentOptions: WorkerDeploymentOptions;
  readonly ordersPerSecond: number | null;
  /** Records every attempt of an activity. */
  readonly tracing: Tracing | null;
}

/** Options of the worker for workflows and light activities, and of the one for rate-limited orders. */
export function workerOptions({
  names,
  code,
  ordersPerSecond,
  tracing,
  ...serving
}: Serving): readonly WorkerOptions[] {
  const common = {
    ...{ ...serving, shutdownGraceTime: graceMs, shutdownForceTime: graceMs + 5_000 },
    // Heartbeats go out as they come: the SDK would hold them back until four fifths of the time limit are over.
    maxHeartbeatThrottleInterval: heartbeatEveryMs,
    ...(tracing && { interceptors: { activity: [traceActivities(tracing)] } }),
  };
  const making = {
    ...common,
    ...code,
    taskQueue: names.workflowQueue,
    workflowFailureErrorTypes: unreplayableFails,
    maxCachedWorkflows: 200,
    maxConcurrentActivityTaskExecutions: 600,
    maxConcurrentWorkflowTaskExecutions: 20,
    // A third of the server's work per activity: it starts on the worker that asked for it, without the queue.
    maxEagerActivityReservationsPerWorkflowTask: 100,
    // A killed worker's workflows are taken up by its successor after a second instead of ten.
    stickyQueueScheduleToStartTimeout: '1s',
  } as const;
  // Polled even when no rate is set: a slice that began under one continues.
  const ordering = {
    ...common,
    taskQueue: names.orderQueue,
    maxConcurrentActivityTaskExecutions: 200,
    ...(ordersPerSecond !== null && { maxTaskQueueActivitiesPerSecond: ordersPerSecond }),
  };
  return [making, ordering];
}
