import type { ArchiveDeps, Archived, ArchiveJob, ArchiveOptions } from './archive-movie.js';
import { archiveMovie } from './archive-movie.js';

/** Saves the files of finished movies, in this thread or in another: see `archiveMovie` for what it does and throws. */
export interface MovieArchiver {
  archive(job: ArchiveJob, options: ArchiverOptions): Promise<Archived>;
}

export type ArchiverOptions = Pick<ArchiveDeps, 'listAssets'> & Pick<ArchiveOptions, 'signal' | 'sideFiles'>;

/** Saves files in the caller's own thread. */
export function createMovieArchiver(deps: Omit<ArchiveDeps, 'listAssets'>): MovieArchiver {
  return {
    archive: (job, { listAssets, ...options }) => archiveMovie({ ...deps, listAssets }, job, options),
  };
}
