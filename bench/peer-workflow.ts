/**
 * What most people write first with Temporal: a workflow per movie, a timer between polls, an activity per request.
 * Started from a client loop. It is the peer that the slice is measured against.
 */
import { proxyActivities, sleep } from '@temporalio/workflow';

export interface PeerActivities {
  create(movie: number): Promise<string>;
  status(movieId: string): Promise<string>;
  download(movieId: string): Promise<void>;
}

const { create, status, download } = proxyActivities<PeerActivities>({ startToCloseTimeout: '1m' });

export async function movieWorkflow(movie: number, pollMs: number): Promise<void> {
  const movieId = await create(movie);
  await sleep(pollMs);
  while ((await status(movieId)) !== 'completed') await sleep(pollMs);
  await download(movieId);
}
