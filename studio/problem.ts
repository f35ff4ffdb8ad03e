/** Codes of the studio's error answers, each with its status. */
const statusOf = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  url_expired: 403,
  invalid_signature: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  rate_limit_exceeded: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const;
export type ProblemCode = keyof typeof statusOf;

/** An answer that refuses a request: thrown anywhere below a route, answered by the route. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.status = statusOf[code];
    this.headers = headers;
  }
}
