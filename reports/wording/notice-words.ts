import { formatMoney } from '../../domain/money.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import type { Notice } from '../../ledger/notices/outbox.js';
import type { BatchFacts } from './batch-words.js';
import { stateSentence } from './batch-words.js';
import { printable } from './printable.js';
import { rowsText } from './state-words.js';
import { formatTime } from './time-text.js';

/** A notice as people read it: what is asked or said, and what there is to know. No prompt, and nothing secret. */
export interface NoticeWords {
  readonly subject: string;
  readonly lines: readonly string[];
  /** Where the desk shows more, from its own address on; nothing there decides by being opened. */
  readonly path: string;
}

/**
 * Notices of one kind on one thing, as one message.
 *
 * @param facts of the batch that they are about as it stands now; null for anything else
 * @returns null where nobody needs to hear it any more: what was asked for is decided.
 */
export function noticeWords(notices: readonly Notice[], facts: BatchFacts | null): NoticeWords | null {
  const last = notices.at(-1);
  if (!last) return null;
  if (facts === null) return otherNotice(last);
  const words = batchWords(notices, last, facts);
  const { batchId } = facts.batch;
  const path = `/batches/${encodeURIComponent(batchId)}${last.kind.startsWith('approval') ? '/plan' : ''}`;
  return words && { ...words, path };
}

function otherNotice({ kind, object, by, detail }: Notice): NoticeWords {
  const path = `/budgets`;
  if (kind === 'budget_used') {
    const subject = `Budget ${object} has passed ${detail.percent} % of its limit`;
    return { subject, lines: [`See greenlight budget list`], path };
  }
  if (kind === 'budget_stopped') {
    return { subject: `Ordering stopped under ${object} by ${by}`, lines: reasonOf(detail), path };
  }
  if (kind === 'no_worker') {
    const since = typeof detail.since_ms === 'number' ? ` since ${formatTime(detail.since_ms)}` : '';
    return {
      subject: `No worker${since}: nothing is made`,
      lines: ['greenlight worker, greenlight doctor'],
      path: '/',
    };
  }
  if (kind === 'channel_off') {
    const lines = [...reasonOf({ reason: detail.error }), `greenlight notices on ${object}`];
    return { subject: `Notices by ${object} are off: its endpoint took nothing for a day`, lines, path: '/' };
  }
  return { subject: `The ledger is halted: nothing is ordered`, lines: reasonOf(detail), path: '/' };
}

function batchWords(
  notices: readonly Notice[],
  { kind, by, detail }: Notice,
  facts: BatchFacts,
): Omit<NoticeWords, 'path'> | null {
  const { batch } = facts;
  const { batchId } = batch;
  const state = stateSentence(facts);
  switch (kind) {
    case 'approval':
    case 'approval_due':
      return approvalAsked(batch);
    case 'approved':
      return { subject: `Approved by ${by}: ${batchId}, ${priceOf(batch)}`, lines: [state] };
    case 'rejected':
      return { subject: `Rejected by ${by}: ${batchId}`, lines: reasonOf(detail) };
    case 'expired':
      return { subject: `Expired: ${batchId}; no one decided in time`, lines: ['Submit it again for a new plan'] };
    case 'plan_refused':
      return { subject: `Cannot be approved: ${batchId}`, lines: reasonOf(detail) };
    case 'finished':
    case 'unsettled':
      return { subject: `${batchId} ${state}`, lines: [moneyOf(batch)] };
    case 'stopped':
      return stopped(batch, { kind, by, detail }, state);
    case 'unknown':
      return {
        subject: `Unknown outcome: ${rowsText(rowsIn(notices))} of ${batchId}`,
        lines: ['Their money stays held until there is proof or two people decide: greenlight unknown list'],
      };
    case 'lost':
      return { subject: `Lost: ${rowsText(rowsIn(notices))} of ${batchId}`, lines: [`greenlight refetch ${batchId}`] };
    default:
      return { subject: `${batchId}: ${kind.replaceAll('_', ' ')}`, lines: [state] };
  }
}

/** As `Approve 390.00 USD: spring-launch-3, 130 rows, until 2026-12-05 14:02`. */
function approvalAsked(batch: BatchView): Omit<NoticeWords, 'path'> | null {
  const { batchId, planDigest, expiresAtMs, rowsToOrder, submittedBy, settings } = batch;
  if (batch.state !== 'waiting') return null;
  const until = expiresAtMs === null ? '' : `, until ${formatTime(expiresAtMs)}`;
  return {
    subject: `Approve ${priceOf(batch)}: ${batchId}, ${rowsText(rowsToOrder)}${until}`,
    lines: [
      `Submitted by ${submittedBy}, budget ${settings.budgetPath}`,
      `greenlight approve ${batchId} --digest ${planDigest?.slice(0, 12) ?? ''}`,
    ],
  };
}

function stopped(
  { batchId, stops }: BatchView,
  { by, detail }: Pick<Notice, 'kind' | 'by' | 'detail'>,
  state: string,
): Omit<NoticeWords, 'path'> {
  const ways = stops.map(({ endsBy, command, detail: why }) => `${printable(why)}. ${endsBy}: ${command}`);
  const who = by === 'greenlight' ? String(detail.act) : `paused by ${by}`;
  return { subject: `Ordering stopped: ${batchId} (${who})`, lines: [...ways, state] };
}

function priceOf({ totalMinor, money }: Pick<BatchView, 'totalMinor' | 'money'>): string {
  return formatMoney({ amountMinor: totalMinor ?? 0, currency: money.currency });
}

function moneyOf({ money }: Pick<BatchView, 'money'>): string {
  const { currency, approved, posted } = money;
  const amount = (amountMinor: number) => formatMoney({ amountMinor, currency });
  return `approved ${amount(approved)}, posted ${amount(posted)}`;
}

function rowsIn(notices: readonly Notice[]): number {
  return notices.reduce((sum, { detail }) => sum + (typeof detail.rows === 'number' ? detail.rows : 1), 0);
}

function reasonOf({ reason }: Notice['detail']): readonly string[] {
  return typeof reason === 'string' && reason !== '' ? [printable(reason)] : [];
}
