import { z } from 'zod';

/**
 * Everything that can go wrong, by the last part of its `type` (RFC 9457). Words may become better; types and statuses
 * stay.
 */
export const problems = {
  'invalid-request': { status: 400, title: 'The request is not of the form that the document describes' },
  unauthorized: { status: 401, title: 'The token is missing or belongs to nobody' },
  'token-expired': { status: 401, title: 'The token has expired' },
  'person-removed': { status: 401, title: 'The person whose token it is was removed' },
  'not-allowed': { status: 403, title: 'The person does not have the role, or may not see it' },
  'not-found': { status: 404, title: 'There is nothing at this address' },
  'unknown-batch': { status: 404, title: 'There is no such batch' },
  'unknown-row': { status: 404, title: 'The batch has no such row' },
  'unknown-budget': { status: 404, title: 'There is no such budget' },
  'method-not-allowed': { status: 405, title: 'The address does not take this method' },
  'wrong-state': { status: 409, title: 'The batch is not in a state in which this can be done' },
  archived: { status: 409, title: 'The batch was archived: what is asked for is in a file of the archive' },
  'other-plan': { status: 409, title: 'The plan is another one, or costs another amount; read it again' },
  'stale-plan': { status: 409, title: 'The plan was overtaken and is priced again; read it again' },
  'stale-estimates': { status: 409, title: 'The prices are too old and are asked for again; read the plan again' },
  'no-budget': { status: 409, title: 'The path has no budget' },
  'no-room': { status: 409, title: 'A budget level has no room for the total' },
  'payload-too-large': { status: 413, title: 'The body is larger than is taken' },
  'unsupported-media-type': { status: 415, title: 'The body is of a type that is not taken' },
  'invalid-manifest': { status: 422, title: 'The manifest has errors' },
  'bad-argument': { status: 422, title: 'A value cannot be used' },
  internal: { status: 500, title: 'Something failed here that should not' },
  unavailable: { status: 503, title: 'The ledger cannot be reached now; try again' },
} as const;

export type ProblemName = keyof typeof problems;

/** What its `type` begins with. An URN, so that it is the same at every installation. */
const typePrefix = 'urn:greenlight:problem:';

export function problemType(name: ProblemName): string {
  return typePrefix + name;
}

export const Problem = z
  .strictObject({
    type: z.enum(Object.keys(problems).map((name) => problemType(name as ProblemName))).meta({
      description: 'Stable, for programs',
    }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'For people: what failed, and what would be right' }),
    request_id: z.string().meta({ description: 'As in the header X-Request-Id' }),
  })
  .catchall(z.unknown());

/** Thrown where a request is refused. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly problem: ProblemName;
  /** Members beyond those that every problem has. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(problem: ProblemName, detail: string, more: Readonly<Record<string, unknown>> = {}) {
    super(detail);
    this.problem = problem;
    this.more = more;
  }
}

const retryAfterSeconds = 5;

export function problemAnswer({ problem, message, more }: ApiProblem, requestId: string): Response {
  const { status, title } = problems[problem];
  const headers: Record<string, string> = { 'Content-Type': 'application/problem+json' };
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer realm="greenlight"';
  if (status === 503) headers['Retry-After'] = String(retryAfterSeconds);
  if (status === 413) headers.Connection = 'close'; // of no use to a sender who is still sending
  const body = { type: problemType(problem), title, status, detail: message, request_id: requestId, ...more };
  return new Response(JSON.stringify(body), { status, headers });
}
