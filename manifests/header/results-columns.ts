/** What a results file adds behind the team's own columns (reports/results-csv.ts), spelled as it spells them. */
const resultNames: ReadonlySet<string> = new Set([
  ...['state', 'movie_id', 'final_video', 'poster', 'captions', 'storyboard', 'other_files', 'sha256'],
  ...['estimated', 'posted', 'currency', 'verdict', 'reason'],
  // The names of earlier releases.
  'asset_files',
]);
/** They begin in one of these ways. A team may use some of these names itself, but not all of them in this order. */
const beginnings = [
  ['state', 'movie_id', 'final_video', 'poster'],
  ['state', 'movie_id', 'asset_files', 'sha256'],
] as const;

/** Where the columns of a results file begin: the last ones, all of them ours; null for the team's own sheet. */
export function resultsFrom(headers: readonly string[]): number | null {
  let end = headers.length;
  while (end > 0 && headers[end - 1] === '') end -= 1;
  let first = end;
  while (first > 0 && resultNames.has(headers[first - 1] ?? '')) first -= 1;
  for (let start = Math.max(first, end - resultNames.size); start < end; start += 1) {
    if (beginnings.some((names) => names.every((name, offset) => headers[start + offset] === name))) return start;
  }
  return null;
}
