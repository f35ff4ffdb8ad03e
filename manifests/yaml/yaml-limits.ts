import { type Finding, findingAt, wholeFile } from '../../sheets/findings/finding.js';

/** YAML is held whole, some twenty times its size. */
export const maxBytes = 64 * 1024 * 1024;
/** Past this a sheet is the right form. */
const moviesAdvised = 20_000;
/** Movies that are read and handed on together. */
export const pageMovies = 500;
/** Every movie gets a cell in each, and the results a column for each. */
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

/** Advises a sheet where YAML has more movies than it is good for. */
export function sizeFindings(movies: number): readonly Finding[] {
  return movies > moviesAdvised ? [tooLong] : [];
}
