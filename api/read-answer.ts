import type { z } from 'zod';
import { defaultRetryAfterMs, retryAfterMs } from '../domain/answers/retry-after.js';
import { actions } from './actions.js';
import { ErrorBody, type Operation } from './contract.js';
import { ContractError, MovieApiError } from './errors.js';
import type { Answer } from './transport.js';

export interface Expected<T> {
  readonly operation: Operation;
  readonly schema: z.ZodType<T>;
  /** What is wrong with a value that the schema accepts; null when nothing is. */
  readonly problemWith?: ((value: T) => string | null) | undefined;
  /** Removed from everything that the service says, before a person or a log sees it. */
  readonly secret: string;
}

/**
 * Returns the value that an answer carries.
 *
 * @throws MovieApiError for any status but 2xx; ContractError for a success that is not as expected.
 */
export function readAnswer<T>(answer: Answer, expected: Expected<T>): T {
  const body = parseJson(answer.body);
  if (answer.status < 200 || answer.status > 299) throw refusal(answer, body, expected);
  if (body === undefined) throw broken(answer, body, expected, 'it is not JSON');
  const parsed = expected.schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw broken(
      answer,
      body,
      expected,
      `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'not as described'}`,
    );
  }
  const problem = expected.problemWith?.(parsed.data);
  if (problem) throw broken(answer, body, expected, problem);
  return parsed.data;
}

function refusal<T>(answer: Answer, body: unknown, { operation, secret }: Expected<T>): MovieApiError {
  const { status } = answer;
  const parsed = ErrorBody.safeParse(body);
  const said = parsed.success ? parsed.data.error : null;
  const code = said ? shown(said.code, secret) : null;
  const wait = retryAfterMs(answer.retryAfter, Date.now()) ?? (status === 429 ? defaultRetryAfterMs : null);
  const words = said ? `${status} ${code}: ${shown(said.message, secret)}` : `${status} without an error object`;
  const retry = wait === null ? '' : `, retry after ${Math.ceil(wait / 1_000)} s`;
  const id = requestId(answer, secret) ?? (said && shown(said.request_id, secret));
  const request = id === null ? '' : ` (request ${id})`;
  return new MovieApiError(`Cannot ${actions[operation]}: the service answered ${words}${retry}${request}`, {
    operation,
    status,
    code,
    requestId: id,
    retryAfterMs: wait,
  });
}

function broken<T>(answer: Answer, body: unknown, { operation, secret }: Expected<T>, problem: string): ContractError {
  const { status } = answer;
  const message = `Cannot ${actions[operation]}: the service answered ${status}, and the answer breaks the interface: `;
  return new ContractError(message + shown(problem, secret), {
    operation,
    status,
    requestId: requestId(answer, secret),
    body,
  });
}

function requestId({ requestId }: Answer, secret: string): string | null {
  return requestId === null ? null : shown(requestId, secret);
}

function parseJson(body: Buffer | null): unknown {
  if (body === null) return undefined;
  try {
    const text = body.toString('utf8');
    return oddEscapes.test(text) ? JSON.parse(text, storable) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** NUL and lone surrogates: only an escape can bring them in. */
const oddEscapes = /\\u(?:0000|d[89a-f])/i;

/** Replaces characters that PostgreSQL refuses to store with the replacement character. */
function storable(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/[\0\p{Surrogate}]/gu, '\uFFFD') : value;
}

/** A service's own words, fit for one line: cut, without the key (some services repeat it) or control characters. */
function shown(text: string, secret: string): string {
  const line = text
    .replaceAll(secret, '[key]')
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return line.length > 500 ? `${line.slice(0, 500).replace(/\p{Surrogate}$/u, '')}…` : line;
}
