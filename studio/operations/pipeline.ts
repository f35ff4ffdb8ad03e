import type { Authenticate } from '../api-keys.js';
import type { Books } from '../books.js';
import { afterEffect, beforeEffect, ConnectionLost, type EffectContext, isTransport } from '../faults/effects.js';
import type { Faults } from '../faults/faults.js';
import type { AnswerRule, OperationName } from '../faults/script.js';
import { type BodyLimits, readBody } from '../http/body.js';
import { json } from '../http/json.js';
import { newId } from '../ids.js';
import { Problem } from '../problem.js';
import type { RateLimit } from '../rate-limit.js';

/** One request while it is served. */
export interface RequestContext {
  readonly request: Request;
  readonly requestId: string;
  readonly operation: OperationName;
  /** Short hash of its API key; empty on a signed URL, which needs none. */
  readonly keyHash: string;
  readonly idempotencyKey: string | null;
  readonly nowMs: number;
  /** Fault rules that apply to the answer. */
  readonly rules: readonly AnswerRule[];
  /** The body, read once. */
  body(): Promise<Uint8Array>;
  /** For the books. */
  readonly noted: Noted;
}

interface Noted {
  bodyDigest: string | null;
  movieId: string | null;
}

export type Handler = (context: RequestContext, id: string) => Promise<Response>;

/** Which operation a request is for; `id` is the one in its path. */
export interface Target {
  readonly operation: OperationName;
  readonly handler: Handler;
  readonly id: string;
}

export interface PipelineDeps {
  readonly authenticate: Authenticate;
  readonly faults: Faults;
  readonly rateLimit: RateLimit | null;
  readonly bodyLimits: BodyLimits;
  readonly now: () => number;
  /** Aborts what still hangs when the studio closes. */
  readonly closing: AbortSignal;
  /** The prompt of a movie, or of the movie of an asset, for rules that look at it. */
  readonly promptOf: (movieId: string) => string | null;
  readonly movieOfAsset: (assetId: string) => string | null;
  readonly record: (entry: Books['requests'][number]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const rateLimited: ReadonlySet<OperationName> = new Set(['uploadReference', 'estimateMovie', 'createMovie']);

/**
 * Serves every request around its operation: assigns an id, checks the key, applies the faults meant for it, enforces
 * the rate limit, and writes the request with its answer into the books before the answer is sent.
 */
export function createPipeline(deps: PipelineDeps) {
  return async (request: Request, target: Target): Promise<Response> => {
    const arrival = arrivalOf(request, target, deps);
    let outcome: Response | ConnectionLost;
    try {
      outcome = await serve(arrival, target, deps);
    } catch (error) {
      outcome = error instanceof ConnectionLost ? error : problemAnswer(error, arrival.requestId, deps);
    }
    const status = outcome instanceof ConnectionLost ? null : outcome.status;
    const { requestId, atMs, key, idempotencyKey, fault, noted } = arrival;
    await deps.record({
      ...noted,
      requestId,
      atMs,
      operation: target.operation,
      key,
      idempotencyKey,
      fault,
      status,
    });
    if (outcome instanceof ConnectionLost) throw outcome;
    outcome.headers.set('X-Request-Id', requestId);
    outcome.headers.set('Server', 'greenlight-studio');
    return outcome;
  };
}

/** What is known of a request so far. */
interface Arrival {
  readonly request: Request;
  readonly requestId: string;
  readonly atMs: number;
  readonly idempotencyKey: string | null;
  readonly body: () => Promise<Uint8Array>;
  readonly noted: Noted;
  key: string | null;
  fault: AnswerRule['effect'] | null;
}

function arrivalOf(request: Request, { id }: Target, { now, bodyLimits }: PipelineDeps): Arrival {
  let reading: Promise<Uint8Array> | undefined;
  return {
    request,
    requestId: newId('req'),
    atMs: now(),
    idempotencyKey: request.headers.get('idempotency-key'),
    body() {
      reading ??= readBody(request, bodyLimits);
      return reading;
    },
    noted: { bodyDigest: null, movieId: id.startsWith('movie_') ? id : null },
    key: null,
    fault: null,
  };
}

async function serve(arrival: Arrival, target: Target, deps: PipelineDeps): Promise<Response> {
  const { request, requestId, atMs, idempotencyKey, body, noted } = arrival;
  const { operation, handler, id } = target;
  if (operation !== 'downloadAsset') arrival.key = deps.authenticate(request);
  const rules = deps.faults.concerns(operation) ? await rulesFor(arrival, target, deps) : [];
  arrival.fault = rules[0]?.effect ?? null;
  const effect = rules.find(isTransport);
  // The signal is made on demand: one per request is expensive, and few requests meet a fault.
  const signal = () => AbortSignal.any([deps.closing, request.signal]);
  const effectContext: EffectContext = { requestId, nowMs: atMs, signal };
  const early = effect ? await beforeEffect(effect, effectContext) : null;
  if (early) return early;
  const keyHash = arrival.key ?? '';
  if (rateLimited.has(operation)) deps.rateLimit?.take(keyHash, atMs);
  const context = { request, requestId, operation, keyHash, idempotencyKey, nowMs: atMs, rules, body, noted };
  const answering = handler(context, id);
  if (!effect) return answering;
  return afterEffect(effect, await answering.catch((error) => problemAnswer(error, requestId, deps)), effectContext);
}

async function rulesFor(
  { key: keyHash, idempotencyKey, noted, body }: Arrival,
  { operation, id }: Target,
  { faults, movieOfAsset, promptOf }: PipelineDeps,
): Promise<readonly AnswerRule[]> {
  const movieId = operation === 'downloadAsset' ? movieOfAsset(id) : noted.movieId;
  const hasBrief = operation === 'createMovie' || operation === 'estimateMovie';
  const prompt = hasBrief ? promptIn(await body()) : movieId === null ? null : promptOf(movieId);
  return faults.answerRules({ operation, keyHash, idempotencyKey, movieId, prompt });
}

function promptIn(body: Uint8Array): string | null {
  try {
    const prompt: unknown = JSON.parse(Buffer.from(body).toString('utf8')).prompt;
    return typeof prompt === 'string' ? prompt : null;
  } catch {
    return null;
  }
}

function problemAnswer(error: unknown, request_id: string, { onError }: Pick<PipelineDeps, 'onError'>): Response {
  if (!(error instanceof Problem)) onError(error);
  const { status, code, message, headers } =
    error instanceof Problem ? error : new Problem('internal_error', 'Cannot serve request: the studio failed');
  return json(status, { error: { code, message, request_id } }, headers);
}
