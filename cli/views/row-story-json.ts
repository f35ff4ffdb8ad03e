import type { SendRecord } from '../../ledger/orders/order-history.js';
import type { RowHistory } from '../../operations/row-history.js';
import { timeJson } from '../../reports/time-json.js';
import { reasonJson, rowJson } from './batch-json.js';

/** The story of a row for programs. Money is in minor units of the batch's currency. */
export function rowStoryJson(history: RowHistory, nowMs: number) {
  const { row, status, reasons, attempts, entries, audit } = history;
  const { brief } = row;
  return {
    ...{ batch: status.batch.batchId, campaign: status.batch.campaign, currency: status.batch.money.currency },
    ...rowJson(row),
    brief: {
      ...{ prompt: brief.prompt, duration_seconds: brief.durationSeconds, aspect_ratio: brief.aspectRatio },
      ...{ style: brief.style, references: brief.references.length, digest: row.contentDigest },
    },
    cells: Object.fromEntries(status.batch.columns.map((name, index) => [name, row.cells[index] ?? ''])),
    looks: { count: row.polls, next: timeJson(row.nextLookAtMs), deadline: timeJson(row.deadlineAtMs) },
    reasons: reasons.map((reason) => reasonJson(reason, nowMs)),
    attempts: attempts.map((attempt) => ({
      ...{ attempt: attempt.attempt, batch: attempt.batchId, amount_minor: attempt.amountMinor, money: attempt.money },
      ...{ movie_id: attempt.movieId, idempotency_key: attempt.idempotencyKey },
      sends: attempt.archived ? null : attempt.sends.map(sendJson),
    })),
    entries: entries.map(({ atMs, kind, attempt, amountMinor, note }) => ({
      ...{ at: timeJson(atMs), kind, attempt, amount_minor: amountMinor, note },
    })),
    audit: audit.map(({ seq, atMs, actor, act, detail }) => ({
      ...{ seq, at: timeJson(atMs), by: actor.name, channel: actor.channel, act, detail },
    })),
  };
}

function sendJson({ atMs, answeredMs, answer, requestId }: SendRecord) {
  return { at: timeJson(atMs), answered_at: timeJson(answeredMs), answer, request_id: requestId };
}
