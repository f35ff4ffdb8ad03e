import type { z } from 'zod';
import { ErrorBody, Movie, type MovieRequest, type Operation, Reference, routes } from '../api/contract.js';
import { type Exchange, NotTestable, Violation } from './clause.js';
import { describeAnswer, describeRequest } from './exchange-text.js';
import { picture } from './samples.js';

/** A service under judgement: anything that answers requests. */
export interface Service {
  /** Ends in the version segment. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface Answer extends Exchange {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Call {
  readonly movieId?: string;
  /** JSON unless it is a form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the service's own. Null: no credential. */
  readonly apiKey?: string | null;
}

/** What the clauses share: one way of calling, the things that were made, and the account of what they may have cost. */
export interface Session {
  readonly service: Service;
  /** One request; an answer 429 is noted, waited out and asked again a few times. */
  call(operation: Operation, call?: Call): Promise<Answer>;
  /** Of the two movies: the shortest and the longest that the interface allows. */
  readonly keys: { readonly movie: string; readonly canceled: string };
  /** The one movie that is made and waited for. Made at the first call. */
  movie(): Promise<{ readonly movie: Movie; readonly answer: Answer; readonly request: MovieRequest }>;
  /** The same, once it is completed. */
  completedMovie(): Promise<Movie>;
  /** The one movie that is canceled as soon as it is made. */
  canceledMovie(): Promise<{ readonly movie: Movie; readonly cancel: Answer }>;
  /** The one uploaded picture. */
  reference(): Promise<{ readonly reference: Reference; readonly answer: Answer }>;
  /** Every answer 429 that was seen. */
  readonly rateLimited: readonly Answer[];
  /** Creates that were sent, and the movies that came of them. */
  readonly account: { readonly sent: number; readonly movieIds: readonly string[] };
  /** Cancels what is still going on; returns the movies that could not be canceled. */
  cleanUp(): Promise<readonly string[]>;
}

export interface SessionOptions {
  /** No more creates are sent than this. */
  readonly maxCreates: number;
  /** For the one movie that is waited for. */
  readonly patienceMs: number;
}

export const sampleRequest: MovieRequest = {
  prompt: 'A paper boat sails along a rain gutter and reaches the sea.',
  duration_seconds: 5,
  aspect_ratio: '16:9',
};

const pollMs = 500;
const waits429 = 5;

export function createSession(service: Service, { maxCreates, patienceMs }: SessionOptions): Session {
  const account = { sent: 0, movieIds: [] as string[] };
  const rateLimited: Answer[] = [];
  const keys = { movie: randomText(8), canceled: randomText(255) };

  async function send(operation: Operation, call: Call): Promise<Answer> {
    if (operation === 'createMovie' && account.sent >= maxCreates) {
      throw new NotTestable(`no more than ${maxCreates} creates were announced`);
    }
    if (operation === 'createMovie') account.sent += 1;
    const request = requestOf(service, operation, call);
    const sent = describeRequest(request, call.body);
    const response = await service.fetch(request).catch((cause: unknown) => {
      throw new Violation('did not answer', { sent, received: cause instanceof Error ? cause.message : String(cause) });
    });
    const text = await response.text();
    const answer = {
      sent,
      received: describeAnswer(response, text),
      status: response.status,
      headers: response.headers,
      text,
    };
    const created = operation === 'createMovie' && response.ok ? Movie.safeParse(parsed(text)).data : undefined;
    if (created && !account.movieIds.includes(created.id)) account.movieIds.push(created.id);
    return answer;
  }

  async function call(operation: Operation, options: Call = {}): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await send(operation, options);
      if (answer.status !== 429) return answer;
      rateLimited.push(answer);
      if (operation === 'createMovie') account.sent -= 1; // refused before anything was made
      if (attempt >= waits429) return answer;
      await service.sleep(Math.max(1, Math.min(60, Number(answer.headers.get('retry-after')) || 1)) * 1000);
    }
  }

  const movie = once(async () => {
    const answer = await call('createMovie', { body: sampleRequest, headers: { 'Idempotency-Key': keys.movie } });
    return { movie: bodyOf(answer, Movie, 202), answer, request: sampleRequest };
  });

  const completedMovie = once(async () => {
    const { id } = (await movie()).movie;
    for (let waitedMs = 0; ; waitedMs += pollMs) {
      const state = bodyOf(await call('getMovie', { movieId: id }), Movie);
      if (state.status === 'completed') return state;
      const ended = ['failed', 'canceled'].includes(state.status);
      if (ended) throw new NotTestable(`the movie made for this ended as ${state.status}`);
      if (waitedMs >= patienceMs) throw new NotTestable(`the movie was not completed within ${patienceMs / 1000} s`);
      await service.sleep(pollMs);
    }
  });

  const canceledMovie = once(async () => {
    const headers = { 'Idempotency-Key': keys.canceled };
    const created = bodyOf(
      await call('createMovie', {
        body: { ...sampleRequest, prompt: `${sampleRequest.prompt} To be canceled.` },
        headers,
      }),
      Movie,
      202,
    );
    return { movie: created, cancel: await call('cancelMovie', { movieId: created.id }) };
  });

  const reference = once(async () => {
    const answer = await call('uploadReference', { body: uploadForm(picture()) });
    return { reference: bodyOf(answer, Reference), answer };
  });

  return {
    service,
    call,
    keys,
    movie,
    completedMovie,
    canceledMovie,
    reference,
    rateLimited,
    account,
    async cleanUp() {
      const left: string[] = [];
      for (const movieId of account.movieIds) {
        const answer = await call('cancelMovie', { movieId }).catch(() => null);
        if (!answer || answer.status >= 300) left.push(movieId);
      }
      return left;
    },
  };
}

function requestOf({ baseUrl, apiKey }: Service, operation: Operation, call: Call): Request {
  const { method, path } = routes[operation];
  const key = call.apiKey === undefined ? apiKey : call.apiKey;
  const isForm = call.body instanceof FormData;
  return new Request(baseUrl.replace(/\/$/, '') + path.replace('{movie_id}', encodeURIComponent(call.movieId ?? '')), {
    method,
    redirect: 'manual',
    headers: {
      Accept: 'application/json',
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(call.body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
      ...call.headers,
    },
    ...(call.body !== undefined && { body: isForm ? call.body : JSON.stringify(call.body) }),
  });
}

/**
 * The answer's body, which must be a success in the shape of the interface.
 *
 * @throws Violation
 */
export function bodyOf<Schema extends z.ZodType>(answer: Answer, schema: Schema, status?: number): z.output<Schema> {
  const right = status === undefined ? answer.status >= 200 && answer.status < 300 : answer.status === status;
  if (!right) throw new Violation(`answered ${answer.status}, not ${status ?? 'a success'}`, answer);
  if (!/^application\/json\b/i.test(answer.headers.get('content-type') ?? '')) {
    throw new Violation(`answered with ${answer.headers.get('content-type')}, not application/json`, answer);
  }
  const result = schema.safeParse(parsed(answer.text));
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new Violation(`answered with another shape (${problems.join('; ')})`, answer);
}

/**
 * The answer's Error object, which must be a refusal by the interface's rules.
 *
 * @throws Violation
 */
export function errorOf(answer: Answer, status?: number): z.output<typeof ErrorBody>['error'] {
  const right = status === undefined ? answer.status >= 400 && answer.status < 500 : answer.status === status;
  if (!right) throw new Violation(`answered ${answer.status}, not ${status ?? 'an error of the 400s'}`, answer);
  const result = ErrorBody.safeParse(parsed(answer.text));
  if (!result.success) throw new Violation('answered an error that has not code, message and request_id', answer);
  if (!/^req_.+/.test(result.data.error.request_id)) {
    throw new Violation('gave the error a request_id that does not begin with req_', answer);
  }
  return result.data.error;
}

export function uploadForm(file: File, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', file);
  return form;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Calls `make` at the first call only; what it failed with fails each later call too. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function randomText(length: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => letters[byte % letters.length]).join('');
}
