import type { RowCounts } from '../../domain/batch-state.js';
import type { Stop } from '../../domain/stop.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import type { RowView } from '../../ledger/batches/rows.js';
import type { InvoicedShare } from '../../ledger/money/invoiced-batches.js';
import { decisionJson } from '../../reports/decision-json.js';
import { timeJson } from '../../reports/time-json.js';
import { reasonWords, type WaitReason } from '../../reports/wording/wait-reason.js';

/** A batch for programs. Money is in minor units of its currency. */
export function batchJson(batch: BatchView, counts: RowCounts, invoiced?: InvoicedShare) {
  return {
    batch: batch.batchId,
    campaign: batch.campaign,
    service: { name: batch.service.name, base_url: batch.service.baseUrl, rehearsal: batch.service.rehearsal },
    status: batch.state,
    reason: batch.stateReason,
    digest: batch.planDigest,
    submitted_by: batch.submittedBy,
    submitted_at: timeJson(batch.submittedAtMs),
    decision: batch.decision && decisionJson(batch.decision),
    expires_at: timeJson(batch.expiresAtMs),
    settled_at: timeJson(batch.settledAtMs),
    max_in_flight: batch.maxInFlight,
    archived_at: timeJson(batch.archivedAtMs),
    stops: batch.stops.map(stopJson),
    counts,
    money: batch.money,
    ...(invoiced && { invoiced }),
    waiting: waitingOf(batch, counts),
  };
}

function stopJson({ kind, sinceMs, detail, endsBy, command }: Stop) {
  return { kind, since: sinceMs > 0 ? timeJson(sinceMs) : null, detail, ends_by: endsBy, command };
}

/** What keeps rows from being ordered, and who can do something about it. */
function waitingOf({ batchId, state, stops }: BatchView, counts: RowCounts) {
  const rows = (counts.planned ?? 0) + (counts.blocked ?? 0);
  if (state === 'waiting')
    return [{ rows, reason: 'approval', ends_by: 'finance', command: `greenlight approve ${batchId}` }];
  if (rows === 0 || state !== 'making') return [];
  if (stops.length === 0) return [{ rows, reason: 'in_flight', ends_by: null, command: null }];
  return stops.map(({ kind, endsBy, command }) => ({ rows, reason: kind, ends_by: endsBy, command }));
}

/** A reason why a batch does not go on, as screens word it and in parts. */
export function reasonJson(reason: WaitReason, nowMs: number) {
  const { kind, rows, what, sinceMs, untilMs, endsBy, who, command } = reason;
  return {
    ...{ kind, rows: rows?.count ?? null, what, since: timeJson(sinceMs), until: timeJson(untilMs), ends_by: endsBy },
    ...{ who, command, words: reasonWords(reason, nowMs) },
  };
}

/** A row of `status --rows`. */
export function rowJson(row: RowView) {
  return {
    id: row.rowKey,
    row: row.row,
    class: row.class,
    state: row.state,
    amount_minor: row.amountMinor,
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
    files: row.files.map(({ path, type, sizeBytes, sha256 }) => ({ path, type, size_bytes: sizeBytes, sha256 })),
  };
}
