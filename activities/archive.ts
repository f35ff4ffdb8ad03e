import type { Activities } from './activities.js';
import { concurrently } from './concurrently.js';
import { withHeartbeats } from './heartbeats.js';
import type { Save } from './saver.js';

/** Saves movies, each for itself, and tells which of them have to wait. */
export function createArchive(save: Save): Activities['archive'] {
  return (batchId, rowKeys) =>
    withHeartbeats(async (signal) => {
      const { later } = await concurrently(rowKeys, signal, (rowKey) => save(batchId, rowKey, signal));
      return { later };
    });
}
