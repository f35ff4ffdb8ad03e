/**
 * What most people write first with Temporal: a workflow per movie that looks, and sleeps while it is not done; an
 * activity per step. Started from a client loop. It is the peer that the slice is measured against: 40 events a movie
 * that is done at the second look.
 */
import { proxyActivities, sleep } from '@temporalio/workflow';

export interface PeerAsset {
  readonly type: string;
  readonly url: string;
}

export interface PeerActivities {
  create(movie: number): Promise<string>;
  status(movieId: string): Promise<string>;
  assets(movieId: string): Promise<readonly PeerAsset[]>;
  download(movieId: string, assets: readonly PeerAsset[]): Promise<void>;
}

const { create, status, assets, download } = proxyActivities<PeerActivities>({ startToCloseTimeout: '1m' });

export async function movieWorkflow(movie: number, pollMs: number): Promise<void> {
  const movieId = await create(movie);
  while ((await status(movieId)) !== 'completed') await sleep(pollMs);
  await download(movieId, await assets(movieId));
}
