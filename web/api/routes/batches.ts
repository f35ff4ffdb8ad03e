import { z } from 'zod';
import { batchStates } from '../../../domain/batch-state.js';
import { rowClasses } from '../../../domain/row-class.js';
import { rowStates } from '../../../domain/row-state.js';
import { listBatches, listRows, readBatch } from '../../../operations/batches.js';
import { apiRoute, json } from '../api-route.js';
import { cursorAt, Position, pageQuery, placeOf } from '../cursor.js';
import { BatchDetail, BatchList, batchJson } from '../schemas/batch.js';
import { RowList, rowJson } from '../schemas/row.js';
import { waitingOf } from '../waiting.js';

/** One value or several: `?state=a&state=b`. */
function several<Word extends string>(words: readonly [Word, ...Word[]]) {
  const word = z.enum(words);
  return z.union([word.transform((one): Word[] => [one]), z.array(word)]).optional();
}

const name = z.string().min(1).max(300);
const BatchPlace = z.tuple([z.int(), name]);

export const batchRoutes = [
  apiRoute({
    ...{ operationId: 'listBatches', method: 'get', path: '/batches' },
    summary: 'List batches',
    description: 'The newest first; only those that the person may see.',
    query: z.strictObject({ ...pageQuery, campaign: name.optional(), state: several(batchStates) }),
    answers: { 200: { description: 'A page of batches', schema: BatchList } },
    refusals: [],
    async handle({ deps, actor, query: { limit, cursor, campaign, state } }) {
      const [submittedAtMs, batchId] = cursor === undefined ? [] : placeOf(cursor, BatchPlace);
      const found = await listBatches(deps, {
        ...{ actor, limit: limit + 1 },
        ...(campaign !== undefined && { campaign }),
        ...(state && { states: state }),
        ...(submittedAtMs !== undefined && batchId !== undefined && { before: { submittedAtMs, batchId } }),
      });
      const page = found.slice(0, limit);
      const last = page.at(-1)?.batch;
      const next = found.length > limit && last ? cursorAt([last.submittedAtMs, last.batchId]) : null;
      return json({ data: page.map(batchJson), next });
    },
  }),
  apiRoute({
    ...{ operationId: 'getBatch', method: 'get', path: '/batches/{batch}' },
    summary: 'Get a batch',
    description: 'Its present state: rows by state, money, stops, and why it waits.',
    answers: { 200: { description: 'The batch', schema: BatchDetail } },
    refusals: ['unknown-batch'],
    async handle({ deps, actor, path: { batch: batchId = '' } }) {
      const status = await readBatch(deps, { batchId, actor });
      return json({ ...batchJson(status), waiting: await waitingOf(deps, status, actor) });
    },
  }),
  apiRoute({
    ...{ operationId: 'listRows', method: 'get', path: '/batches/{batch}/rows' },
    summary: 'List the rows of a batch',
    description: 'In the order of the sheet.',
    query: z.strictObject({
      ...pageQuery,
      state: several(rowStates),
      class: several(rowClasses),
      prefix: name.optional().meta({ description: 'Only rows whose id begins with this' }),
    }),
    answers: { 200: { description: 'A page of rows', schema: RowList } },
    refusals: ['unknown-batch', 'archived'],
    async handle({ deps, actor, path: { batch: batchId = '' }, query }) {
      const { limit, cursor, state, class: classes, prefix } = query;
      const [afterPosition] = cursor === undefined ? [] : placeOf(cursor, Position);
      const { batch } = await readBatch(deps, { batchId, actor });
      const found = await listRows(deps, {
        ...{ batchId, actor, limit: limit + 1 },
        ...(state && { states: state }),
        ...(classes && { classes }),
        ...(prefix !== undefined && { keyPrefix: prefix }),
        ...(afterPosition !== undefined && { afterPosition }),
      });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const next = found.length > limit && last ? cursorAt([last.position]) : null;
      return json({ data: page.map((row) => rowJson(row, batch.money.currency)), next });
    },
  }),
];
