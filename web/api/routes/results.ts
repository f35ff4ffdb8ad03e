import { z } from 'zod';
import { listResults, resultsCsv } from '../../../operations/batch/results.js';
import { readBatch } from '../../../operations/batches.js';
import { apiRoute, json } from '../api-route.js';
import { cursorAt, Position, pageQuery, placeOf } from '../cursor.js';
import { ResultList, resultJson } from '../schemas/row.js';

export const resultRoutes = [
  apiRoute({
    ...{ operationId: 'listResults', method: 'get', path: '/batches/{batch}/results' },
    summary: 'List the results of a batch',
    description: 'Every row of the sheet and where its movie is, whichever batch made it; in its present state.',
    query: z.strictObject(pageQuery),
    answers: { 200: { description: 'A page of results', schema: ResultList } },
    refusals: ['unknown-batch', 'archived'],
    async handle({ deps, actor, path: { batch: batchId = '' }, query: { limit, cursor } }) {
      const [afterPosition] = cursor === undefined ? [] : placeOf(cursor, Position);
      const { batch } = await readBatch(deps, { batchId, actor });
      const after = afterPosition === undefined ? {} : { afterPosition };
      const found = await listResults(deps, { batchId, actor, limit: limit + 1, ...after });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const next = found.length > limit && last ? cursorAt([last.row.position]) : null;
      return json({ data: page.map((result) => resultJson(result, batch.money.currency)), next });
    },
  }),
  apiRoute({
    ...{ operationId: 'getResultsCsv', method: 'get', path: '/batches/{batch}/results.csv' },
    summary: 'Get the results as CSV',
    description: 'The sheet as submitted, with the outcome of each row next to it. Formulas are neutralised.',
    answers: { 200: { description: 'The sheet', type: 'text/csv' } },
    refusals: ['unknown-batch', 'archived'],
    async handle({ deps, actor, path: { batch: batchId = '' } }) {
      const lines = await resultsCsv(deps, { batchId, actor });
      const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': attachment(batchId) };
      return new Response(ReadableStream.from(encoded(lines)) as unknown as ReadableStream, { headers });
    },
  }),
];

function attachment(batchId: string): string {
  return `attachment; filename="${batchId.replaceAll(/[^A-Za-z0-9._-]/g, '_')}.csv"`;
}

/** Lines in pieces that are worth a write each. */
async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < 16_384) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}
