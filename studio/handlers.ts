import type { OperationName } from './faults/script.js';
import { createIdempotencyKeys } from './idempotency.js';
import { createCancelMovie } from './operations/cancel-movie.js';
import { createCreateMovie } from './operations/create-movie.js';
import { createDownloadAsset } from './operations/download-asset.js';
import { createEstimateMovie } from './operations/estimate-movie.js';
import { createGetMovie } from './operations/get-movie.js';
import { createListAssets } from './operations/list-assets.js';
import type { Handler } from './operations/pipeline.js';
import { createUploadReference } from './operations/upload-reference.js';
import { defaultUploadLimits, jobLengthOf, type StudioOptions } from './options.js';
import type { Parts } from './parts.js';
import { createBriefReview } from './render/review-brief.js';
import { createSignedUrls } from './signed-urls.js';

/** The operations of the interface, and the download of a file. */
export function createHandlers(parts: Parts, options: StudioOptions): Readonly<Record<OperationName, Handler>> {
  const { store, movies } = parts;
  const { render: preset = 'draft', pricing = {}, idempotency = 'replay', assetUrlSeconds = 3600 } = options;
  const priced = {
    ...parts,
    preset,
    pricing,
    jobMsOf: jobLengthOf(options),
    review: preset === 'stub' ? null : createBriefReview(),
    allowLoopback: options.webhooks?.allowLoopback ?? false,
  };
  const signedUrls = createSignedUrls(store.secret);
  const uploadLimits = options.limits?.upload ?? defaultUploadLimits;
  const urls = { signedUrls, assetUrlMs: assetUrlSeconds * 1000, publicUrl: options.publicUrl ?? null };
  return {
    uploadReference: createUploadReference({ ...parts, incomingFolder: store.incomingFolder, uploadLimits }),
    estimateMovie: createEstimateMovie(priced),
    createMovie: createCreateMovie({ ...priced, idempotencyKeys: createIdempotencyKeys(store.db, idempotency) }),
    getMovie: createGetMovie({ movies }),
    cancelMovie: createCancelMovie(parts),
    listAssets: createListAssets({ ...parts, ...urls }),
    downloadAsset: createDownloadAsset({ ...parts, signedUrls }),
  };
}
