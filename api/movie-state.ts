import { z } from 'zod';

/** What an answer says about a movie's state, whatever else is wrong with it. */
export interface MovieState {
  readonly status: string;
  /** Null when missing or not from 0 to 100. */
  readonly percent: number | null;
  readonly stage: string | null;
  /** From its creation to its last change, by its own times; null when these are not times. */
  readonly tookMs: number | null;
  readonly error: { readonly code: string; readonly message: string; readonly requestId: string | null } | null;
}

const Shown = z.looseObject({
  id: z.string(),
  status: z.string().min(1),
  created_at: z.string().nullable().catch(null).default(null),
  updated_at: z.string().nullable().catch(null).default(null),
  progress: z
    .looseObject({
      percent: z.int().min(0).max(100).nullable().catch(null).default(null),
      stage: z.string().nullable().catch(null).default(null),
    })
    .nullable()
    .catch(null)
    .default(null),
  error: z
    .looseObject({ code: z.string(), message: z.string(), request_id: z.string().nullable().catch(null).default(null) })
    .nullable()
    .catch(null)
    .default(null),
});

/** @returns null for a body that is not about this movie or names no status. */
export function readMovieState(body: unknown, movieId: string): MovieState | null {
  const { data } = Shown.safeParse(body);
  if (!data || data.id !== movieId) return null;
  const { status, progress, error, created_at: created, updated_at: updated } = data;
  const tookMs = Date.parse(updated ?? '') - Date.parse(created ?? '');
  return {
    ...{ status, percent: progress?.percent ?? null, stage: progress?.stage ?? null },
    tookMs: Number.isFinite(tookMs) ? tookMs : null,
    error: error && { code: error.code, message: error.message, requestId: error.request_id },
  };
}
