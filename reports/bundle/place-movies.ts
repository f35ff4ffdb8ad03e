import type { BundleMovie } from './bundle-movies.js';

/** A file of the archive and where it goes in the bundle. */
export interface PlacedFile {
  readonly from: string;
  readonly to: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** A row of the bundle; `number` is null for one without a film. */
export interface PlacedMovie {
  readonly number: number | null;
  readonly movie: BundleMovie;
  readonly files: Readonly<Partial<Record<'film' | 'poster' | 'captions', PlacedFile>>>;
  readonly ownCells: readonly string[];
}

const kinds = { film: 'final_video', poster: 'poster', captions: 'captions' } as const;

/**
 * Numbers the films from 1 and names their files by number and id: `films/07-hero.mp4`. The number keeps them in the
 * order of the gallery, and apart on disks that do not tell `A` from `a`.
 */
export function placeMovies(
  movies: readonly BundleMovie[],
  ownCells: (movie: BundleMovie) => readonly string[],
): readonly PlacedMovie[] {
  const films = movies.filter(hasFilm);
  const digits = String(films.length).length;
  let number = 0;
  return movies.map((movie) => {
    if (!hasFilm(movie)) return { number: null, movie, files: {}, ownCells: ownCells(movie) };
    number += 1;
    const name = `${String(number).padStart(digits, '0')}-${movie.row.rowKey}`;
    return { number, movie, files: filesOf(movie, name), ownCells: ownCells(movie) };
  });
}

function hasFilm({ files }: BundleMovie): boolean {
  return files.some(({ type }) => type === kinds.film);
}

function filesOf({ files }: BundleMovie, name: string): PlacedMovie['files'] {
  const placed: Partial<Record<keyof typeof kinds, PlacedFile>> = {};
  for (const kind of ['film', 'poster', 'captions'] as const) {
    const file = files.find(({ type }) => type === kinds[kind]);
    if (!file) continue;
    const { path: from, sizeBytes, sha256 } = file;
    const folder = kind === 'captions' ? kind : `${kind}s`;
    placed[kind] = { from, to: `${folder}/${name}${endingOf(from)}`, sizeBytes, sha256 };
  }
  return placed;
}

function endingOf(path: string): string {
  return /\.[A-Za-z0-9]+$/.exec(path)?.[0].toLowerCase() ?? '';
}
