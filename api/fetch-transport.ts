import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { actions } from './actions.js';
import { ConnectionError } from './errors.js';
import { type Answer, type Call, maxAnswerBytes, type Transport } from './transport.js';

/**
 * Calls a service that runs in this process. It has no wire, so no timeouts, and the only proof that nothing was sent
 * is a signal that fired beforehand; whatever the service throws counts as a lost answer.
 */
export function createFetchTransport(baseUrl: string, fetch: (request: Request) => Promise<Response>): Transport {
  async function exchange({ method, path, headers, body, signal }: Call): Promise<Answer> {
    const request = new Request(baseUrl + path, {
      method,
      headers: { ...headers },
      redirect: 'manual',
      ...(signal ? { signal } : {}),
      ...(body ? { body: body instanceof Readable ? Readable.toWeb(body) : body, duplex: 'half' } : {}),
    });
    const response = await fetch(request);
    const bytes = Buffer.from(await response.arrayBuffer());
    return {
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      retryAfter: response.headers.get('retry-after'),
      body: bytes.length > maxAnswerBytes ? null : bytes,
    };
  }

  return {
    async send(call) {
      const { operation, signal } = call;
      if (signal?.aborted) throw calledOff(call, 'nothing');
      try {
        return await (signal ? untilAborted(signal, () => exchange(call)) : exchange(call));
      } catch (cause) {
        if (signal?.aborted) throw calledOff(call, 'maybe');
        const message = `Cannot ${actions[operation]}: the service failed to answer; the request may have been processed`;
        throw new ConnectionError(message, { operation, sent: 'maybe', reason: 'reset' }, { cause });
      }
    },
    async close() {},
  };
}

function calledOff({ operation, signal }: Call, sent: 'nothing' | 'maybe'): ConnectionError {
  const known = sent === 'nothing' ? 'nothing was sent' : 'the service may have received it';
  const message = `Cannot ${actions[operation]}: it was canceled; ${known}`;
  return new ConnectionError(message, { operation, sent, reason: 'aborted' }, { cause: signal?.reason });
}

/** Resolves with the work's outcome, or rejects as soon as the signal fires; the work itself cannot be stopped. */
async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  let onAbort = () => {};
  setMaxListeners(0, signal);
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([aborted, work()]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
