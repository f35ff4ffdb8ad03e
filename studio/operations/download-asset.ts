import type { Assets } from '../assets.js';
import { fileAnswer } from '../http/file-answer.js';
import { Problem } from '../problem.js';
import type { SignedUrls } from '../signed-urls.js';
import type { Handler } from './pipeline.js';

/** The file behind an asset's URL. The signature is the credential, so that any downloader can fetch it. */
export function createDownloadAsset({
  assets,
  signedUrls,
}: {
  readonly assets: Assets;
  readonly signedUrls: SignedUrls;
}): Handler {
  return async (context, id) => {
    signedUrls.verify(id, new URL(context.request.url).searchParams, context.nowMs);
    const asset = assets.find(id);
    if (!asset) throw new Problem('not_found', `Cannot send file: there is no asset ${id}`);
    context.noted.movieId = asset.movieId;
    return fileAnswer(asset, context.request);
  };
}
