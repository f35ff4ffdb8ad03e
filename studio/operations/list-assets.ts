import { type AssetRecord, type Assets, assetBody } from '../assets.js';
import type { Commits } from '../commits.js';
import type { AnswerRule } from '../faults/script.js';
import type { Films } from '../films.js';
import { json } from '../http/json.js';
import { type MovieRecord, type Movies, stateOf } from '../movies.js';
import type { SignedUrls } from '../signed-urls.js';
import { findMovie } from './movie-answer.js';
import type { Handler } from './pipeline.js';

export interface ListAssetsDeps {
  readonly movies: Movies;
  readonly assets: Assets;
  readonly films: Films;
  readonly commits: Commits;
  readonly signedUrls: SignedUrls;
  /** How long a listed URL is valid. */
  readonly assetUrlMs: number;
  /** The URL up to and including `v1`; null to take it from the request. */
  readonly publicUrl: string | null;
}

/** Nothing before the movie is completed, then all of its files, each time with fresh URLs. */
export function createListAssets(deps: ListAssetsDeps): Handler {
  const { movies, signedUrls, assetUrlMs, publicUrl } = deps;
  return async (context, id) => {
    const movie = findMovie(context, id, { movies, action: 'Cannot list assets' });
    const { status, endedMs } = stateOf(movie, context.nowMs);
    const late = isLate(context.rules, context.nowMs - (endedMs ?? context.nowMs));
    const assets = status === 'completed' && !late ? await assetsOf(movie, endedMs ?? context.nowMs, deps) : [];
    const baseUrl = publicUrl ?? `${new URL(context.request.url).origin}/v1`;
    const expired = context.rules.some(({ effect }) => effect === 'expired_urls');
    const expiresMs = context.nowMs + (expired ? -1000 : assetUrlMs);
    const listed = context.rules.some(({ effect }) => effect === 'no_assets')
      ? assets.filter(({ type }) => type !== 'final_video')
      : assets;
    return json(200, { data: listed.map((asset) => assetBody(asset, baseUrl + signedUrls.sign(asset.id, expiresMs))) });
  };
}

/** A timed job has no files until somebody asks for them. */
async function assetsOf(
  movie: MovieRecord,
  createdMs: number,
  { assets, films, commits }: ListAssetsDeps,
): Promise<readonly AssetRecord[]> {
  const existing = assets.ofMovie(movie.id);
  if (existing.length > 0 || movie.jobMs === null) return existing;
  const files = await films.prepared(movie);
  return commits.run(() => assets.insert(movie.id, files, createdMs));
}

function isLate(rules: readonly AnswerRule[], sinceEndMs: number): boolean {
  return rules.some(
    (rule) => rule.effect === 'late_assets' && sinceEndMs < (rule.seconds ?? Number.POSITIVE_INFINITY) * 1000,
  );
}
