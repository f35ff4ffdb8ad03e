import { errnoOf } from '../errors.js';
import { syncPath } from './sync-file.js';

/**
 * Syncs of folders that many writers share. A call during another sync of the same folder waits for the next one,
 * together with all calls until that one starts: what a writer did before its call is always covered.
 */
export class FolderSyncs {
  readonly #running = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<void>>();
  readonly #syncFolder: typeof syncFolder;

  constructor(sync: typeof syncFolder = syncFolder) {
    this.#syncFolder = sync;
  }

  /** Resolves when the entries that the folder had at the call survive a power cut. */
  sync(path: string): Promise<void> {
    const next = this.#next.get(path);
    if (next) return next;
    const running = this.#running.get(path);
    if (!running) return this.#run(path);
    const then = async () => {
      await running.catch(() => undefined); // whoever asked for that one gets its error
      this.#next.delete(path);
      await this.#run(path);
    };
    const promise = then();
    this.#next.set(path, promise);
    return promise;
  }

  #run(path: string): Promise<void> {
    const running = this.#syncFolder(path).finally(() => this.#running.delete(path));
    this.#running.set(path, running);
    return running;
  }
}

export async function syncFolder(path: string): Promise<void> {
  try {
    await syncPath(path, 'r');
  } catch (error) {
    // Windows has no such call for folders, some network disks neither.
    if (!['EPERM', 'EINVAL', 'ENOTSUP'].includes(errnoOf(error) ?? '')) throw error;
  }
}
