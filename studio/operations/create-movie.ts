import { createHash } from 'node:crypto';
import { IdempotencyKey } from '../../api/contract.js';
import type { Commits } from '../commits.js';
import type { Faults } from '../faults/faults.js';
import type { MovieQuirk } from '../faults/script.js';
import { json, problemsOf } from '../http/json.js';
import type { IdempotencyKeys } from '../idempotency.js';
import { newId } from '../ids.js';
import type { Jobs } from '../jobs.js';
import { type AcceptedRequest, type MovieRecord, type Movies, type Preset, stateOf } from '../movies.js';
import { type Pricing, priceOf } from '../price.js';
import { Problem } from '../problem.js';
import type { Outbox } from '../webhooks/outbox.js';
import { type BriefDeps, readBrief } from './brief.js';
import { movieAnswer } from './movie-answer.js';
import type { Handler, RequestContext } from './pipeline.js';

export interface CreateMovieDeps extends BriefDeps {
  readonly movies: Movies;
  readonly jobs: Jobs;
  readonly outbox: Outbox;
  readonly commits: Commits;
  readonly faults: Faults;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly preset: Preset;
  readonly pricing: Pricing;
  /** How long the movie's job takes by the clock; null when it is rendered. */
  readonly jobMsOf: (brief: AcceptedRequest, quirks: readonly MovieQuirk[]) => number | null;
}

const action = 'Cannot create movie';

/**
 * Accepts an order: one durable commit, then 202. A repeated key finds the movie of the first request; that is
 * decided inside the transaction, so that any number of requests with one key make one movie.
 */
export function createCreateMovie(deps: CreateMovieDeps): Handler {
  const { commits, movies, jobs, outbox, idempotencyKeys } = deps;
  return async (context) => {
    checkKey(context.idempotencyKey);
    const bodyDigest = createHash('sha256')
      .update(await context.body())
      .digest('hex');
    context.noted.bodyDigest = bodyDigest;
    const { brief } = await readBrief(context, action, deps);
    const { movie, replayed } = await commits.run(() => {
      const earlier = idempotencyKeys.find(context, brief);
      if (earlier !== null) return { movie: found(movies.find(earlier)), replayed: true };
      const created = movies.insert(newMovie({ context, brief, bodyDigest }, deps));
      idempotencyKeys.keep(context, brief, created.id);
      outbox.open(created);
      return { movie: created, replayed: false };
    });
    context.noted.movieId = movie.id;
    if (!replayed && movie.jobMs === null) jobs.add(movie);
    const state = replayed ? stateOf(movie, context.nowMs) : movie.stored;
    return json(202, movieAnswer(movie, state, context.rules), replayed ? { 'Idempotent-Replayed': 'true' } : {});
  };
}

const GivenKey = IdempotencyKey.nullable();

function checkKey(idempotencyKey: string | null): void {
  const parsed = GivenKey.safeParse(idempotencyKey);
  if (parsed.success) return;
  throw new Problem(
    'invalid_request',
    `${action}: Idempotency-Key ${problemsOf(parsed.error).join('; ').replace('body: ', '')}`,
  );
}

function newMovie(
  {
    context,
    brief,
    bodyDigest,
  }: { readonly context: RequestContext; readonly brief: AcceptedRequest; readonly bodyDigest: string },
  { faults, preset, pricing, jobMsOf }: CreateMovieDeps,
) {
  const { keyHash, idempotencyKey, requestId, nowMs } = context;
  const subject = { operation: 'createMovie', keyHash, idempotencyKey, movieId: null, prompt: brief.prompt } as const;
  const quirks = faults.quirksFor(subject);
  return {
    id: newId('movie'),
    keyHash,
    requestId,
    idempotencyKey,
    bodyDigest,
    request: brief,
    price: priceOf(brief, pricing),
    preset,
    jobMs: jobMsOf(brief, quirks),
    quirks,
    createdMs: nowMs,
  };
}

function found(movie: MovieRecord | null): MovieRecord {
  if (!movie) throw new Error('Cannot replay movie: its idempotency key outlived it');
  return movie;
}
