import { Movie, type Operation, routes } from '../api/contract.js';
import { parsed } from './answers.js';
import { type Exchange, NotTestable, Violation } from './clause.js';
import { describeAnswer, describeRequest } from './exchange-text.js';
import type { Service } from './service.js';

export interface Answer extends Exchange {
  readonly operation: Operation;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Call {
  readonly movieId?: string;
  /** JSON unless it is a form or text that is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the service's own. Null: no credential. */
  readonly apiKey?: string | null;
}

/** The creates sent and the movies that they made, each with the key that made it. */
export interface Account {
  sent: number;
  readonly made: Map<string, string>;
}

/** How all clauses call the service, with an account of what that may have cost. */
export interface Calls {
  /** Sends one request; a 429 is noted, waited out and retried a few times. */
  call(operation: Operation, call?: Call): Promise<Answer>;
  /** Sends one request, whatever the answer. */
  callOnce(operation: Operation, call?: Call): Promise<Answer>;
  /** Every answer of 400 and above. */
  readonly errors: readonly Answer[];
  readonly account: Account;
}

const waits429 = 5;

/** @param options.maxCreates the most creates to send. */
export function createCalls(service: Service, { maxCreates }: { readonly maxCreates: number }): Calls {
  const account: Account = { sent: 0, made: new Map() };
  const errors: Answer[] = [];

  async function callOnce(operation: Operation, call: Call = {}): Promise<Answer> {
    if (operation === 'createMovie') {
      if (account.sent >= maxCreates) throw new NotTestable(`no more than ${maxCreates} creates were announced`);
      account.sent += 1;
    }
    const answer = await exchange(service, operation, call);
    if (answer.status >= 400) errors.push(answer);
    if (operation === 'createMovie') note(answer, call.apiKey ?? service.apiKey);
    return answer;
  }

  function note({ status, text }: Answer, apiKey: string): void {
    if (status === 429) account.sent -= 1; // refused before anything was made
    const id = status >= 200 && status < 300 ? Movie.safeParse(parsed(text)).data?.id : undefined;
    if (id !== undefined && !account.made.has(id)) account.made.set(id, apiKey);
  }

  return {
    callOnce,
    errors,
    account,
    async call(operation, options) {
      for (let attempt = 0; ; attempt += 1) {
        const answer = await callOnce(operation, options);
        if (answer.status !== 429 || attempt >= waits429) return answer;
        await service.sleep(waitMs(answer));
      }
    },
  };
}

/** How long the service asks to wait, within reason. */
export function waitMs({ headers }: Answer): number {
  return Math.max(1, Math.min(60, Number(headers.get('retry-after')) || 1)) * 1000;
}

async function exchange(service: Service, operation: Operation, call: Call): Promise<Answer> {
  const request = requestOf(service, operation, call);
  const sent = describeRequest(request, call.body);
  const failed = (cause: unknown) => {
    const received = cause instanceof Error ? cause.message : String(cause);
    throw new Violation('did not answer', { sent, received });
  };
  const response = await service.fetch(request).catch(failed);
  const text = await response.text().catch(failed);
  const { status, headers } = response;
  return { operation, sent, received: describeAnswer(response, text), status, headers, text };
}

function requestOf({ baseUrl, apiKey }: Service, operation: Operation, call: Call): Request {
  const { method, path } = routes[operation];
  const key = call.apiKey === undefined ? apiKey : call.apiKey;
  const asItIs = call.body instanceof FormData || typeof call.body === 'string';
  return new Request(baseUrl.replace(/\/$/, '') + path.replace('{movie_id}', encodeURIComponent(call.movieId ?? '')), {
    method,
    redirect: 'manual',
    headers: {
      Accept: 'application/json',
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(call.body !== undefined && !(call.body instanceof FormData) && { 'Content-Type': 'application/json' }),
      ...call.headers,
    },
    ...(call.body !== undefined && { body: asItIs ? (call.body as FormData | string) : JSON.stringify(call.body) }),
  });
}
