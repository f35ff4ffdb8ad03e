import { cancel, previewCancel } from '../../../operations/cancels.js';
import { retry } from '../../../operations/retries.js';
import { apiRoute, json } from '../api-route.js';
import { Canceled, CancelPreview, CancelQuestion, CancelRequest, Retried, RetryRequest } from '../schemas/acts.js';
import { amountJson } from '../schemas/amount.js';

export const cancelAndRetryRoutes = [
  apiRoute({
    ...{ operationId: 'previewCancel', method: 'post', path: '/batches/{batch}/cancel-preview' },
    summary: 'Preview a cancel',
    description: 'What a cancel would do now, in rows and money. Changes nothing.',
    body: CancelQuestion,
    answers: { 200: { description: 'Rows and money by what would become of them', schema: CancelPreview } },
    refusals: ['unknown-batch', 'unknown-row'],
    async handle({ deps, actor, path: { batch: batchId = '' }, body }) {
      const { currency, charged, ...effects } = await previewCancel(deps, { batchId, actor, rowKeys: body.rows });
      const sums = Object.entries(effects).map(([effect, { rows, amountMinor }]) => [
        effect,
        { rows, amount: amountJson({ amountMinor, currency }) },
      ]);
      return json({ ...Object.fromEntries(sums), charged });
    },
  }),
  apiRoute({
    ...{ operationId: 'cancelRows', method: 'post', path: '/batches/{batch}/cancel' },
    summary: 'Cancel rows of a batch, or all',
    description:
      'Rows that were not sent end at once; the service is asked to cancel movies in progress; finished movies are kept. Safe to repeat. Allowed for operators, and for submitters on their own batches.',
    body: CancelRequest,
    answers: { 200: { description: 'It is recorded', schema: Canceled } },
    refusals: ['unknown-batch', 'unknown-row', 'wrong-state'],
    async handle({ deps, actor, path: { batch: batchId = '' }, body }) {
      const { rows, told } = await cancel(deps, { batchId, actor, rowKeys: body.rows, reason: body.reason });
      return json({ rows, told });
    },
  }),
  apiRoute({
    ...{ operationId: 'retryRows', method: 'post', path: '/batches/{batch}/retry' },
    summary: 'Retry rows of a batch',
    description:
      'Plans them again as a new batch, which is priced and needs an approval like any other. Needs the operator role.',
    body: RetryRequest,
    answers: { 201: { description: 'Stored as a new batch', schema: Retried } },
    refusals: ['unknown-batch', 'unknown-row', 'wrong-state', 'archived'],
    async handle({ deps, actor, path: { batch: batchId = '' }, body }) {
      const { batchId: batch, told } = await retry(deps, { batchId, actor, rowKeys: body.rows });
      return json({ batch, told }, 201);
    },
  }),
];
