import { imageSize } from 'image-size';
import type { Asset } from '../../api/contract.js';
import { AssetList } from '../../api/contract.js';
import { bodyOf } from '../answers.js';
import { type Clause, require, Violation } from '../clause.js';
import { download } from '../download.js';
import type { Session } from '../session.js';

const resources = 'Resources and their fields';

export const assetClauses: readonly Clause[] = [
  {
    id: 'assets.list',
    section: 'Endpoints',
    says: 'The assets list is an object with data, an array',
    async check(session) {
      await session.assets();
    },
  },
  {
    id: 'assets.final',
    section: 'Endpoints',
    says: 'The assets list of a completed movie includes the final export, a final_video',
    async check(session) {
      const { video, answer } = await session.finalVideo();
      require((video.mime_type ?? 'video/').startsWith('video/'), `calls the final video ${video.mime_type}`, answer);
    },
  },
  {
    id: 'assets.fields',
    section: resources,
    says: 'An Asset has created_at and mime_type, and the final video its width, height and duration_seconds',
    async check(session) {
      const { assets, answer } = await session.assets();
      for (const asset of assets) {
        const names = asset.type === 'final_video' ? [...ofEach, ...ofFilm] : ofEach;
        for (const name of names) require(asset[name] !== undefined, `left out ${name} of a ${asset.type}`, answer);
      }
    },
  },
  {
    id: 'assets.stable',
    section: resources,
    says: 'Asset ids are stable, so that clients can store them, and no two assets share one',
    async check(session) {
      const first = (await session.assets()).assets.map(({ id }) => id);
      const answer = await session.call('listAssets', { movieId: (await session.completedMovie()).id });
      const second = bodyOf(answer, AssetList).data.map(({ id }) => id);
      require(first.toSorted().join() === second.toSorted().join(), 'gave different ids at the second listing', answer);
      require(new Set(second).size === second.length, 'gave two assets the same id', answer);
    },
  },
  {
    id: 'assets.download',
    section: resources,
    says: 'The URL of an asset gives its file without a further credential, in the type that the list shows',
    async check(session) {
      const { assets, answer } = await session.assets();
      for (const asset of assets) {
        const { contentType } = await download(session.service, asset, answer);
        const [type, shown] = [essence(contentType), essence(asset.mime_type)];
        const right = type === undefined || shown === undefined || type === shown;
        require(right, `sent the ${asset.type} as ${type}`, answer);
      }
    },
  },
  {
    id: 'assets.film',
    section: 'Endpoints',
    says: 'The final export is a film that can be read to its end',
    async check(session) {
      await session.film();
    },
  },
  {
    id: 'assets.length',
    section: resources,
    says: 'The final video has the length that was asked for, and the one that the list shows',
    async check(session) {
      const { request } = await session.movie();
      const { durationSeconds, video, answer } = await session.film();
      const [asked, made] = [request.duration_seconds ?? 30, Math.round(durationSeconds * 100) / 100];
      // A target, the specification says: half a second is not a breach of it.
      require(Math.abs(made - asked) <= 0.5, `made ${made} s instead of ${asked} s`, answer);
      const shown = video.duration_seconds ?? made;
      require(Math.abs(shown - made) <= 0.5, `says ${shown} s for a film of ${made} s`, answer);
    },
  },
  {
    id: 'assets.ratio',
    section: resources,
    says: 'The final video has the aspect ratio that was asked for',
    async check(session) {
      const { width, height, answer } = await session.film();
      const [across, down] = ((await session.movie()).request.aspect_ratio ?? '16:9').split(':').map(Number);
      const off = Math.abs(width / height / ((across ?? 1) / (down ?? 1)) - 1);
      require(off <= 0.02, `made a film of ${width}x${height}`, answer);
    },
  },
  {
    id: 'assets.size',
    section: resources,
    says: 'Width and height of an asset are those of its file',
    async check(session) {
      const { width, height, video, answer } = await session.film();
      requireSize(video, { width, height }, answer);
      const { assets } = await session.assets();
      for (const asset of assets.filter(({ mime_type }) => /^image\/(?:png|jpeg|webp|gif)/.test(mime_type ?? ''))) {
        const { bytes } = await download(session.service, asset, answer);
        requireSize(asset, pictureSize(bytes, asset, answer), answer);
      }
    },
  },
];

const ofEach = ['created_at', 'mime_type'] as const;
const ofFilm = ['width', 'height', 'duration_seconds'] as const;

type Listing = Awaited<ReturnType<Session['assets']>>['answer'];

interface Size {
  readonly width: number;
  readonly height: number;
}

function requireSize(asset: Asset, { width, height }: Size, answer: Listing): void {
  const shown = `${asset.width ?? width}x${asset.height ?? height}`;
  require(shown === `${width}x${height}`, `says ${shown} for a ${asset.type} of ${width}x${height}`, answer);
}

function pictureSize(bytes: Uint8Array, { type, mime_type }: Asset, answer: Listing): Size {
  try {
    return imageSize(bytes);
  } catch {
    throw new Violation(`gave a ${type} that is not ${mime_type}`, answer);
  }
}

/** A media type without its parameters. */
function essence(mimeType: string | null | undefined): string | undefined {
  return mimeType?.split(';')[0]?.trim().toLowerCase();
}
