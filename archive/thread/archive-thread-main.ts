/** The thread that saves files: it downloads, hashes, probes and publishes them for the thread that started it. */
import { parentPort, workerData } from 'node:worker_threads';
import { type BirpcReturn, createBirpc } from 'birpc';
import { createRoutes } from '../../api/routes.js';
import { createMovieArchiver, type MovieArchiver } from '../movie-archiver.js';
import { openStore } from '../open-store.js';
import {
  faultOf,
  NotListedError,
  type OwnerFunctions,
  type ThreadData,
  type ThreadFunctions,
} from './archive-thread-messages.js';

const { archiveUrl, stagingFolder, proxies } = workerData as ThreadData; // sent by archive-thread.ts
const dispatcher = createRoutes(proxies);
const port = parentPort;
if (!port) throw new Error('Cannot start the thread of the archive: it was not started as a thread');

let opening: Promise<MovieArchiver> | undefined;

/** An archive that cannot be opened now fails the call that asked for it; the next call tries again. */
function archiver(): Promise<MovieArchiver> {
  opening ??= openStore(archiveUrl, stagingFolder).then(
    (store) => createMovieArchiver({ store, clock: Date.now, dispatcher }),
    (error: unknown) => {
      opening = undefined;
      throw error;
    },
  );
  return opening;
}

const calls = new Map<number, AbortController>();

const owner: BirpcReturn<OwnerFunctions, ThreadFunctions> = createBirpc(
  {
    async archive(call, job, options) {
      const controller = new AbortController();
      calls.set(call, controller);
      try {
        const { archive } = await archiver();
        return { archived: await archive(job, { ...options, listAssets, signal: controller.signal }) };
      } catch (error) {
        return { fault: faultOf(error) };
      } finally {
        calls.delete(call);
      }

      async function listAssets() {
        try {
          return await owner.listAssets(call);
        } catch {
          throw new NotListedError();
        }
      }
    },
    cancel: (call) => calls.get(call)?.abort(),
  },
  // A download may take hours: no call has an end of its own.
  { post: (message) => port.postMessage(message), on: (hear) => port.on('message', hear), timeout: -1 },
);
