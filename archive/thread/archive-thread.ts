import { setMaxListeners } from 'node:events';
import { type BirpcReturn, createBirpc } from 'birpc';
import { startOwnThread } from '../../processes/own-code.js';
import type { ArchiverOptions, MovieArchiver } from '../movie-archiver.js';
import { errorOf, type OwnerFunctions, type ThreadData, type ThreadFunctions } from './archive-thread-messages.js';

export interface ArchiveThread extends MovieArchiver {
  /** Ends the thread at once, and with it whatever it is saving. */
  close(): Promise<void>;
}

/**
 * Saves files in a thread of its own: some fifty disk calls and four downloads per movie are two fifths of a worker's
 * work, and would hold up orders and polls. There the short disk calls are synchronous, since handing one to the pool
 * and back takes longer than the call. The thread starts at once, so that it has loaded its code before the first movie
 * comes; one that has died (its memory ran out) fails what it was saving, and the next movie starts another.
 */
export function createArchiveThread(data: ThreadData): ArchiveThread {
  let thread = startThread(data);
  return {
    archive(job, options) {
      if (thread.ended) thread = startThread(data);
      return thread.archive(job, options);
    },
    close: () => thread.close(),
  };
}

interface Call {
  readonly options: ArchiverOptions;
  /** Why the files could not be listed the last time. */
  notListed?: unknown;
}

interface Thread extends ArchiveThread {
  readonly ended: boolean;
}

function startThread(data: ThreadData): Thread {
  const calls = new Map<number, Call>();
  let lastCall = 0;
  const worker = startOwnThread(new URL('./archive-thread-main.js', import.meta.url), data);
  const functions: OwnerFunctions = {
    async listAssets(call) {
      const asking = calls.get(call);
      if (!asking) throw new Error('Cannot list the files of a movie that nobody saves any more');
      try {
        return await asking.options.listAssets();
      } catch (error) {
        asking.notListed = error;
        throw new Error('Cannot list the files'); // the thread needs to know no more
      }
    },
  };
  const rpc: BirpcReturn<ThreadFunctions, OwnerFunctions> = createBirpc(functions, {
    post: (message) => worker.postMessage(message),
    on: (hear) => worker.on('message', hear),
    timeout: -1, // a download may take hours
  });
  worker.once('error', (cause) => rpc.$close(new Error('Cannot save files: their thread failed', { cause })));
  worker.once('exit', () => rpc.$close(new Error('Cannot save files: their thread ended')));

  return {
    get ended() {
      return rpc.$closed;
    },
    async archive(job, options) {
      options.signal?.throwIfAborted();
      lastCall += 1;
      const id = lastCall;
      const call: Call = { options };
      const cancel = () => void rpc.cancel.asEvent(id).catch(() => undefined); // a thread that ended has stopped too
      calls.set(id, call);
      // One signal may end the saves of many movies: that is not a leak, but Node 20 would warn of one at eleven.
      if (options.signal) setMaxListeners(0, options.signal);
      options.signal?.addEventListener('abort', cancel, { once: true });
      try {
        const { sideFiles } = options;
        const { archived, fault } = await rpc.archive(id, job, { ...(sideFiles && { sideFiles }) });
        if (archived) return archived;
        options.signal?.throwIfAborted();
        throw fault.kind === 'not listed' ? call.notListed : errorOf(fault);
      } finally {
        options.signal?.removeEventListener('abort', cancel);
        calls.delete(id);
      }
    },
    async close() {
      await worker.terminate();
    },
  };
}
