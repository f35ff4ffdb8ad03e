import { type Breakage, type Mutant, problem, requestHeaders, withJson } from './mutant.js';

const create = 'createMovie';

/** What a key may not do; one that is not looked at at all is a finding, not a breach. */
export const idempotencyMutants: readonly Mutant[] = [
  {
    name: 'makes a movie for each of five repeats at once',
    clause: 'create.retry-concurrent',
    breakage: () => {
      let atOnce = 0;
      return async (request, next, operation) => {
        if (operation !== create) return next(request);
        atOnce += 1;
        const raced = atOnce > 1;
        try {
          return await next(raced ? withKey(request, (key) => `${key}-${crypto.randomUUID()}`) : request);
        } finally {
          atOnce -= 1;
        }
      };
    },
  },
  {
    name: 'forgets the key once its movie is completed',
    clause: 'create.retry-later',
    breakage: () => {
      let completed = false;
      return async (request, next, operation) => {
        if (operation === create && completed) return next(withKey(request, (key) => `${key}-2`));
        const response = await next(request);
        if (operation === 'getMovie' && response.ok) {
          completed ||= ((await response.clone().json()) as { status: string }).status === 'completed';
        }
        return response;
      };
    },
  },
  {
    name: 'answers repeats with 500',
    clause: 'create.retry-safely',
    breakage: repeated(() => problem(500, 'internal_error')),
  },
  {
    name: 'shows the repeat as made anew',
    clause: 'create.retry-safely',
    breakage: repeated(async (response) =>
      withJson(response, { ...((await response.json()) as object), created_at: '2026-06-01T00:00:00Z' }),
    ),
  },
  {
    name: 'looks at the first 64 characters of a key',
    clause: 'create.key-whole',
    breakage: requestHeaders(create, (headers) => {
      const key = headers.get('idempotency-key');
      return key === null || key.length > 255 ? {} : { 'idempotency-key': key.slice(0, 64) };
    }),
  },
  {
    name: 'takes letters of both cases for one key',
    clause: 'create.key-case',
    breakage: () => async (request, next, operation) =>
      next(operation === create ? withKey(request, (key) => key.toLowerCase()) : request),
  },
  {
    name: 'finds the same request without looking at the key',
    clause: 'create.key-whole',
    breakage: () => {
      const made = new Map<string, Response>();
      return async (request, next, operation) => {
        if (operation !== create) return next(request);
        const body = await request.clone().text();
        const earlier = made.get(body);
        if (earlier) return earlier.clone();
        const response = await next(request);
        if (response.status === 202) made.set(body, response.clone());
        return response;
      };
    },
  },
  {
    name: 'takes no key for the last key',
    clause: 'create.without-key',
    breakage: () => {
      let last: Response | null = null;
      return async (request, next, operation) => {
        if (operation !== create) return next(request);
        if (last && !request.headers.has('idempotency-key') && request.headers.has('authorization'))
          return last.clone();
        const response = await next(request);
        if (response.status === 202) last = response.clone();
        return response;
      };
    },
  },
];

function withKey(request: Request, change: (key: string) => string): Request {
  const key = request.headers.get('idempotency-key');
  const changed = request.clone();
  if (key !== null && key.length <= 200) changed.headers.set('idempotency-key', change(key));
  else if (key?.length === 255) changed.headers.set('idempotency-key', change(key).slice(-255));
  return changed;
}

function repeated(change: (response: Response) => Response | Promise<Response>): () => Breakage {
  return () => async (request, next, operation) => {
    const response = await next(request);
    return operation === create && response.headers.has('idempotent-replayed') ? change(response) : response;
  };
}
