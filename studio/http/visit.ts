import type { Authenticate } from '../api-keys.js';
import type { Books } from '../books.js';
import { afterEffect, beforeEffect, ConnectionLost, isTransport } from '../faults/effects.js';
import type { Faults, Subject } from '../faults/faults.js';
import type { AnswerRule, OperationName } from '../faults/script.js';
import { newId } from '../ids.js';
import { Problem } from '../problem.js';
import type { RateLimit } from '../rate-limit.js';
import { type BodyLimits, readBody } from './body.js';
import { json } from './json.js';

/** One request while it is served. */
export interface Visit {
  readonly request: Request;
  readonly requestId: string;
  readonly operation: OperationName;
  /** Short hash of its API key; empty on a signed URL, which needs none. */
  readonly keyHash: string;
  readonly idempotencyKey: string | null;
  readonly nowMs: number;
  /** Faults that the answer is to show. */
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

export type Handler = (visit: Visit, id: string) => Promise<Response>;

export interface DoorDeps {
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
 * What happens to every request around its operation: it gets an id, shows its key, suffers the faults that are meant
 * for it, is held to its rate, and is written into the books with its answer before that is sent.
 */
export function createDoor(deps: DoorDeps) {
  return async (
    request: Request,
    { operation, handler, id }: { operation: OperationName; handler: Handler; id: string },
  ) => {
    const entry = {
      atMs: deps.now(),
      requestId: newId('req'),
      operation,
      key: null as string | null,
      idempotencyKey: request.headers.get('idempotency-key'),
      noted: { bodyDigest: null, movieId: id.startsWith('movie_') ? id : null } as Noted,
      fault: null as string | null,
    };
    let response: Response | null = null;
    let lost: ConnectionLost | null = null;
    try {
      response = await serve();
    } catch (error) {
      if (error instanceof ConnectionLost) lost = error;
      else response = problemAnswer(error);
    }
    const { noted, ...rest } = entry;
    await deps.record({ ...rest, ...noted, status: response?.status ?? null });
    if (lost || !response) throw lost ?? new ConnectionLost();
    return withRequestId(response, entry.requestId);

    async function serve(): Promise<Response> {
      if (operation !== 'downloadAsset') entry.key = deps.authenticate(request);
      let reading: Promise<Uint8Array> | undefined;
      const body = () => {
        reading ??= readBody(request, deps.bodyLimits);
        return reading;
      };
      const rules = await rulesFor(body);
      const effects = rules.filter(isTransport);
      const context = {
        requestId: entry.requestId,
        nowMs: entry.atMs,
        // Made on demand: a signal a request is dear, and few requests meet a fault.
        signal: () => AbortSignal.any([deps.closing, request.signal]),
      };
      entry.fault = rules[0]?.effect ?? null;
      const early = effects[0] ? await beforeEffect(effects[0], context) : null;
      if (early) return early;
      const keyHash = entry.key ?? '';
      if (rateLimited.has(operation)) deps.rateLimit?.take(keyHash, entry.atMs);
      const { requestId, idempotencyKey, noted } = entry;
      const visit = { request, requestId, operation, keyHash, idempotencyKey, nowMs: entry.atMs, rules, body, noted };
      const answer = await handler(visit, id).catch(problemAnswer);
      return effects[0] ? afterEffect(effects[0], answer, context) : answer;
    }

    async function rulesFor(body: () => Promise<Uint8Array>): Promise<readonly AnswerRule[]> {
      if (!deps.faults.concerns(operation)) return [];
      const movieId = operation === 'downloadAsset' ? deps.movieOfAsset(id) : entry.noted.movieId;
      const hasBrief = operation === 'createMovie' || operation === 'estimateMovie';
      const prompt = hasBrief ? promptIn(await body()) : movieId === null ? null : deps.promptOf(movieId);
      const { key: keyHash, idempotencyKey } = entry;
      const subject: Subject = { operation, keyHash, idempotencyKey, movieId, prompt };
      return deps.faults.answerRules(subject);
    }

    function problemAnswer(error: unknown): Response {
      if (!(error instanceof Problem)) deps.onError(error);
      const { status, code, message, headers } =
        error instanceof Problem ? error : new Problem('internal_error', 'Cannot serve request: the studio failed');
      return json(status, { error: { code, message, request_id: entry.requestId } }, headers);
    }
  };
}

function promptIn(body: Uint8Array): string | null {
  try {
    const prompt: unknown = JSON.parse(Buffer.from(body).toString('utf8')).prompt;
    return typeof prompt === 'string' ? prompt : null;
  } catch {
    return null;
  }
}

function withRequestId(response: Response, requestId: string): Response {
  response.headers.set('X-Request-Id', requestId);
  response.headers.set('Server', 'greenlight-studio');
  return response;
}
