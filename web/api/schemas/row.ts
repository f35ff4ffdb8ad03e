import { z } from 'zod';
import { rowClasses } from '../../../domain/row-class.js';
import { rowStates } from '../../../domain/row-state.js';
import type { listResults } from '../../../operations/batch/results.js';
import type { listRows } from '../../../operations/batches.js';
import { timeJson } from '../../../reports/time-json.js';
import { Amount, amountJson } from './amount.js';

type RowView = Awaited<ReturnType<typeof listRows>>[number];
type ResultView = Awaited<ReturnType<typeof listResults>>[number];

const time = z.iso.datetime();

export const ArchivedFile = z.strictObject({
  path: z.string().meta({ description: 'Within the archive' }),
  type: z.string(),
  size_bytes: z.int(),
  sha256: z.string(),
});

export const Row = z.strictObject({
  id: z.string(),
  row: z.int().meta({ description: 'As a spreadsheet numbers it' }),
  class: z.enum(rowClasses),
  state: z.enum(rowStates),
  ordered: z.boolean().meta({ description: 'Whether this batch orders it' }),
  amount: Amount.nullable().meta({ description: 'Null for a row without a price' }),
  money: z.enum(['held', 'posted', 'released']).nullable(),
  attempt: z.int().nullable(),
  movie_id: z.string().nullable(),
  service_status: z.string().nullable(),
  percent: z.number().nullable(),
  stage: z.string().nullable(),
  blocked: z.strictObject({ reason: z.string(), since: time }).nullable(),
  cancel_requested: z.boolean(),
  reason: z.string().nullable(),
  alarm: z.string().nullable(),
  verdict: z.string().nullable(),
  ordered_at: time.nullable(),
  ended_at: time.nullable(),
  files: z.array(ArchivedFile),
});

export const RowList = z.strictObject({ data: z.array(Row), next: z.string().nullable() });

export function rowJson(row: RowView, currency: string): z.output<typeof Row> {
  return {
    id: row.rowKey,
    row: row.row,
    class: row.class,
    state: row.state,
    ordered: row.ordered,
    amount: row.amountMinor === null ? null : amountJson({ amountMinor: row.amountMinor, currency }),
    money: row.money,
    attempt: row.attempt,
    movie_id: row.movieId,
    service_status: row.serviceStatus,
    percent: row.percent,
    stage: row.stage,
    blocked: row.blocked && { reason: row.blocked.reason, since: timeJson(row.blocked.sinceMs) },
    cancel_requested: row.cancelRequested,
    reason: row.reason,
    alarm: row.alarm,
    verdict: row.verdict,
    ordered_at: timeJson(row.orderedAtMs),
    ended_at: timeJson(row.endedAtMs),
    files: row.files.map(fileJson),
  };
}

export const Result = z.strictObject({
  id: z.string(),
  row: z.int(),
  class: z.enum(rowClasses),
  state: z.enum(rowStates),
  movie_id: z.string().nullable(),
  estimated: Amount.nullable().meta({ description: 'Null for a row that is not ordered or has no price' }),
  posted: Amount.nullable().meta({ description: 'Null where nothing was posted' }),
  verdict: z.string().nullable(),
  reason: z.string().nullable(),
  files: z.array(ArchivedFile).meta({ description: 'Also of an earlier batch that delivered the same movie' }),
});

export const ResultList = z.strictObject({ data: z.array(Result), next: z.string().nullable() });

export function resultJson(result: ResultView, currency: string): z.output<typeof Result> {
  const { row, files, movieId, verdict, reason } = result;
  const amount = row.amountMinor === null ? null : amountJson({ amountMinor: row.amountMinor, currency });
  return {
    ...{ id: row.rowKey, row: row.row, class: row.class, state: row.state, movie_id: movieId },
    estimated: row.ordered ? amount : null,
    posted: row.money === 'posted' ? amount : null,
    ...{ verdict, reason, files: files.map(fileJson) },
  };
}

function fileJson({ path, type, sizeBytes, sha256 }: RowView['files'][number]): z.output<typeof ArchivedFile> {
  return { path, type, size_bytes: sizeBytes, sha256 };
}
