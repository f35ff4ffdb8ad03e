import { rm } from 'node:fs/promises';
import type { Dispatcher } from 'undici';
import type { ArchiveFolder, ArchiveStore } from './archive-store.js';
import {
  type ArchivableAsset,
  type AssetListing,
  byExpiry,
  isFinalVideo,
  openListing,
} from './download/asset-listing.js';
import type { DownloadOptions } from './download/download.js';
import { type FetchedFile, fetchAgain, fetchAsset } from './download/fetch-asset.js';
import { AssetGoneError, DownloadError, onDisk } from './errors.js';
import { type Kept, keptFiles } from './kept-files.js';
import { type ArchivedFile, filesOf, type OrderedContent } from './movie-record.js';
import { type ProbedMovie, probeMovie } from './probe.js';
import { publishFiles, publishRecord, type Unpublished } from './publish-movie.js';
import { drawThumbnails, publishThumbnails, type Thumbnail } from './thumbnails.js';
import { type Asked, type Verdict, verdict } from './verdict.js';

export interface ArchiveDeps {
  readonly store: ArchiveStore;
  /** Asks the service for the movie's files; called again when URLs expire. */
  listAssets(): Promise<readonly ArchivableAsset[]>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Undici's global dispatcher by default. */
  readonly dispatcher?: Dispatcher | undefined;
}

export interface ArchiveJob {
  /** Path in the store: `<batch>/<row key>`. */
  readonly folder: string;
  readonly movieId: string;
  readonly order: OrderedContent;
  readonly asked: Asked;
  /** What was ordered, for `movie.json`: anything that JSON can hold and anybody may read. */
  readonly brief: Readonly<Record<string, unknown>>;
  /** Times to keep, as ISO 8601; `archived_at` is added. */
  readonly times: Readonly<Record<string, string>>;
}

export interface ArchiveOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called for every piece that was written: a sign of life. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /**
   * What to do when a side file cannot be fetched for now (the movie itself is always waited for): `required` rejects,
   * so that a later attempt tries again; `if possible` archives without it and says so in the verdict.
   */
  readonly sideFiles?: 'required' | 'if possible';
}

export type Archived =
  | { readonly files: readonly ArchivedFile[]; readonly verdict: Verdict; readonly missing?: never }
  /** The service lists no final video, or an empty one: the caller decides whether to wait for it. */
  | { readonly missing: 'final_video'; readonly files?: never; readonly verdict?: never };

/**
 * Saves the files of a finished movie: lists them, downloads each, publishes them under their names, and writes
 * `movie.json` last, as the proof that everything is there.
 *
 * It can be repeated after a crash at any moment, and ends with the same files: a download resumes where it stopped, a
 * finished one is found by its hash, a published one stays. When the proof is there and every file in it is intact, the
 * service is not called at all.
 *
 * @throws AssetGoneError when the service refuses the movie; DownloadError when it failed for now; StorageError when
 * our own disk refuses; whatever `listAssets` throws; the signal's reason.
 */
export async function archiveMovie(
  deps: ArchiveDeps,
  job: ArchiveJob,
  options: ArchiveOptions = {},
): Promise<Archived> {
  const { store, clock } = deps;
  const { folder, movieId, order, asked, brief } = job;
  const kept = await keptFiles(store, folder, movieId);
  if (kept.whole) {
    const opened = await store.openFolder(folder);
    await opened.sync();
    await opened.dropWork();
    return { files: filesOf(kept.whole, folder), verdict: kept.whole.verdict };
  }
  const listing = await openListing(deps.listAssets);
  if (![...listing.assets, ...kept.files.values()].some(isFinalVideo)) return { missing: 'final_video' };
  const opened = await store.openFolder(folder);
  const gathered = await gather({ deps, options, listing, kept, opened });
  if (gathered === 'no final video') return { missing: 'final_video' };

  const { measured, notGiven } = gathered;
  await publishThumbnails(opened, gathered.thumbnails); // before the posters: an attempt that finds these is done with it
  const files = await publishFiles({ store, name: folder, opened }, gathered.files);
  const result = { files, verdict: verdict(asked, measured, notGiven) };
  const times = { ...job.times, archived_at: new Date(clock()).toISOString() };
  const record = { movieId, order, brief, asked, measured, notGiven, times, ...result };
  await publishRecord({ store, name: folder, opened }, record);
  await opened.sync();
  await opened.dropWork();
  return result;
}

interface Gathering {
  readonly deps: ArchiveDeps;
  readonly options: ArchiveOptions;
  readonly listing: AssetListing;
  readonly kept: Kept;
  readonly opened: ArchiveFolder;
}

interface Gathered {
  /** In the order in which they get their names; what was fetched survives a power cut. */
  readonly files: readonly (ArchivedFile | Unpublished)[];
  readonly thumbnails: readonly Thumbnail[];
  readonly measured: ProbedMovie | null;
  readonly notGiven: readonly string[];
}

/** Gets every file, the one whose URL expires first before the others; a failing file does not hold up the rest. */
async function gather(gathering: Gathering): Promise<Gathered | 'no final video'> {
  const { listing, kept, options, opened } = gathering;
  const fetched = new Map<string, FetchedFile>();
  const notGiven: string[] = [];
  let failure: DownloadError | null = null;
  let { measured } = kept;
  for (const asset of byExpiry(listing.assets).filter(({ assetId }) => !kept.files.has(assetId))) {
    try {
      const found = await fetchOne(gathering, asset);
      fetched.set(asset.assetId, found.file);
      if (isFinalVideo(asset)) measured = found.measured;
    } catch (error) {
      const outcome = outcomeOf(error, asset, options);
      if (outcome === 'no final video') return outcome;
      if (outcome === 'not given') notGiven.push(asset.type);
      else failure ??= outcome;
    }
  }
  const unpublished = listing.assets.flatMap((asset) => {
    const file = fetched.get(asset.assetId);
    return file ? [{ asset, fetched: file }] : [];
  });
  const thumbnails = failure ? [] : await drawThumbnails(opened.work, unpublished);
  // Before the first has its name; and where this attempt fails, for the next one, whenever that is.
  await opened.confirm([...fetched.values(), ...thumbnails].map(({ localFile }) => localFile));
  if (failure) throw failure;
  return { files: [...kept.files.values(), ...unpublished], thumbnails, measured, notGiven };
}

/** What a failed download means for its movie; our own faults and a refused movie end the attempt here. */
function outcomeOf(
  error: unknown,
  asset: ArchivableAsset,
  { sideFiles = 'required' }: ArchiveOptions,
): 'no final video' | 'not given' | DownloadError {
  const isMovie = isFinalVideo(asset);
  if (error instanceof AssetGoneError && !isMovie) return 'not given';
  if (error instanceof AssetGoneError && error.reason !== 'refused') return 'no final video';
  if (!(error instanceof DownloadError)) throw error;
  return !isMovie && sideFiles === 'if possible' ? 'not given' : error;
}

interface Fetched {
  readonly file: FetchedFile;
  /** Measurements of the movie itself; null for other files. */
  readonly measured: ProbedMovie | null;
}

async function fetchOne(gathering: Gathering, asset: ArchivableAsset): Promise<Fetched> {
  const { deps, options, listing } = gathering;
  const { work } = gathering.opened;
  const { assetId, mimeType } = asset;
  const download: Omit<DownloadOptions, 'partFile'> = {
    url: listing.urlOf(assetId),
    expected: { mimeType },
    refreshUrl: () => listing.refresh(assetId),
    signal: options.signal,
    onBytes: options.onBytes,
    dispatcher: deps.dispatcher,
  };
  const file = await fetchAsset(work, assetId, download);
  if (!isFinalVideo(asset)) return { file, measured: null };
  const measured = await probeMovie(file.localFile);
  if (measured) return { file, measured };
  return secondOpinion(file, async () =>
    fetchAgain(work, assetId, { ...download, url: await listing.refresh(assetId) }),
  );
}

/**
 * Downloads an unreadable movie once more, since a passing fault looks the same. The second copy is what the service
 * has: it is kept, readable or not, and the verdict says so.
 */
async function secondOpinion(first: FetchedFile, fetchAnother: () => Promise<FetchedFile>): Promise<Fetched> {
  try {
    const second = await fetchAnother();
    if (second.sha256 === first.sha256) return { file: second, measured: null };
    await onDisk('drop an unreadable download', () => rm(first.localFile, { force: true }));
    return { file: second, measured: await probeMovie(second.localFile) };
  } catch (error) {
    if (error instanceof AssetGoneError) return { file: first, measured: null };
    throw error;
  }
}
