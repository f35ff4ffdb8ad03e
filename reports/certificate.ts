import type { BatchView } from '../ledger/batches/batches.js';
import type { CertificateFacts } from '../ledger/progress/settle.js';

/**
 * What a batch comes down to, for whoever has to sign it off: rows in and out, money to the unit, the plan that was
 * approved and by whom, and the head of the audit chain that it can be held against.
 */
export function certificate(batch: BatchView, facts: CertificateFacts, nowMs: number): string {
  const { money, audit } = facts;
  const document = {
    batch: batch.batchId,
    campaign: batch.campaign,
    manifest: batch.manifestName,
    service: { name: batch.service.name, base_url: batch.service.baseUrl },
    rehearsal: facts.rehearsal,
    provisional: facts.provisional,
    state: batch.state,
    state_reason: batch.stateReason,
    rows: { in: facts.rowsIn, out: facts.rowsOut, by_state: facts.counts },
    money: {
      currency: money.currency,
      estimated_minor: money.estimated,
      approved_minor: money.approved,
      held_minor: money.held,
      posted_minor: money.posted,
      refunded_minor: money.refunded,
      returned_minor: money.returned,
      overrun_minor: money.overrun,
      unknown_minor: money.unknown,
    },
    assumptions: facts.assumptions,
    plan_digest: facts.planDigest,
    budget: batch.settings.budgetPath,
    submitted: { by: batch.submittedBy, at: timeOf(batch.submittedAtMs) },
    decision: batch.decision && {
      kind: batch.decision.kind,
      by: batch.decision.by,
      at: timeOf(batch.decision.atMs),
      self_approved: batch.decision.selfApproved,
      reason: batch.decision.reason,
    },
    settled_at: batch.settledAtMs === null ? null : timeOf(batch.settledAtMs),
    ledger: facts.ledgerId,
    audit: { length: audit.length, head: audit.head },
    written_at: timeOf(nowMs),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
