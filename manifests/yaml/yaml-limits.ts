import { type Finding, findingAt, wholeFile } from '../../sheets/findings/finding.js';

/** YAML is held whole, at some twenty times its size. */
export const maxBytes = 64 * 1024 * 1024;
/** Beyond this a sheet is the better format. */
const moviesAdvised = 20_000;
/** Movies read and handed on together. */
export const pageMovies = 500;
/** Every movie gets a cell for each, and the results a column. */
export const maxColumns = 1_000;

const tooLong = findingAt(wholeFile, {
  severity: 'warning',
  code: 'long_yaml',
  message: `it has more than ${moviesAdvised} movies; CSV is read faster and needs less memory`,
});

export function tooManyColumns(count: number): Finding {
  const message = `its movies have ${count} different names of values; at most ${maxColumns}`;
  return findingAt(wholeFile, { severity: 'error', code: 'too_many_columns', message });
}

/** Advises a sheet when YAML has more movies than it is good for. */
export function sizeFindings(movies: number): readonly Finding[] {
  return movies > moviesAdvised ? [tooLong] : [];
}
