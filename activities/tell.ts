import type { CreateAnswer } from '../domain/answers/create-answer.js';
import { statusMeaning } from '../domain/answers/movie-status.js';
import type { AnswerRecorded } from '../ledger/orders/record-answer.js';
import type { Poll } from '../ledger/progress/polls.js';
import { answerWords } from '../reports/wording/answer-words.js';
import type { EventKind, WorkEvent } from '../reports/wording/work-event.js';
import type { ActivityDeps } from './deps.js';

type Telling = Pick<ActivityDeps, 'onEvent' | 'clock'>;

/** Tells whoever listens what happened just now. */
export function tell({ onEvent, clock }: Telling, event: Omit<WorkEvent, 'atMs'>): void {
  onEvent?.({ atMs: clock(), ...event });
}

interface OfOrder {
  readonly batchId: string;
  readonly rowKey: string;
  readonly attempt: number;
  readonly requestId: string | null;
}

/** What became of an order, once it is recorded. */
export function tellAnswer(
  deps: Telling,
  order: OfOrder,
  { answer, recorded }: { readonly answer: CreateAnswer; readonly recorded: AnswerRecorded },
): void {
  if (!deps.onEvent) return;
  const detail = recorded.kind === 'wait' ? recorded.message : answerWords(answer);
  tell(deps, { ...order, kind: kindOf(answer, recorded), detail });
}

function kindOf(answer: CreateAnswer, recorded: AnswerRecorded): EventKind {
  switch (recorded.kind) {
    case 'running':
      return 'ordered';
    case 'settled':
      return answer.kind === 'refused' ? 'rejected' : 'unknown';
    case 'blocked':
    case 'wait':
      return 'waits';
    default:
      return recorded satisfies never;
  }
}

/** What a look at a movie showed, where it is more than that it goes on. */
export function tellPoll(deps: Telling, batchId: string, poll: Poll): void {
  if (!deps.onEvent) return;
  const row = { batchId, rowKey: poll.rowKey };
  if (poll.kind === 'unanswered') {
    tell(deps, { ...row, kind: 'waits', detail: poll.alarm });
    return;
  }
  const meaning = statusMeaning(poll.status);
  if (meaning.kind !== 'end') return;
  const kind: EventKind = meaning.end === 'completed' ? 'finished' : meaning.end;
  tell(deps, { ...row, kind, detail: poll.error === null ? '' : `${poll.error.code}: ${poll.error.message}` });
}
