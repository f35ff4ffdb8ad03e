import type { z } from 'zod';
import { ErrorBody } from '../api/contract.js';
import type { Answer } from './calls.js';
import { Violation } from './clause.js';

/**
 * Returns the answer's body; the answer must be a success in the shape of the interface.
 *
 * @throws Violation
 */
export function bodyOf<Schema extends z.ZodType>(answer: Answer, schema: Schema, status?: number): z.output<Schema> {
  const right = status === undefined ? answer.status >= 200 && answer.status < 300 : answer.status === status;
  if (!right) throw new Violation(`answered ${answer.status}, not ${status ?? 'a success'}`, answer);
  if (!isJson(answer)) {
    throw new Violation(`answered with ${answer.headers.get('content-type')}, not application/json`, answer);
  }
  const result = schema.safeParse(parsed(answer.text));
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new Violation(`answered with another shape (${problems.join('; ')})`, answer);
}

/**
 * Requires that the answer refuses the request. Its body is judged once for all errors (`errors.body`).
 *
 * @throws Violation
 */
export function refused(answer: Answer, status?: number): void {
  const right = status === undefined ? answer.status >= 400 && answer.status < 500 : answer.status === status;
  if (!right) throw new Violation(`answered ${answer.status}, not ${status ?? 'a 4xx error'}`, answer);
}

/**
 * The answer's Error object.
 *
 * @throws Violation when it has none in the shape of the interface.
 */
export function errorOf(answer: Answer): z.output<typeof ErrorBody>['error'] {
  if (!isJson(answer)) {
    throw new Violation(`answered an error with ${answer.headers.get('content-type')}, not application/json`, answer);
  }
  const result = ErrorBody.safeParse(parsed(answer.text));
  if (!result.success) throw new Violation('answered an error without code, message and request_id', answer);
  const { error } = result.data;
  if (error.code === '' || error.message === '')
    throw new Violation('left the code or message of an error empty', answer);
  if (!/^req_.+/.test(error.request_id)) {
    throw new Violation('gave the error a request_id that does not begin with req_', answer);
  }
  return error;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJson({ headers }: Answer): boolean {
  return /^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '');
}
