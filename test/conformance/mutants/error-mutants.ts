import { type Operation, routes } from '../../../api/contract.js';
import { type Breakage, type Mutant, problem, requestHeaders, responses, withJson } from './mutant.js';

const operations = Object.keys(routes) as Operation[];
const isError = (status: number) => status >= 400;
const isLimited = (status: number) => status === 429;
const otherKey = 'Bearer other-key-of-the-mutants';

/** Keys, errors, rate limits, other accounts and events. */
export const errorMutants: readonly Mutant[] = [
  ...operations.map((operation): Mutant => ({
    name: `${operation} needs no key`,
    clause: `authentication.missing.${operation}`,
    breakage: () => async (request, next, asked) =>
      next(asked === operation && !request.headers.has('authorization') ? withKey(request) : request),
  })),
  {
    name: 'takes any key',
    clause: 'authentication.invalid.createMovie',
    breakage: () => async (request, next) =>
      next(request.headers.get('authorization')?.includes('not-a-key') ? withKey(request) : request),
  },
  {
    name: 'takes the beginning of a key',
    clause: 'authentication.cut.getMovie',
    breakage: () => async (request, next) =>
      next(request.headers.get('authorization') === 'Bearer key-of-the-mutant' ? withKey(request) : request),
  },
  {
    name: 'takes the key in any scheme',
    clause: 'authentication.scheme.getMovie',
    breakage: requestHeaders(operations, (headers) => {
      const given = headers.get('authorization');
      return given === null ? {} : { authorization: given.replace('Basic', 'Bearer') };
    }),
  },
  {
    name: 'answers a missing key with 403',
    clause: 'authentication.missing.createMovie',
    breakage: responses(
      'all',
      (code) => code === 401,
      async (response) => withJson(response, await response.json(), 403),
    ),
  },
  {
    name: 'cancels without a key, and answers 401',
    clause: 'cancel.no-other',
    breakage: () => async (request, next, operation) => {
      const response = await next(request);
      if (operation === 'cancelMovie' && response.status === 401) await next(withKey(request));
      return response;
    },
  },
  ...operations.map((operation): Mutant => ({
    name: `${operation} answers errors as a bare message`,
    clause: `errors.body.${operation}`,
    breakage: responses(operation, isError, (response) => withJson(response, { message: 'No' })),
  })),
  ...(['code', 'message', 'request_id'] as const).map((field): Mutant => ({
    name: `answers errors without ${field}`,
    clause: 'errors.body.getMovie',
    breakage: error(({ [field]: _, ...rest }) => rest),
  })),
  {
    name: 'gives request ids of another form',
    clause: 'errors.body.createMovie',
    breakage: error((body) => ({ ...body, request_id: '42' })),
  },
  {
    name: 'gives all errors one request id',
    clause: 'errors.request-id',
    breakage: error((body) => ({ ...body, request_id: 'req_1' })),
  },
  {
    name: 'answers errors as text/html',
    clause: 'errors.body.listAssets',
    breakage: responses('all', isError, async (response) => {
      const { status, headers } = response;
      const retryAfter = headers.get('retry-after');
      const type = { 'content-type': 'text/html', ...(retryAfter !== null && { 'retry-after': retryAfter }) };
      return new Response(await response.text(), { status, headers: type });
    }),
  },
  {
    name: 'calls an invalid request bad_request',
    clause: 'errors.code',
    breakage: error((body) => ({ ...body, code: body.code === 'invalid_request' ? 'bad_request' : body.code })),
  },
  { name: 'limits without Retry-After', clause: 'errors.rate-limit', breakage: retryAfter(null) },
  { name: 'says Retry-After in words', clause: 'errors.rate-limit', breakage: retryAfter('soon') },
  { name: 'says Retry-After: 0', clause: 'errors.rate-limit', breakage: retryAfter('0') },
  { name: 'says Retry-After: 0.5', clause: 'errors.rate-limit', breakage: retryAfter('0.5') },
  {
    name: 'says Retry-After as a date',
    clause: 'errors.rate-limit',
    breakage: retryAfter('Thu, 01 Jan 2026 00:00:00 GMT'),
  },
  ...(['getMovie', 'cancelMovie', 'listAssets'] as const).map((operation): Mutant => ({
    name: `${operation} serves another account's movies`,
    clause: `isolation.${operation}`,
    breakage: asOwn((asked) => asked === operation),
  })),
  {
    name: "takes another account's references",
    clause: 'isolation.reference',
    breakage: asOwn((asked) => asked === 'estimateMovie'),
  },
  {
    name: 'has one set of keys for all accounts',
    clause: 'isolation.idempotency-key',
    breakage: asOwn((asked) => asked === 'createMovie' || asked === 'cancelMovie'),
  },
  { name: 'sends no events', clause: 'events.webhook', event: () => null },
  {
    name: 'sends events that name no movie',
    clause: 'events.webhook',
    event: () => '{"type":"movie.updated"}',
  },
  {
    name: 'sends the first event only',
    clause: 'events.completed',
    event: (body) => (body.includes('movie.queued') ? body : null),
  },
  {
    name: 'sends events in other words',
    clause: 'events.record',
    event: (body) => body.replaceAll('"status":"planning"', '"status":"thinking"'),
  },
  {
    name: 'sends events without the times of the movie',
    clause: 'events.record',
    event: (body) => body.replaceAll(/"updated_at":"[^"]*"/g, '"updated":1'),
  },
  {
    name: 'has moved to v2',
    clause: 'get.movie',
    breakage: () => async (request, next, operation) =>
      operation === 'getMovie' ? problem(404, 'not_found') : next(request),
  },
];

function withKey(request: Request): Request {
  const changed = request.clone();
  changed.headers.set('authorization', 'Bearer key-of-the-mutants');
  return changed;
}

function asOwn(concerns: (operation: Operation | null) => boolean): () => Breakage {
  return () => async (request, next, operation) => {
    const foreign = request.headers.get('authorization') === otherKey;
    return next(foreign && concerns(operation) ? withKey(request) : request);
  };
}

function error(change: (body: Record<string, unknown>) => unknown): () => Breakage {
  return responses('all', isError, async (response) => {
    const { error: body } = (await response.json()) as { error: Record<string, unknown> };
    return withJson(response, { error: change(body) });
  });
}

function retryAfter(value: string | null): () => Breakage {
  return responses('all', isLimited, async (response) => {
    const changed = withJson(response, await response.json());
    if (value === null) changed.headers.delete('retry-after');
    else changed.headers.set('retry-after', value);
    return changed;
  });
}
