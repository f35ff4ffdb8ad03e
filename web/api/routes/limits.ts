import { limit } from '../../../operations/batch/limits.js';
import { apiRoute, json } from '../api-route.js';
import { LimitsRequest, Told } from '../schemas/acts.js';

export const limitRoutes = [
  apiRoute({
    ...{ operationId: 'limitBatch', method: 'post', path: '/batches/{batch}/limits' },
    summary: 'Change how many movies of a batch may be in progress',
    description:
      'Applies from the next order on, also while the batch runs; movies in progress continue. Needs the operator role.',
    body: LimitsRequest,
    answers: { 200: { description: 'It is recorded', schema: Told } },
    refusals: ['unknown-batch', 'wrong-state'],
    async handle({ deps, actor, path: { batch: batchId = '' }, body: { max_in_flight: maxInFlight, reason } }) {
      const { told } = await limit(deps, { batchId, actor, maxInFlight, ...(reason !== undefined && { reason }) });
      return json({ told });
    },
  }),
];
