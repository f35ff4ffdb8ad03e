import type { Addresses } from './link-in-archive.js';
import type { ResultRow } from './result-row.js';
import { timeJson } from './time-json.js';

export interface ResultsJsonlOptions {
  readonly batchId: string;
  readonly currency: string;
  /** Of its files, where they are reached by others than their own. */
  readonly addresses?: Addresses;
}

/** A row as one line of JSON, for programs: money in minor units, files with their hashes. */
export function resultsJsonlRow(
  { row, files, movieId, verdict, reason }: ResultRow,
  { batchId, currency, addresses }: ResultsJsonlOptions,
): string {
  return `${JSON.stringify({
    batch: batchId,
    row: row.row,
    id: row.rowKey,
    class: row.class,
    state: row.state,
    content_digest: row.contentDigest,
    movie_id: movieId,
    verdict,
    reason,
    attempt: row.attempt,
    currency,
    estimated_minor: row.ordered ? row.amountMinor : null,
    posted_minor: row.money === 'posted' ? row.amountMinor : 0,
    held_minor: row.money === 'held' ? row.amountMinor : 0,
    ordered_at: timeJson(row.orderedAtMs),
    ended_at: timeJson(row.endedAtMs),
    files: files.map((file) => ({
      asset_id: file.assetId,
      type: file.type,
      path: file.path,
      ...(addresses && { url: addresses.get(file.path) }),
      size_bytes: file.sizeBytes,
      sha256: file.sha256,
    })),
  })}\n`;
}
