import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Tracing } from '../telemetry/tracing.js';

/** Records a span for each attempt of an activity, in the trace of its batch. */
export function traceActivities(tracing: Tracing): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      execute(input, next) {
        const [batchId, second] = input.args;
        if (typeof batchId !== 'string') return next(input); // not about a batch
        const attributes = {
          'temporal.workflow_id': info.workflowExecution?.workflowId ?? '',
          'temporal.attempt': info.attempt,
          ...(Array.isArray(second) && { 'greenlight.rows': second.map(String) }),
        };
        return tracing.span(info.activityType, { batchId, attributes }, () => next(input));
      },
    },
  });
}
