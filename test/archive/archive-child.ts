/** Archives a movie in a process of its own, which kills itself (SIGKILL) at the moment named by its arguments. */
import { archiveMovie } from '../../archive/archive-movie.js';
import type { ArchiveStore } from '../../archive/archive-store.js';
import { createFileStore } from '../../archive/file-store.js';

export interface ChildOrder {
  readonly folder: string;
  readonly assets: Parameters<typeof archiveMovie>[0]['listAssets'] extends () => Promise<infer T> ? T : never;
  readonly job: Parameters<typeof archiveMovie>[1];
  readonly die: 'after bytes' | 'after publish' | 'after writeText' | 'after sync' | 'after dropWork';
  /** Bytes or calls before it dies. */
  readonly count: number;
}

const order: ChildOrder = JSON.parse(process.argv[2] ?? '');
let left = order.count;

function step(name: ChildOrder['die'], by = 1): void {
  if (name !== order.die) return;
  left -= by;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
}

const store = await createFileStore(order.folder);
const dying: ArchiveStore = {
  ...store,
  async publish(path, localFile, content) {
    const result = await store.publish(path, localFile, content);
    step('after publish');
    return result;
  },
  async writeText(path, text) {
    const result = await store.writeText(path, text);
    step('after writeText');
    return result;
  },
  async sync(path) {
    await store.sync(path);
    step('after sync');
  },
  async dropWork(path) {
    await store.dropWork(path);
    step('after dropWork');
  },
};
await archiveMovie({ store: dying, listAssets: async () => order.assets, clock: Date.now }, order.job, {
  onBytes: (bytes) => step('after bytes', bytes),
});
