import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { json } from '../http/json.js';
import { MemoryAnswer } from '../http/memory-answer.js';
import type { AnswerRule } from './script.js';

/** The connection breaks: what a client sees as a socket hang-up. A server resets the socket, `fetch` rejects. */
export class ConnectionLost extends TypeError {
  constructor() {
    super('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
    this.name = 'ConnectionLost';
  }
}

type Transport = Extract<
  AnswerRule,
  { effect: 'reset_before' | 'reset_after' | 'stall' | 'status' | 'html' | 'truncate' | 'garbage' }
>;

export interface EffectContext {
  readonly requestId: string;
  readonly nowMs: number;
  /** Aborts when the client gives up or the studio closes. */
  readonly signal: () => AbortSignal;
}

export function isTransport(rule: AnswerRule): rule is Transport {
  return ['reset_before', 'reset_after', 'stall', 'status', 'html', 'truncate', 'garbage'].includes(rule.effect);
}

/**
 * Applies a rule before the request is carried out. An answer here is the only one; null continues.
 *
 * @throws ConnectionLost
 */
export async function beforeEffect(rule: Transport, context: EffectContext): Promise<Response | null> {
  switch (rule.effect) {
    case 'reset_before':
      throw new ConnectionLost();
    case 'stall':
      if (!rule.done) await stall(rule.seconds, context.signal());
      return null;
    case 'status':
    case 'html':
      return rule.done ? null : substitute(rule, context);
    default:
      return null;
  }
}

/**
 * Applies a rule after the request was carried out, and returns the answer to send.
 *
 * @throws ConnectionLost
 */
export async function afterEffect(rule: Transport, response: Response, context: EffectContext): Promise<Response> {
  switch (rule.effect) {
    case 'reset_after':
      throw new ConnectionLost();
    case 'stall':
      if (rule.done) await stall(rule.seconds, context.signal());
      return response;
    case 'status':
    case 'html':
      return substitute(rule, context);
    case 'truncate':
      return truncated(response, rule.keepBytes);
    case 'garbage':
      return garbage(response, rule.kind);
    default:
      return response;
  }
}

async function stall(seconds: number | undefined, signal: AbortSignal): Promise<void> {
  try {
    if (seconds !== undefined) return await sleep(seconds * 1000, undefined, { signal });
    await new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  } catch {
    throw new ConnectionLost();
  }
}

function substitute(
  rule: Extract<Transport, { effect: 'status' | 'html' }>,
  { requestId, nowMs }: EffectContext,
): Response {
  if (rule.effect === 'html') {
    const title = rule.status === 200 ? 'Just a moment' : `${rule.status} Bad Gateway`;
    const page = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
    return new MemoryAnswer(page, { status: rule.status, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  }
  const { status, code, message, retryAfter } = rule;
  const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfterHeader(retryAfter, nowMs) };
  return json(status, { error: { code, message, request_id: requestId } }, headers);
}

function retryAfterHeader(value: number | string | { readonly dateInSeconds: number }, nowMs: number): string {
  return typeof value === 'object' ? new Date(nowMs + value.dateInSeconds * 1000).toUTCString() : String(value);
}

/** Announces the whole body, sends its beginning, and breaks off. */
async function truncated(response: Response, keepBytes: number | undefined): Promise<Response> {
  const whole = new Uint8Array(await response.arrayBuffer());
  const kept = whole.subarray(0, Math.min(keepBytes ?? Math.floor(whole.length / 2), Math.max(0, whole.length - 1)));
  const headers = new Headers(response.headers);
  headers.set('Content-Length', String(whole.length));
  let sent = kept.length === 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!sent) {
        sent = true;
        controller.enqueue(kept);
        return;
      }
      // In a later turn: in the same one a server would take it for a failure before the answer.
      await setImmediate();
      controller.error(new ConnectionLost());
    },
  });
  return new Response(body, { status: response.status, headers });
}

type GarbageKind = Extract<Transport, { effect: 'garbage' }>['kind'];

async function garbage(response: Response, kind: GarbageKind): Promise<Response> {
  const headers = new Headers(response.headers);
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  const whole = new Uint8Array(await response.arrayBuffer());
  const body = isJson ? spoilt(whole, kind) : whole.map((byte, index) => (byte * 31 + index * 17) & 255);
  headers.delete('content-length');
  return new MemoryAnswer(body, { status: response.status, headers });
}

function spoilt(whole: Uint8Array, kind: GarbageKind): string {
  switch (kind) {
    case 'not_json':
      return '{"id": "movie_0", "status": ';
    case 'empty':
      return '';
    case 'other_shape':
      return '["ok"]';
    case 'wrong_types':
      return JSON.stringify(swapTypes(JSON.parse(Buffer.from(whole).toString('utf8'))));
  }
}

function swapTypes(value: unknown): unknown {
  if (typeof value === 'string') return value.length;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return { items: value.map(swapTypes) };
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, swapTypes(each)]));
}
