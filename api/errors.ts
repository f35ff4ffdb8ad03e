import type { Operation } from './contract.js';

/** The service answered, and the answer is not a success (status 3xx to 5xx). */
export class MovieApiError extends Error {
  override readonly name = 'MovieApiError';
  readonly operation: Operation;
  readonly status: number;
  /** The service's own code; null when the body was not its error object (a proxy's page, an empty body). */
  readonly code: string | null;
  readonly requestId: string | null;
  /** How long the service asks to wait. Null when it does not say; never null on 429. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    detail: Pick<MovieApiError, 'operation' | 'status' | 'code' | 'requestId' | 'retryAfterMs'>,
  ) {
    super(message);
    this.operation = detail.operation;
    this.status = detail.status;
    this.code = detail.code;
    this.requestId = detail.requestId;
    this.retryAfterMs = detail.retryAfterMs;
  }
}

/** The service answered with success, and the answer breaks the interface. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly operation: Operation;
  readonly status: number;
  readonly requestId: string | null;
  /** The parsed body, for a caller that can use a part of it; undefined when it was not JSON. */
  readonly body: unknown;

  constructor(message: string, detail: Pick<ContractError, 'operation' | 'status' | 'requestId' | 'body'>) {
    super(message);
    this.operation = detail.operation;
    this.status = detail.status;
    this.requestId = detail.requestId;
    // Not enumerable: a body can hold prompts and signed URLs, and loggers print enumerable fields.
    Object.defineProperty(this, 'body', { value: detail.body, enumerable: false });
  }
}

/** `closed`: this client was closed. `reset`: the connection ended early, or what came was not HTTP. */
export type ConnectionFailure = 'connect' | 'timeout' | 'reset' | 'aborted' | 'closed';

/** No complete answer was received. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly operation: Operation;
  /** `nothing` is proof that no byte of the request left. Everything else is `maybe`: the service may have acted. */
  readonly sent: 'nothing' | 'maybe';
  readonly reason: ConnectionFailure;

  constructor(
    message: string,
    detail: Pick<ConnectionError, 'operation' | 'sent' | 'reason'>,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.operation = detail.operation;
    this.sent = detail.sent;
    this.reason = detail.reason;
  }
}
