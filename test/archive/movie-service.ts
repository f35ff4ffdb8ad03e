import type { ArchivableAsset } from '../../archive/download/asset-listing.js';
import { type Deed, type FileServer, fileServer } from './file-server.js';
import { film } from './film.js';

export const secret = 'signature=do-not-show';

/** A finished movie of a service: four files, whose URLs are fresh at each listing. */
export interface MovieService {
  readonly files: FileServer;
  /** How often the assets were listed. */
  readonly listings: () => number;
  /** May be changed by a test. */
  assets: Omit<ArchivableAsset, 'url'>[];
  listAssets(): Promise<readonly ArchivableAsset[]>;
  /** Requests for one asset's file. */
  requestsFor(assetId: string): number;
}

export async function movieService(
  deedFor?: (assetId: string, nth: number) => Deed | undefined,
): Promise<MovieService> {
  const asked = new Map<string, number>();
  const files = await fileServer((_, url) => {
    const assetId = /asset_\w+/.exec(url)?.[0] ?? '';
    const nth = asked.get(assetId) ?? 0;
    asked.set(assetId, nth + 1);
    return deedFor?.(assetId, nth);
  });
  files.files.set('/asset_film', { bytes: await film({ pictureBytes: 400 }), mimeType: 'video/mp4' });
  files.files.set('/asset_poster', { bytes: Buffer.from('a poster'), mimeType: 'image/jpeg' });
  files.files.set('/asset_board', { bytes: Buffer.from('a storyboard'), mimeType: 'image/jpeg' });
  files.files.set('/asset_words', { bytes: Buffer.from('WEBVTT'), mimeType: 'text/vtt' });
  let listings = 0;
  const service: MovieService = {
    files,
    listings: () => listings,
    assets: [
      { assetId: 'asset_poster', type: 'poster', mimeType: 'image/jpeg' },
      { assetId: 'asset_film', type: 'final_video', mimeType: 'video/mp4' },
      { assetId: 'asset_board', type: 'storyboard', mimeType: 'image/jpeg' },
      { assetId: 'asset_words', type: 'captions', mimeType: 'text/vtt' },
    ],
    async listAssets() {
      listings += 1;
      return service.assets.map((asset) => ({
        ...asset,
        url: `${files.origin}/${asset.assetId}?n=${listings}&${secret}`,
      }));
    },
    requestsFor: (assetId) => asked.get(assetId) ?? 0,
  };
  return service;
}
