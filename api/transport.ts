import type { Readable } from 'node:stream';
import type { Operation } from './contract.js';

/** One request, ready to be sent. */
export interface Call {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  /** Below the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | Readable | null;
  readonly signal: AbortSignal | undefined;
}

/** One answer, complete, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfter: string | null;
  /** Null when the answer was longer than the interface can make it. */
  readonly body: Buffer | null;
}

/**
 * Sends a request once and returns the whole answer. A transport never retries a request, never follows a redirect
 * (the key would go with it), and says for every failure whether a byte may have left.
 */
export interface Transport {
  /** @throws ConnectionError when there is no complete answer. */
  send(call: Call): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * More than the largest answer of the interface: a hundred assets with long signed URLs, or a prompt of 8000
 * characters escaped, stay far below 1 MiB.
 */
export const maxAnswerBytes = 4 * 1024 * 1024;
