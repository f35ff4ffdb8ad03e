import { AssetGoneError } from '../errors.js';
import { urlExpiry } from './url-expiry.js';

/** A file that the service offers. */
export interface ArchivableAsset {
  readonly assetId: string;
  /** The service's word: `final_video` is the movie, others are known or not. */
  readonly type: string;
  /** Signed and temporary. */
  readonly url: string;
  readonly mimeType: string | null;
}

/** What the service offers for one movie. */
export interface AssetListing {
  /** Each asset once, the movie itself first, otherwise as listed: the order in which names are given. */
  readonly assets: readonly ArchivableAsset[];
  /** The URL listed last. */
  urlOf(assetId: string): string;
  /**
   * Lists again, which renews the URLs of all.
   *
   * @throws AssetGoneError when the asset is no longer listed.
   */
  refresh(assetId: string): Promise<string>;
}

export function isFinalVideo({ type }: Pick<ArchivableAsset, 'type'>): boolean {
  return type === 'final_video';
}

export async function openListing(list: () => Promise<readonly ArchivableAsset[]>): Promise<AssetListing> {
  const urls = new Map<string, string>();
  const take = (assets: readonly ArchivableAsset[]) => {
    for (const { assetId, url } of assets) urls.set(assetId, url);
  };
  const listed = await list();
  take(listed);
  const assets = [...new Map(listed.map((asset) => [asset.assetId, asset])).values()];
  return {
    assets: [...assets.filter(isFinalVideo), ...assets.filter((asset) => !isFinalVideo(asset))],
    urlOf: (assetId) => urls.get(assetId) ?? '',
    async refresh(assetId) {
      urls.clear();
      take(await list());
      const url = urls.get(assetId);
      if (url === undefined)
        throw new AssetGoneError('Cannot download the file: it is not listed any more', 'not listed');
      return url;
    },
  };
}

/** Sorts by expiry of the URLs, earliest first; those that do not say come last, in the order given. */
export function byExpiry(assets: readonly ArchivableAsset[]): readonly ArchivableAsset[] {
  const expiry = ({ url }: ArchivableAsset) => urlExpiry(url) ?? Number.POSITIVE_INFINITY;
  return assets
    .map((asset) => ({ asset, expiresMs: expiry(asset) }))
    .sort((one, other) => (one.expiresMs === other.expiresMs ? 0 : one.expiresMs - other.expiresMs))
    .map(({ asset }) => asset);
}
