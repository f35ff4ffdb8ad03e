import type { CreateAnswer } from './create-answer.js';

/** What the service does with a repeated idempotency key; found by the conformance command, set as policy. */
export const idempotencyModes = ['replay', 'conflict', 'none'] as const;
export type IdempotencyMode = (typeof idempotencyModes)[number];

export interface SendSituation {
  readonly mode: IdempotencyMode;
  /** An earlier send of this attempt was not proved to have created nothing. */
  readonly earlierMayHaveArrived: boolean;
  /** A cancel of the row was recorded: a repeat could create what nobody wants any more. */
  readonly canceled: boolean;
  /** Since the attempt's first send, against the time for which the service remembers a key. */
  readonly withinWindow: boolean;
}

/** What the answer makes of the row. `proved`: this send certainly created nothing. */
export type CreateOutcome =
  | { readonly kind: 'running'; readonly movieId: string; readonly alarm: string | null }
  | { readonly kind: 'again'; readonly proved: boolean; readonly delayMs: number | null; readonly why: string }
  | { readonly kind: 'canceled'; readonly why: string }
  | { readonly kind: 'rejected'; readonly why: string }
  /** Not the row's fault: it is planned again, and the batch stops. */
  | { readonly kind: 'replanned'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string; readonly stopBatch: boolean };

type AnswerClass =
  | 'movie'
  | 'other_movie'
  | 'no_id'
  | 'not_connected'
  | 'withheld'
  | 'rate_limited'
  | 'refused'
  | 'credentials'
  | 'conflict'
  | 'unlisted'
  | 'lost';
type Cell = 'running' | 'alarm' | 'again' | 'rejected' | 'replanned' | 'unknown' | 'stop_unknown' | 'repeat';

/**
 * The table of outcomes: what an answer means when no earlier send of the attempt can have arrived, and when one may
 * have. `again` waits and sends the same bytes. So does `repeat` where the service replays a key, until its memory
 * ends; elsewhere the outcome stays unknown and nothing is sent.
 */
const table: Readonly<Record<AnswerClass, readonly [first: Cell, later: Cell]>> = {
  movie: ['running', 'running'],
  other_movie: ['alarm', 'alarm'],
  no_id: ['unknown', 'unknown'],
  not_connected: ['again', 'again'],
  withheld: ['again', 'again'],
  rate_limited: ['again', 'again'],
  refused: ['rejected', 'unknown'],
  credentials: ['replanned', 'stop_unknown'],
  conflict: ['repeat', 'repeat'],
  lost: ['repeat', 'repeat'],
  // A refusal that the interface does not name proves nothing about what was done before it.
  unlisted: ['unknown', 'unknown'],
};

/** The definite word of the service that it did not create anything, or that nothing left this machine. */
const provesNothingCreated: readonly AnswerClass[] = [
  'not_connected',
  'withheld',
  'rate_limited',
  'refused',
  'credentials',
];

export function createOutcome(answer: CreateAnswer, situation: SendSituation): CreateOutcome {
  const answerClass = classOf(answer);
  const proved = provesNothingCreated.includes(answerClass);
  const cell = table[answerClass][situation.earlierMayHaveArrived ? 1 : 0];
  const why = reasonOf(answer);
  switch (cell) {
    case 'running':
    case 'alarm':
      return { kind: 'running', movieId: idOf(answer), alarm: cell === 'alarm' ? why : null };
    case 'rejected':
    case 'replanned':
      return situation.canceled ? { kind: 'canceled', why } : { kind: cell, why };
    case 'unknown':
    case 'stop_unknown':
      return { kind: 'unknown', why, stopBatch: cell === 'stop_unknown' };
    case 'again':
      if (!situation.canceled) return { kind: 'again', proved, delayMs: delayOf(answer), why };
      return situation.earlierMayHaveArrived ? { kind: 'unknown', why, stopBatch: false } : { kind: 'canceled', why };
    case 'repeat': {
      const barred = whyNoRepeat(situation);
      if (barred !== null) return { kind: 'unknown', why: `${why}; ${barred}`, stopBatch: false };
      return { kind: 'again', proved, delayMs: delayOf(answer), why };
    }
    default:
      return cell satisfies never;
  }
}

/**
 * Why a send that may have arrived must not be repeated, or null where it may. A POST with the same key is a create:
 * it is one movie only where the service replays the key, only while it remembers it, and never after a cancel.
 */
export function whyNoRepeat({
  mode,
  canceled,
  withinWindow,
}: Omit<SendSituation, 'earlierMayHaveArrived'>): string | null {
  if (canceled) return 'it was canceled since, so nothing more is sent';
  if (mode !== 'replay') return `the service does not replay a key (${mode}), so nothing more is sent`;
  return withinWindow ? null : 'the service may have forgotten the key, so nothing more is sent';
}

function classOf(answer: CreateAnswer): AnswerClass {
  switch (answer.kind) {
    case 'movie':
      return answer.echo === 'matches' ? 'movie' : 'other_movie';
    case 'broken':
      return 'no_id';
    case 'not_connected':
    case 'withheld':
    case 'lost':
      return answer.kind;
    case 'refused':
      return refusalClass(answer.status);
    default:
      return answer satisfies never;
  }
}

function refusalClass(status: number): AnswerClass {
  if ([400, 404, 413, 415, 422].includes(status)) return 'refused';
  if ([401, 402, 403].includes(status)) return 'credentials';
  if (status === 409) return 'conflict';
  return status === 429 ? 'rate_limited' : 'unlisted';
}

function idOf(answer: CreateAnswer): string {
  if (answer.kind !== 'movie') throw new Error(`Cannot run a movie: the answer is ${answer.kind}, it names none`);
  return answer.movieId;
}

function delayOf(answer: CreateAnswer): number | null {
  if (answer.kind === 'withheld') return 0;
  return answer.kind === 'refused' || answer.kind === 'lost' ? (answer.retryAfterMs ?? null) : null;
}

function reasonOf(answer: CreateAnswer): string {
  switch (answer.kind) {
    case 'movie':
      return 'the answer of the service does not match the order';
    case 'broken':
      return 'the service accepted the order and gave no usable movie id';
    case 'not_connected':
      return 'the service cannot be reached';
    case 'withheld':
      return answer.why;
    case 'lost':
      return answer.answered === undefined
        ? 'the answer of the service was lost'
        : `${words(answer.answered)}; it may have accepted the order before`;
    case 'refused':
      return words(answer);
    default:
      return answer satisfies never;
  }
}

function words(answered: { readonly status: number; readonly code: string | null; readonly message: string }): string {
  const { status, code, message } = answered;
  const said = message.indexOf(`the service answered ${status}`);
  if (said >= 0) return message.slice(said); // the client's own message says it all
  return `the service answered ${status}${code === null ? '' : ` ${code}`}: ${message}`;
}
