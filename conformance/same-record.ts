import type { Movie } from '../api/contract.js';
import { type Exchange, require } from './clause.js';

/** The fields of a Movie that never change. */
const fixed = ['id', 'prompt', 'duration_seconds', 'aspect_ratio', 'created_at'] as const;

/** The whole Movie record, as far as the interface names it. */
const all = [...fixed, 'status', 'progress', 'error', 'updated_at'] as const;

/** @throws Violation naming the field in which the two records of one job differ. */
export function requireSameRecord(earlier: Movie, later: Movie, answer: Exchange): void {
  for (const field of all) requireSame(field, earlier, later, answer);
}

/** @throws Violation naming the field that had another value when the job was made. */
export function requireSameJob(earlier: Movie, later: Movie, answer: Exchange): void {
  for (const field of fixed) {
    if (earlier[field] !== undefined && later[field] !== undefined) requireSame(field, earlier, later, answer);
  }
  require(Date.parse(later.updated_at) >= Date.parse(earlier.updated_at), 'moved updated_at back', answer);
}

function requireSame(field: (typeof all)[number], earlier: Movie, later: Movie, answer: Exchange): void {
  require(shown(earlier, field) === shown(later, field), `shows a different ${field} than before`, answer);
}

/** Two ways to write one time, or nothing and null, are the same. */
function shown(movie: Movie, field: (typeof all)[number]): unknown {
  const value = movie[field] ?? null;
  if (field === 'created_at' || field === 'updated_at') return Date.parse(movie[field]);
  if (field === 'progress') return JSON.stringify([movie.progress?.percent, movie.progress?.stage]);
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
