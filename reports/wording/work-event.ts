import { printable } from './printable.js';
import { formatTime } from './time-text.js';

/** What can happen to a batch or a row that a person wants to hear of. */
export type EventKind =
  | 'priced'
  | 'ordered'
  /** The service's answer to an order, where it is not that it was accepted. */
  | 'answered'
  | 'waits'
  | 'rejected'
  | 'unknown'
  | 'finished'
  | 'failed'
  | 'canceled'
  | 'delivered'
  | 'lost'
  | 'settled'
  /** Work on a batch ended before its rows did, and was started again. */
  | 'restarted'
  /** Something a person, or the books by themselves, did with the batch. */
  | 'act';

/** One thing that happened, for a log. */
export interface WorkEvent {
  readonly atMs: number;
  readonly kind: EventKind;
  readonly batchId: string;
  /** Null for what concerns the whole batch. */
  readonly rowKey: string | null;
  /** What more there is to say; empty where the kind says it all. */
  readonly detail: string;
  /** Of the row, where one order is meant. */
  readonly attempt?: number;
  /** The service's own number for the request. */
  readonly requestId?: string | null;
}

/** Hears of each event in the order in which it happens; must not throw. */
export type OnEvent = (event: WorkEvent) => void;

const kindWords: Readonly<Record<EventKind, string>> = {
  priced: 'priced',
  ordered: 'ordered',
  answered: '',
  waits: 'waits',
  rejected: 'rejected',
  unknown: 'unknown',
  finished: 'finished at the service',
  failed: 'failed',
  canceled: 'canceled',
  delivered: 'delivered',
  lost: 'lost',
  settled: 'settled',
  restarted: '',
  act: '',
};

/** As `2026-11-28T14:02:11+01:00 spring-1 ep-07 delivered: as ordered, 4 files`. */
export function eventLine(event: WorkEvent): string {
  return `${formatTime(event.atMs)} ${eventWords(event)}`;
}

/** The same without its time. */
export function eventWords({ kind, batchId, rowKey, detail }: WorkEvent): string {
  const subject = rowKey === null ? batchId : `${batchId} ${rowKey}`;
  const words = printable(detail);
  const said = kindWords[kind];
  if (said === '') return `${subject} ${words}`;
  return `${subject} ${said}${words === '' ? '' : `: ${words}`}`;
}

/** The same where it is clear which batch is meant. */
export function eventOfBatch(event: WorkEvent): string {
  return eventWords(event).slice(event.batchId.length).trimStart();
}

/** An event for programs: a line of its own. */
export function eventJson({ atMs, kind, batchId, rowKey, detail, attempt, requestId }: WorkEvent) {
  return {
    ...{ at: new Date(atMs).toISOString(), event: kind, batch: batchId, id: rowKey },
    ...(attempt !== undefined && { attempt }),
    ...(requestId && { request_id: requestId }),
    detail: detail || null,
  };
}

/** What is said of a delivered movie. */
export function deliveredWords(verdict: string | null, files: number): string {
  return `${verdict ?? 'saved'}, ${files === 1 ? '1 file' : `${files} files`}`;
}
