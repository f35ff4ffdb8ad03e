import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import { ConnectionError, ContractError, MovieApiError } from '../api/errors.js';
import type { MovieApi } from '../api/movie-api.js';
import type { ArchivableAsset } from '../archive/download/asset-listing.js';
import { AssetGoneError, DownloadError, StorageError } from '../archive/errors.js';
import { serviceDigest } from '../domain/service.js';
import {
  type ArchiveJob,
  archiveJob,
  recordArchiveAlarm,
  recordDelivered,
  recordLost,
} from '../ledger/progress/deliveries.js';
import { deliveredWords } from '../reports/wording/work-event.js';
import type { ActivityDeps } from './deps.js';
import type { Waiting } from './failures.js';
import { recordedBrief } from './recorded-brief.js';
import { tell } from './tell.js';

/** Between two attempts to save a movie that failed through no fault of its own. */
const againMs = 30_000;
/** A finished movie whose video is not listed yet is asked for again, by and by less often. */
const missingMs = 15_000;

/** Movies saved at once by one worker: more only hold memory, and URLs, while they wait for the same line and disk. */
const maxConcurrentSaves = 32;

interface UnderWay {
  readonly cut: AbortController;
  readonly over: AbortController;
  readonly done: Promise<Waiting | null>;
}

/** Saves one finished movie; null when nothing is left to do for its row. */
export type Save = (batchId: string, rowKey: string, signal: AbortSignal) => Promise<Waiting | null>;

/**
 * A movie that is being saved is joined by whoever asks for it next, the follower that saw its end or its slice; the
 * save ends with any of them whose attempt is cut short.
 */
export function createSaver(deps: ActivityDeps): Save {
  const save = createSave(deps);
  const limit = pLimit(maxConcurrentSaves);
  const underWay = new Map<string, UnderWay>();

  function begin(batchId: string, rowKey: string): UnderWay {
    const key = `${batchId} ${rowKey}`;
    const [cut, over] = [new AbortController(), new AbortController()];
    const before = underWay.get(key)?.done.catch(() => undefined);
    const done = limit(async () => {
      await before;
      return save(batchId, rowKey, cut.signal);
    }).finally(() => {
      over.abort();
      if (underWay.get(key)?.cut === cut) underWay.delete(key);
    });
    return { cut, over, done };
  }

  return (batchId, rowKey, signal) => {
    const key = `${batchId} ${rowKey}`;
    const running = underWay.get(key);
    const joined = running && !running.cut.signal.aborted ? running : begin(batchId, rowKey);
    if (joined !== running) underWay.set(key, joined);
    if (signal.aborted) joined.cut.abort(signal.reason);
    setMaxListeners(0, signal); // one for each movie of an attempt
    signal.addEventListener('abort', () => joined.cut.abort(signal.reason), { once: true, signal: joined.over.signal });
    return joined.done;
  };
}

/**
 * Saves the files of a finished movie and settles its row. A movie is paid: what is wrong here (a full disk, storage
 * refused, a broken download) is an alarm and another attempt, never the end of the row. Only the service's own word
 * that it has no files ends it, as `lost`, and only after the time that policy grants.
 */
function createSave(deps: ActivityDeps): Save {
  const { ledger, api, archiver, clock } = deps;
  const service = serviceDigest(deps.service);
  return save;

  /** Null when nothing is left to do for the row. */
  async function save(batchId: string, rowKey: string, signal: AbortSignal): Promise<Waiting | null> {
    signal.throwIfAborted();
    const job = await archiveJob(ledger, { batchId, rowKey });
    if (!job) return null;
    const { movieId, brief, contentDigest, folder, lostAfterMs } = job;
    const row = { batchId, rowKey };
    const listAssets = () => listed(api, movieId, signal);
    try {
      const asked = { durationSeconds: brief.durationSeconds, aspectRatio: brief.aspectRatio };
      const archived = await archiver.archive(
        {
          ...{ folder, movieId, order: { service, contentDigest }, asked },
          ...{ brief: recordedBrief(brief), times: timesOf(job) },
        },
        { listAssets, signal, sideFiles: clock() > lostAfterMs ? 'if possible' : 'required' },
      );
      if (archived.missing) return await missing('the service does not list a final video');
      const { files, verdict } = archived;
      await recordDelivered(ledger, { ...row, files, verdict, nowMs: clock() });
      tell(deps, { ...row, kind: 'delivered', detail: deliveredWords(verdict, files.length) });
      return null;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AssetGoneError) return await missing(error.message);
      if (!passes(error)) throw error;
      await recordArchiveAlarm(ledger, { ...row, message: error.message, nowMs: clock() });
      tell(deps, { ...row, kind: 'waits', detail: error.message });
      return { for: 'the files could not be saved yet', delayMs: retryAfterMs(error) ?? againMs };
    }

    async function missing(reason: string): Promise<Waiting | null> {
      const nowMs = clock();
      if (nowMs >= lostAfterMs) {
        await recordLost(ledger, { ...row, reason, nowMs });
        tell(deps, { ...row, kind: 'lost', detail: reason });
        return null;
      }
      await recordArchiveAlarm(ledger, { ...row, message: reason, nowMs });
      tell(deps, { ...row, kind: 'waits', detail: reason });
      return { for: 'the final video is not there yet', delayMs: Math.min(missingMs, lostAfterMs - nowMs) };
    }
  }
}

function timesOf({ orderedAtMs, finishedAtMs }: ArchiveJob): Readonly<Record<string, string>> {
  return { ordered_at: new Date(orderedAtMs).toISOString(), finished_at: new Date(finishedAtMs).toISOString() };
}

async function listed(api: MovieApi, movieId: string, signal: AbortSignal): Promise<readonly ArchivableAsset[]> {
  const assets = await api.listAssets(movieId, { signal });
  return assets.map(({ id, type, url, mime_type }) => ({ assetId: id, type, url, mimeType: mime_type ?? null }));
}

type TransientError = StorageError | DownloadError | MovieApiError | ConnectionError | ContractError;

/** Faults of ours, of the way, or of the service's moment: all may be gone at the next attempt. */
function passes(error: unknown): error is TransientError {
  return [StorageError, DownloadError, MovieApiError, ConnectionError, ContractError].some(
    (kind) => error instanceof kind,
  );
}

function retryAfterMs(error: TransientError): number | null {
  return error instanceof DownloadError || error instanceof MovieApiError ? error.retryAfterMs : null;
}
