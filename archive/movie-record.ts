import { z } from 'zod';
import type { ProbedMovie } from './probe.js';
import type { Asked, Verdict } from './verdict.js';

/** One file of a movie in the archive. */
export interface ArchivedFile {
  readonly assetId: string;
  readonly type: string;
  /** Path in the store. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** As the service states it; null when it does not. */
  readonly mimeType: string | null;
}

/** What a movie was ordered for: it shows a ledger that lost its books what it need not order again. */
export interface OrderedContent {
  /** The digest of the service that made it. */
  readonly service: string;
  readonly contentDigest: string;
}

export interface MovieRecord {
  readonly movieId: string;
  readonly order: OrderedContent;
  readonly brief: Readonly<Record<string, unknown>>;
  readonly asked: Asked;
  readonly measured: ProbedMovie | null;
  readonly verdict: Verdict;
  readonly files: readonly ArchivedFile[];
  /** Types of files that the service listed but did not deliver. */
  readonly notGiven: readonly string[];
  /** ISO 8601. */
  readonly times: Readonly<Record<string, string>>;
}

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The parts of `movie.json` that are read again. Paths in it are names within its own folder, so that the folder can be
 * moved and still be verified.
 */
const StoredRecord = z.looseObject({
  movie_id: z.string(),
  /** Older records have none. */
  order: z.object({ service: digest, content_digest: digest }).optional(),
  verdict: z.custom<Verdict>((value) => value === 'as ordered' || String(value).startsWith('needs review: ')),
  measured: z
    .object({
      container: z.string(),
      video_codec: z.string().nullable(),
      audio_codec: z.string().nullable(),
      width: z.number(),
      height: z.number(),
      duration_seconds: z.number(),
    })
    .nullable(),
  files: z.array(
    z.object({
      asset_id: z.string(),
      type: z.string(),
      path: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/),
      size_bytes: z.int().nonnegative(),
      sha256: digest,
      mime_type: z.string().nullable(),
    }),
  ),
});
export type StoredRecord = z.infer<typeof StoredRecord>;

/** The name of the nth record of a folder: `movie.json`, `movie-2.json`. */
export function recordName(n: number): string {
  return n === 1 ? 'movie.json' : `movie-${n}.json`;
}

export function isRecordName(name: string): boolean {
  return /^movie(-\d+)?\.json$/.test(name);
}

/** Null when the text is not a record. */
export function parseRecord(text: string): StoredRecord | null {
  try {
    return StoredRecord.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export function recordText(record: MovieRecord): string {
  const stored = {
    movie_id: record.movieId,
    order: { service: record.order.service, content_digest: record.order.contentDigest },
    brief: record.brief,
    asked: { duration_seconds: record.asked.durationSeconds, aspect_ratio: record.asked.aspectRatio },
    verdict: record.verdict,
    measured: record.measured && {
      container: record.measured.container,
      video_codec: record.measured.videoCodec,
      audio_codec: record.measured.audioCodec,
      width: record.measured.width,
      height: record.measured.height,
      duration_seconds: record.measured.durationSeconds,
    },
    files: record.files.map(({ assetId, type, path, sizeBytes, sha256, mimeType }) => ({
      asset_id: assetId,
      type,
      path: path.slice(path.lastIndexOf('/') + 1),
      size_bytes: sizeBytes,
      sha256,
      mime_type: mimeType,
    })),
    not_given: record.notGiven,
    times: record.times,
  };
  return `${JSON.stringify(stored, null, 2)}\n`;
}

export function filesOf(record: StoredRecord, folder: string): readonly ArchivedFile[] {
  return record.files.map(({ asset_id, type, path, size_bytes, sha256, mime_type }) => ({
    assetId: asset_id,
    type,
    path: `${folder}/${path}`,
    sizeBytes: size_bytes,
    sha256,
    mimeType: mime_type,
  }));
}

export function measuredOf({ measured }: StoredRecord): ProbedMovie | null {
  return (
    measured && {
      container: measured.container,
      videoCodec: measured.video_codec,
      audioCodec: measured.audio_codec,
      width: measured.width,
      height: measured.height,
      durationSeconds: measured.duration_seconds,
    }
  );
}
