import { MovieApiError } from '../api/errors.js';
import type { MovieApi } from '../api/movie-api.js';
import type { EchoedFields } from '../domain/answers/create-answer.js';
import { isMovieId } from '../domain/movie-id.js';
import type { Actor } from '../domain/roles.js';
import { assertSeesBatch, sightOf } from '../ledger/access/sight.js';
import { readBatch } from '../ledger/batches/batches.js';
import { LedgerError } from '../ledger/ledger-error.js';
import type { Resolution } from '../ledger/orders/proposals.js';
import * as resolving from '../ledger/orders/resolve-unknown.js';
import * as unknowns from '../ledger/orders/unknowns.js';
import type { Notified, OperationDeps } from './deps.js';

export interface ResolveInput {
  readonly batchId: string;
  readonly rowKey: string;
  readonly resolution: Resolution;
  readonly actor: Actor;
  /** The batch's own movie service, which is queried for the movie that somebody names. */
  readonly movieApi: () => Promise<Pick<MovieApi, 'getMovie'>>;
}

/** Orders with unknown outcome, oldest first, in the campaigns that the person may see. */
export async function listUnknowns(
  { ledger }: OperationDeps,
  { actor, batchId }: { readonly actor: Actor; readonly batchId?: string },
): Promise<readonly unknowns.UnknownRow[]> {
  if (batchId !== undefined) {
    await assertSeesBatch(ledger.db, actor, batchId);
    return unknowns.listUnknowns(ledger, { batchId });
  }
  return unknowns.listUnknowns(ledger, await sightOf(ledger.db, actor));
}

/**
 * Records the outcome of an order that is unknown. It takes effect when a second person states the same, or at once for
 * somebody who works alone. A movie that somebody names counts only if the service shows it: each statement is checked.
 *
 * @throws LedgerError when the books or the service contradict it; MovieApiError or ConnectionError when the service
 * could not be queried. Nothing has changed then.
 */
export async function resolveUnknown(
  deps: OperationDeps,
  { movieApi, ...input }: ResolveInput,
): Promise<Notified & { readonly resolved: resolving.Resolved }> {
  const { ledger, clock, workflows } = deps;
  const movie = input.resolution.kind === 'created' ? await movieOf(deps, { movieApi, ...input }) : undefined;
  const resolved = await resolving.resolveUnknown(ledger, { ...input, ...(movie && { movie }), nowMs: clock() });
  return { resolved, told: resolved.state === 'proposed' || (await workflows.takeUpRows(input.batchId)) };
}

/** Statuses with which services say that they have no such movie; the interface does not define which. */
const noSuchMovie = [400, 404, 410, 422];

async function movieOf(
  { ledger, service }: OperationDeps,
  { batchId, rowKey, resolution, movieApi }: ResolveInput,
): Promise<EchoedFields | undefined> {
  if (resolution.kind !== 'created') return undefined;
  const cannot = (why: string) => new LedgerError('wrong_state', `Cannot resolve ${batchId} ${rowKey}: ${why}`);
  const { service: its } = await readBatch(ledger, batchId);
  if (its.name !== service.name || its.baseUrl !== service.baseUrl) {
    throw cannot(`it was ordered from ${its.name} (${its.baseUrl}), and this installation asks ${service.name}`);
  }
  const { movieId } = resolution;
  if (!isMovieId(movieId)) return undefined; // the ledger reports that
  try {
    return await (await movieApi()).getMovie(movieId);
  } catch (error) {
    if (!(error instanceof MovieApiError) || !noSuchMovie.includes(error.status)) throw error;
    const words = [error.status, error.code, error.requestId].filter((word) => word !== null).join(' ');
    throw cannot(`the service has no movie ${movieId} (${words}); check the id`);
  }
}
