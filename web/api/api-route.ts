import type { z } from 'zod';
import type { Actor } from '../../domain/roles.js';
import type { ApiDeps } from './api-deps.js';
import type { Caller } from './bearer.js';
import type { ProblemName } from './problem.js';

/** One request, checked. */
export interface Call<Query, Body> extends Caller {
  readonly deps: ApiDeps;
  readonly actor: Actor;
  /** Parts of the path by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
}

/** A JSON answer; a Response where it is of another kind. */
export type Answer = { readonly status: number; readonly body: unknown; readonly location?: string } | Response;

export interface Described {
  readonly description: string;
  /** None: the answer is no JSON. */
  readonly schema?: z.ZodType;
  /** Of an answer that is no JSON. */
  readonly type?: string;
}

/** What one address does with one method: enough to answer it, and to describe it. */
export interface ApiRoute<Query = unknown, Body = unknown> {
  readonly operationId: string;
  readonly method: 'get' | 'post';
  /** With names in braces: `/batches/{batch}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly query?: z.ZodObject;
  /** Of JSON. */
  readonly body?: z.ZodType;
  /** Media types of a body that the route reads itself. */
  readonly bodyTypes?: readonly string[];
  readonly answers: Readonly<Record<number, Described>>;
  /** Beyond what every route can be refused for. */
  readonly refusals: readonly ProblemName[];
  handle(call: Call<Query, Body>): Promise<Answer>;
}

/** Gives a handler the types of its own query and body. */
export function apiRoute<Query extends z.ZodObject = z.ZodObject, Body extends z.ZodType = z.ZodType>(
  route: Omit<ApiRoute, 'handle' | 'query' | 'body'> & {
    readonly query?: Query;
    readonly body?: Body;
    handle(call: Call<z.output<Query>, z.output<Body>>): Promise<Answer>;
  },
): ApiRoute {
  return route as ApiRoute; // the dispatcher parses with these very schemas before it calls the handler
}

export function json(body: unknown, status = 200): Answer {
  return { status, body };
}
