import { type CreateAnswer, echoOf } from '../domain/answers/create-answer.js';
import { MovieId } from './contract.js';
import { ConnectionError, ContractError, MovieApiError } from './errors.js';
import type { MovieApi } from './movie-api.js';

/**
 * Sends one create and returns what is known afterwards. Nothing that happens once bytes may have left is thrown: the
 * outcome is `lost` until proven otherwise.
 *
 * @throws SyntaxError or RangeError, before anything is sent, for a body that is not JSON or a key that no header can
 * carry.
 */
export async function createAnswer(
  api: Pick<MovieApi, 'createMovie'>,
  requestBody: string,
  idempotencyKey: string,
  signal: AbortSignal | undefined,
): Promise<CreateAnswer & { readonly requestId: string | null }> {
  const sent = sentFields(requestBody);
  try {
    const movie = await api.createMovie(requestBody, { idempotencyKey, ...(signal ? { signal } : {}) });
    return { kind: 'movie', movieId: movie.id, echo: echoOf(sent, movie), requestId: null };
  } catch (error) {
    if (error instanceof MovieApiError) return fromRefusal(error);
    if (error instanceof ContractError) return fromBroken(error);
    if (error instanceof ConnectionError)
      return { kind: error.sent === 'nothing' ? 'not_connected' : 'lost', requestId: null };
    throw error;
  }
}

/** A 4xx is the service's (or a proxy's) word on this request. 408 is not: it says only that time ran out. */
function fromRefusal(error: MovieApiError): CreateAnswer & { readonly requestId: string | null } {
  const { status, code, message, retryAfterMs, requestId } = error;
  if (status < 400 || status > 499 || status === 408) {
    return { kind: 'lost', retryAfterMs, answered: { status, code, message }, requestId };
  }
  return { kind: 'refused', status, code, message, retryAfterMs, requestId };
}

/** An id makes a movie followable whatever else is wrong with the answer; without one, only a 202 says "accepted". */
function fromBroken({ body, status, requestId }: ContractError): CreateAnswer & { readonly requestId: string | null } {
  const id = MovieId.safeParse(typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined);
  if (id.success) return { kind: 'movie', movieId: id.data, echo: 'differs', requestId };
  return { kind: status === 202 ? 'broken' : 'lost', requestId };
}

function sentFields(requestBody: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(requestBody);
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}
