/** Archives a movie in a process of its own, which kills itself (SIGKILL) at the moment named by its arguments. */
import { archiveMovie } from '../../archive/archive-movie.js';
import type { ArchiveStore } from '../../archive/archive-store.js';
import { createFileStore } from '../../archive/folder/file-store.js';

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

async function then<T>(name: ChildOrder['die'], work: Promise<T>): Promise<T> {
  const result = await work;
  step(name);
  return result;
}

const dying: ArchiveStore = {
  ...store,
  async openFolder(path) {
    const opened = await store.openFolder(path);
    return {
      work: opened.work,
      confirm: (files) => opened.confirm(files),
      publish: (name, localFile, content) => then('after publish', opened.publish(name, localFile, content)),
      writeText: (name, text) => then('after writeText', opened.writeText(name, text)),
      sync: () => then('after sync', opened.sync()),
      dropWork: () => then('after dropWork', opened.dropWork()),
    };
  },
};
await archiveMovie({ store: dying, listAssets: async () => order.assets, clock: Date.now }, order.job, {
  onBytes: (bytes) => step('after bytes', bytes),
});
