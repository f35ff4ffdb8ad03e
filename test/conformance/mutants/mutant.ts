import { type Operation, routes } from '../../../api/contract.js';

export type Next = (request: Request) => Promise<Response>;

/** Stands between a client and the studio; `operation` is null for the download of a file. */
export type Breakage = (request: Request, next: Next, operation: Operation | null) => Promise<Response>;

/** One behaviour that is not the specification's, and the clause that must find it. */
export interface Mutant {
  readonly name: string;
  readonly clause: string;
  /** Called once a run, so that it may remember what it saw. */
  readonly breakage?: () => Breakage;
  /** What becomes of an event; null: it is not sent. */
  readonly event?: (body: string) => string | null;
}

type Json = Record<string, unknown>;

export function operationOf({ method, url }: Request): Operation | null {
  const path = new URL(url).pathname.replace('/v1', '').replace(/^\/movies\/(?!estimate$)[^/]+/, '/movies/{movie_id}');
  const found = Object.entries(routes).find(([, route]) => route.method === method && route.path === path);
  return (found?.[0] ?? null) as Operation | null;
}

/** Changes the JSON of the successes of some operations. */
export function answers(
  operations: Operation | readonly Operation[],
  change: (body: Json, request: Request) => unknown,
): () => Breakage {
  return () => async (request, next, operation) => {
    const response = await next(request);
    if (!isOneOf(operation, operations) || !response.ok) return response;
    return withJson(response, change((await response.json()) as Json, request));
  };
}

/** Changes whole answers of some operations, of those statuses only. */
export function responses(
  operations: Operation | readonly Operation[] | 'all',
  when: (status: number) => boolean,
  change: (response: Response) => Response | Promise<Response>,
): () => Breakage {
  return () => async (request, next, operation) => {
    const response = await next(request);
    const concerned = operations === 'all' ? operation !== null : isOneOf(operation, operations);
    return concerned && when(response.status) ? change(response) : response;
  };
}

/** Changes the JSON of a request before the service reads it. */
export function requests(operations: Operation | readonly Operation[], change: (body: Json) => Json): () => Breakage {
  return () => async (request, next, operation) => {
    if (!isOneOf(operation, operations)) return next(request);
    const text = await request.clone().text();
    try {
      const body = JSON.stringify(change(JSON.parse(text) as Json));
      return next(new Request(request.url, { method: 'POST', headers: withoutLength(request.headers), body }));
    } catch {
      return next(request);
    }
  };
}

/** Changes the headers of requests; null takes one away. */
export function requestHeaders(
  operations: Operation | readonly Operation[],
  change: (headers: Headers) => Readonly<Record<string, string | null>>,
): () => Breakage {
  return () => async (request, next, operation) => {
    if (!isOneOf(operation, operations)) return next(request);
    const changed = request.clone();
    for (const [name, value] of Object.entries(change(request.headers))) {
      if (value === null) changed.headers.delete(name);
      else changed.headers.set(name, value);
    }
    return next(changed);
  };
}

/** Changes the files that are downloaded. */
export function files(change: (response: Response, request: Request) => Response | Promise<Response>): () => Breakage {
  return () => async (request, next) => {
    const response = await next(request);
    return new URL(request.url).pathname.includes('/files/') ? change(response, request) : response;
  };
}

export function withJson(response: Response, body: unknown, status = response.status): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(body), { status, headers });
}

export function problem(status: number, code = 'invalid_request'): Response {
  const request_id = `req_${crypto.randomUUID().replaceAll('-', '')}`;
  return withJson(new Response(null, { status }), { error: { code, message: 'Refused', request_id } });
}

function isOneOf(operation: Operation | null, operations: Operation | readonly Operation[]): boolean {
  return operation !== null && [operations].flat().includes(operation);
}

function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-length');
  return kept;
}
