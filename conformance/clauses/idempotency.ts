import { Movie } from '../../api/contract.js';
import { bodyOf } from '../answers.js';
import { canceledRequest, sampleRequest } from '../briefs.js';
import type { Answer } from '../calls.js';
import { type Clause, NotTestable, require } from '../clause.js';
import { requireSameJob } from '../same-record.js';
import { create, type Session } from '../session.js';

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

const concurrentCreates = 5;

export function idempotencyClauses(find: () => Promise<IdempotencyFinding>): readonly Clause[] {
  /** Keys that the service ignores cannot be judged. */
  const looksAtKeys = async () => {
    if ((await find()).sameRequest !== 'none') return;
    throw new NotTestable(
      'a repeated key makes a second movie here, which the specification leaves open, so do not retry creates',
    );
  };
  return [
    {
      id: 'create.retry-safely',
      section: 'Endpoints',
      says: 'The Idempotency-Key is used to retry creation safely: the same request again makes no second movie',
      orders: [sampleRequest, sampleRequest],
      async check(session) {
        await looksAtKeys();
        const { sameRequest } = await find();
        require(sameRequest !== 'unknown', 'neither repeated nor refused a create with a key that it had seen');
        const { movie, request } = await session.movie();
        requireNoSecond(await repeat(session, request), movie);
      },
    },
    {
      id: 'create.key-of-another-request',
      section: 'Endpoints',
      says: 'Another request under a used key is answered or refused; the specification does not say which',
      orders: [sampleRequest],
      async check() {
        await looksAtKeys();
        const { otherRequest } = await find();
        require(otherRequest !==
          'unknown', 'neither answered nor refused another request under a key that it had seen');
      },
    },
    {
      id: 'create.retry-concurrent',
      section: 'Endpoints',
      says: `The same request ${concurrentCreates} times at once, with one new key, makes one movie`,
      orders: Array.from({ length: concurrentCreates }, () => sampleRequest),
      async check(session) {
        await looksAtKeys();
        await requireOneOfMany(session);
      },
    },
    {
      id: 'create.retry-later',
      section: 'Endpoints',
      says: 'The same request again makes no second movie even when the first one is completed',
      orders: [sampleRequest],
      async check(session) {
        await looksAtKeys();
        const { request } = await session.movie();
        const completed = await session.completedMovie();
        requireNoSecond(await repeat(session, request), completed);
      },
    },
  ];
}

function requireNoSecond(answer: Answer, first: Movie): void {
  const outcome = outcomeOf(answer, first);
  require(outcome !== 'new', 'made a second movie under the key', answer);
  require(outcome !== 'unclear', 'neither repeated nor refused a create with a key that it had seen', answer);
  if (outcome === 'first') requireSameJob(first, bodyOf(answer, Movie), answer);
}

async function requireOneOfMany(session: Session): Promise<void> {
  const headers = { 'Idempotency-Key': `${session.keys.movie}-at-once` };
  const calls = Array.from({ length: concurrentCreates }, () =>
    session.call('createMovie', { body: sampleRequest, headers }),
  );
  const answers = await Promise.all(calls);
  const made = answers.filter(({ status }) => status < 300).map((answer) => ({ answer, ...bodyOf(answer, Movie) }));
  const [first] = made;
  require(first !== undefined, 'accepted none of them', answers[0]);
  for (const { id, answer } of made) require(id === first.id, 'made a second movie under the key', answer);
}

/** Once a movie has been canceled. */
export const keyClauses: readonly Clause[] = [
  {
    id: 'create.key-whole',
    section: 'Endpoints',
    says: 'Two keys that differ in their last character are two keys: the same request makes a movie for each',
    orders: [canceledRequest],
    check: (session) => checkOtherKey(session, session.keys.canceled.replace(/.$/, '_')),
  },
  {
    id: 'create.key-case',
    section: 'Endpoints',
    says: 'Two keys that differ in the case of their letters are two keys',
    orders: [canceledRequest],
    check: (session) => checkOtherKey(session, session.keys.canceled.toUpperCase()),
  },
];

async function checkOtherKey(session: Session, key: string): Promise<void> {
  await session.canceledMovie();
  const { isKnown, answer } = await create(session, canceledRequest, key);
  require(!isKnown, 'answered with the movie of another key', answer);
}

function repeat({ call, keys }: Session, body: object): Promise<Answer> {
  return call('createMovie', { body, headers: { 'Idempotency-Key': keys.movie } });
}

function outcomeOf(answer: Answer, first: Movie): 'first' | 'refused' | 'new' | 'unclear' {
  if (answer.status >= 500) return 'unclear';
  if (answer.status >= 400) return 'refused';
  return bodyOf(answer, Movie).id === first.id ? 'first' : 'new';
}
