import { setMaxListeners } from 'node:events';
import { type Dispatcher, errors, Pool } from 'undici';
import { actions } from './actions.js';
import { ConnectionError, type ConnectionFailure } from './errors.js';
import { proxyName } from './proxies.js';
import { proxyAgent } from './routes.js';
import { type Answer, type Call, maxAnswerBytes, type Transport } from './transport.js';

export interface Timeouts {
  /** DNS, TCP and TLS together. */
  readonly connectMs: number;
  /** From the request's last byte (or the last one that the service took) to the answer's headers. */
  readonly headersMs: number;
  /** For each silence within the answer's body, and for the body as a whole. */
  readonly bodyMs: number;
}

export interface UndiciTransportOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path of the base URL, without a slash at its end. */
  readonly basePath: string;
  readonly timeouts: Timeouts;
  /** Calls beyond this many wait for a connection; only their signal ends that wait. */
  readonly maxConnections: number;
  /** Used instead of a pool of its own; its owner closes it and sets its `connectMs` and `maxConnections`. */
  readonly dispatcher?: Dispatcher | undefined;
  /** The address of the proxy through which the service is reached. */
  readonly proxy?: string | null | undefined;
}

/**
 * HTTP/1.1 over kept connections, one request at a time on each.
 *
 * It uses undici below `request()`, the only level that shows when a request begins to be written: a failure before
 * that moment is the one proof that nothing was sent. Undici may also put a request back in its queue when a
 * connection ends under it; a second start of the same request is refused here, so no hidden retry can happen.
 */
export function createUndiciTransport(options: UndiciTransportOptions): Transport {
  const { origin, basePath, timeouts } = options;
  const pool = options.dispatcher ?? ownPool(options);
  return {
    send: (call) =>
      new Promise<Answer>((resolve, reject) => {
        const exchange = new Exchange(call, options, { resolve, reject });
        if (!exchange.listen()) return;
        pool.dispatch(
          {
            origin,
            path: basePath + call.path,
            method: call.method,
            headers: call.headers,
            body: call.body,
            headersTimeout: timeouts.headersMs,
            bodyTimeout: timeouts.bodyMs,
          },
          exchange,
        );
      }),
    async close() {
      if (!options.dispatcher) await pool.destroy();
    },
  };
}

function ownPool({ origin, timeouts, maxConnections: connections, proxy }: UndiciTransportOptions): Dispatcher {
  const { connectMs } = timeouts;
  return proxy
    ? proxyAgent(proxy, { connections, connectMs })
    : new Pool(origin, { connections, connect: { timeout: connectMs } });
}

interface Settle {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: ConnectionError) => void;
}

/** One request and what became of it: queued, then started once, then settled once. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #call: Call;
  readonly #options: UndiciTransportOptions;
  readonly #settle: Settle;
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #status = 0;
  #requestId: string | null = null;
  #retryAfter: string | null = null;
  #chunks: Buffer[] = [];
  #receivedBytes = 0;
  #bodySinceMs = 0;

  constructor(call: Call, options: UndiciTransportOptions, settle: Settle) {
    this.#call = call;
    this.#options = options;
    this.#settle = settle;
  }

  /** Ends the call as soon as its signal fires; false when it has fired already. */
  listen(): boolean {
    const { signal } = this.#call;
    if (signal?.aborted) this.#onAbort();
    else if (signal) {
      // One signal may end hundreds of calls: that is not a leak, but Node 20 would warn of one at eleven.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', this.#onAbort, { once: true });
    }
    return !this.#settled;
  }

  readonly #onAbort = (): void => {
    this.#fail('aborted', 'it was canceled', this.#call.signal?.reason);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#controller && !this.#settled) this.#fail('reset', 'the connection ended');
    if (this.#settled) controller.abort(new errors.RequestAbortedError());
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // Informational answers (100, 103) announce the real one.
    if (status < 200) return;
    this.#status = status;
    this.#requestId = single(headers['x-request-id']);
    this.#retryAfter = single(headers['retry-after']);
    this.#bodySinceMs = performance.now();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#receivedBytes += chunk.length;
    this.#chunks.push(chunk);
    // Undici watches each silence only; a body that trickles in would hold its connection forever.
    const { bodyMs } = this.#options.timeouts;
    if (this.#receivedBytes > maxAnswerBytes) this.#answer(null);
    else if (performance.now() - this.#bodySinceMs > bodyMs) {
      this.#fail('timeout', `the answer was incomplete after ${bodyMs / 1_000} s`);
    }
  }

  onResponseEnd(): void {
    if (!this.#settled)
      this.#answer(this.#chunks.length === 1 ? (this.#chunks[0] ?? null) : Buffer.concat(this.#chunks));
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#settled) return;
    const code = codeOf(error);
    const { origin, proxy, timeouts } = this.#options;
    const { headersMs, bodyMs } = timeouts;
    const place = proxy ? `${origin} by the proxy ${proxyName(proxy)}` : origin;
    if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') this.#fail('closed', 'this client is closed');
    else if (!this.#controller) this.#fail('connect', `no connection to ${place} (${code})`, error);
    else if (code === 'UND_ERR_HEADERS_TIMEOUT') this.#fail('timeout', `no answer within ${headersMs / 1_000} s`);
    else if (code === 'UND_ERR_BODY_TIMEOUT') this.#fail('timeout', `the answer broke off for ${bodyMs / 1_000} s`);
    else this.#fail('reset', `the connection ended before the answer was complete (${code})`, error);
  }

  #answer(body: Buffer | null): void {
    this.#finish();
    if (body === null) this.#controller?.abort(new errors.RequestAbortedError());
    this.#settle.resolve({ status: this.#status, requestId: this.#requestId, retryAfter: this.#retryAfter, body });
  }

  #fail(reason: ConnectionFailure, what: string, cause?: unknown): void {
    this.#finish();
    const { operation } = this.#call;
    const sent = this.#controller ? 'maybe' : 'nothing';
    this.#controller?.abort(new errors.RequestAbortedError());
    const known = sent === 'nothing' ? 'nothing was sent' : 'the service may have received it';
    const message = `Cannot ${actions[operation]}: ${what}; ${known}`;
    this.#settle.reject(new ConnectionError(message, { operation, sent, reason }, { cause: withoutWireBytes(cause) }));
  }

  #finish(): void {
    this.#settled = true;
    this.#call.signal?.removeEventListener('abort', this.#onAbort);
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function single(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** A name to show: the system's code, undici's code, or the error's own name. */
function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name;
}

/** Undici's parser error carries what was received, and a service may echo a key: name and message are enough. */
function withoutWireBytes(cause: unknown): unknown {
  if (!(cause instanceof errors.HTTPParserError)) return cause;
  return Object.assign(new Error(cause.message), { name: cause.name, code: cause.code });
}
