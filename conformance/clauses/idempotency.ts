import { Movie } from '../../api/contract.js';
import { type Clause, NotTestable, require } from '../clause.js';
import { type Answer, bodyOf, errorOf, type Session } from '../session.js';

/** What a service does with a repeated Idempotency-Key, which the interface does not show. */
export interface IdempotencyFinding {
  /** The same request again: the same movie, a refusal, or a second movie. */
  readonly sameRequest: 'replay' | 'conflict' | 'none' | 'unknown';
  /** Another request under the same key: the first movie, a refusal, or a movie of its own. */
  readonly otherRequest: 'first movie' | 'refused' | 'new movie' | 'unknown';
}

export async function findIdempotency(session: Session): Promise<IdempotencyFinding> {
  const { movie, request } = await session.movie();
  const again = async (body: object) => outcomeOf(await repeat(session, body), movie);
  const same = await again(request);
  const other = await again({ ...request, prompt: `${request.prompt} Under the same key.` });
  return {
    sameRequest: ({ first: 'replay', refused: 'conflict', new: 'none', unclear: 'unknown' } as const)[same],
    otherRequest: ({ first: 'first movie', refused: 'refused', new: 'new movie', unclear: 'unknown' } as const)[other],
  };
}

/** Both requests of the finding. */
const idempotencyCreates = 2;

export function idempotencyClauses(find: () => Promise<IdempotencyFinding>): readonly Clause[] {
  return [
    {
      id: 'create.retry-safely',
      section: 'Endpoints',
      says: 'The Idempotency-Key is used to retry creation safely: the same request again makes no second movie',
      creates: idempotencyCreates,
      async check() {
        const { sameRequest } = await find();
        if (sameRequest === 'none') {
          throw new NotTestable(
            'what a repeated key does is not shown; here it makes a second movie, so do not retry creates',
          );
        }
        require(sameRequest !== 'unknown', 'neither repeated nor refused a create with a key that it had seen');
      },
    },
    {
      id: 'create.key-of-another-request',
      section: 'Endpoints',
      says: 'A key that was used for another request is not shown to make a movie',
      creates: 0,
      async check() {
        const { sameRequest, otherRequest } = await find();
        if (sameRequest === 'none') throw new NotTestable('this service does not look at the key');
        require(otherRequest !==
          'unknown', 'neither answered nor refused another request under a key that it had seen');
      },
    },
  ];
}

function repeat({ call, keys }: Session, body: object): Promise<Answer> {
  return call('createMovie', { body, headers: { 'Idempotency-Key': keys.movie } });
}

function outcomeOf(answer: Answer, first: Movie): 'first' | 'refused' | 'new' | 'unclear' {
  if (answer.status >= 500) return 'unclear';
  if (answer.status >= 400) return errorOf(answer) && 'refused';
  return bodyOf(answer, Movie).id === first.id ? 'first' : 'new';
}
