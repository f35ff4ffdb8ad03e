import type { CreateAnswer } from '../../domain/answers/create-answer.js';
import { printable } from './printable.js';

/** What came back from one send of an order. */
export function answerWords(answer: CreateAnswer): string {
  switch (answer.kind) {
    case 'movie':
      return `accepted as ${answer.movieId}${answer.echo === 'matches' ? '' : ', but the answer does not match the order'}`;
    case 'broken':
      return 'accepted without a usable movie id';
    case 'refused':
      return refusal(answer);
    case 'not_connected':
      return 'the service could not be reached; nothing left';
    case 'withheld':
      return `not sent: ${printable(answer.why)}`;
    case 'lost':
      return answer.answered === undefined
        ? 'no answer came'
        : `${refusal(answer.answered)}; it may have been accepted`;
    default:
      return answer satisfies never;
  }
}

interface Refusal {
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
}

function refusal({ status, code, message }: Refusal): string {
  return `answered ${status}${code === null ? '' : ` ${code}`}: ${printable(message)}`;
}
