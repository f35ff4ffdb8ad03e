import { type Asset, AssetList } from '../../api/contract.js';
import { type Clause, require, Violation } from '../clause.js';
import { type Answer, bodyOf, type Session } from '../session.js';

export const assetClauses: readonly Clause[] = [
  {
    id: 'assets.list',
    section: 'Endpoints',
    says: 'The assets list is an object with data, an array',
    creates: 0,
    async check(session) {
      const { movie } = await session.movie();
      bodyOf(await session.call('listAssets', { movieId: movie.id }), AssetList);
    },
  },
  {
    id: 'assets.final',
    section: 'Endpoints',
    says: 'The assets list of a completed movie includes the final export, a final_video',
    creates: 0,
    async check(session) {
      const { video, answer } = await finalVideo(session);
      require(/^video\//.test(video.mime_type ?? 'video/'), `calls the final video ${video.mime_type}`, answer);
    },
  },
  {
    id: 'assets.stable',
    section: 'Resources and their fields',
    says: 'Asset ids are stable, to be stored by clients',
    creates: 0,
    async check(session) {
      const first = await listed(session);
      const second = await listed(session);
      const same = first.assets.every(({ id }, index) => id === second.assets[index]?.id);
      require(same &&
        first.assets.length === second.assets.length, 'gave other ids at the second listing', second.answer);
    },
  },
  {
    id: 'assets.download',
    section: 'Resources and their fields',
    says: 'The URL of an asset gives its file without a further credential',
    creates: 0,
    async check(session) {
      const { video, answer } = await finalVideo(session);
      const response = await session.service.fetch(new Request(video.url));
      const sizeBytes = (await response.arrayBuffer()).byteLength;
      require(response.ok, `answered the download with ${response.status}`, answer);
      require(sizeBytes > 0, 'gave an empty file', answer);
    },
  },
  {
    id: 'assets.shape',
    section: 'Resources and their fields',
    says: 'The final video has the length that was asked for, where the list shows it',
    creates: 0,
    async check(session) {
      const { request } = await session.movie();
      const { video, answer } = await finalVideo(session);
      const [shown, asked] = [video.duration_seconds, request.duration_seconds ?? 30];
      // A target, the specification says: half a second is no breach of it.
      require(shown === undefined || Math.abs(shown - asked) <= 0.5, `made ${shown} s of ${asked} s`, answer);
    },
  },
];

async function listed(session: Session): Promise<{ readonly assets: readonly Asset[]; readonly answer: Answer }> {
  const { id } = await session.completedMovie();
  const answer = await session.call('listAssets', { movieId: id });
  return { assets: bodyOf(answer, AssetList).data, answer };
}

async function finalVideo(session: Session): Promise<{ readonly video: Asset; readonly answer: Answer }> {
  const { assets, answer } = await listed(session);
  const video = assets.find(({ type }) => type === 'final_video');
  if (!video) throw new Violation('lists no final_video', answer);
  return { video, answer };
}
