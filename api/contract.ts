/**
 * The wire, described once: every path, field and limit of the Movie Generation Service, version 1.0.0.
 * The client parses answers with it, the studio validates requests with it, and OpenAPI is generated from it.
 *
 * Requests are strict (an unknown field is refused with its name). Answers are loose: a field or status word that the
 * interface does not name is kept, since the service may grow before its clients do.
 */
import { z } from 'zod';
import { aspectRatios, referenceRoles } from '../domain/brief.js';
import { codePoints, limits, referenceIdForm } from '../domain/interface-limits.js';
import { movieIdForm } from '../domain/movie-id.js';

export { limits };

/** A string that UTF-8 can carry, of `min` to `max` code points. */
export function text({ min = 0, max }: { readonly min?: number; readonly max: number }) {
  return z
    .string()
    .refine((value) => !/\p{Surrogate}/u.test(value), { error: 'must be Unicode text without lone surrogates' })
    .refine((value) => codePoints(value) >= min, { error: `must be at least ${min} characters` })
    .refine((value) => codePoints(value) <= max, { error: `must be at most ${max} characters` })
    .meta({ minLength: min, maxLength: max });
}

export const AspectRatio = z.enum(aspectRatios);

export const ReferenceRole = z.enum(referenceRoles);

export const movieStatuses = [
  'queued',
  'planning',
  'generating',
  'rendering',
  'completed',
  'failed',
  'canceled',
] as const;
export type MovieStatus = (typeof movieStatuses)[number];

/** The statuses after which a job never changes (specification, States and transitions). */
export const terminalStatuses: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled']);

export const MovieId = z.string().regex(movieIdForm);
const ReferenceId = z.string().regex(referenceIdForm);

export const MovieReferenceInput = z.strictObject({
  reference_id: ReferenceId,
  role: ReferenceRole,
  description: text({ max: limits.descriptionMax }).optional(),
});
export type MovieReferenceInput = z.infer<typeof MovieReferenceInput>;

/** Body of create and of estimate. */
export const MovieRequest = z.strictObject({
  prompt: text({ min: limits.promptMin, max: limits.promptMax }),
  duration_seconds: z
    .int()
    .min(limits.durationSecondsMin)
    .max(limits.durationSecondsMax)
    .default(limits.durationSecondsDefault),
  aspect_ratio: AspectRatio.optional(),
  style: text({ max: limits.styleMax }).optional(),
  references: z.array(MovieReferenceInput).max(limits.referencesMax).optional(),
  webhook_url: z.url({ protocol: /^https?$/ }).optional(),
});
export type MovieRequest = z.input<typeof MovieRequest>;

/** Header `Idempotency-Key`. */
export const IdempotencyKey = text({ min: limits.idempotencyKeyMin, max: limits.idempotencyKeyMax });

export const ErrorObject = z.looseObject({ code: z.string(), message: z.string(), request_id: z.string() });
export type ErrorObject = z.infer<typeof ErrorObject>;
export const ErrorBody = z.looseObject({ error: ErrorObject });

const timestamp = z.iso.datetime({ offset: true });

export const Movie = z.looseObject({
  id: MovieId,
  /** One of `movieStatuses`, or a status that the service has added since: an alarm, never a failure. */
  status: z.string().min(1),
  prompt: z.string().optional(),
  duration_seconds: z.int().optional(),
  aspect_ratio: z.string().optional(),
  progress: z
    .looseObject({ percent: z.int().min(0).max(100).optional(), stage: z.string().optional() })
    .nullable()
    .optional(),
  error: ErrorObject.nullable().optional(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Movie = z.infer<typeof Movie>;

export const Reference = z.looseObject({
  id: ReferenceId,
  role: z.string().optional(),
  mime_type: z.string().optional(),
  created_at: timestamp.optional(),
  description: z.string().nullable().optional(),
});
export type Reference = z.infer<typeof Reference>;

/**
 * Amounts stay as the service sent them, even missing or negative: whether such an estimate prices a row is a money
 * rule (`domain/judge-estimate.ts`), not a matter of the wire.
 */
export const Estimate = z.looseObject({
  estimated_credits: z.int().min(0),
  estimated_runtime_seconds: z.int().min(0),
  currency: z.string().length(3),
  amount_minor: z.int().min(0),
  assumptions: z.array(z.string()).default([]),
});
export type Estimate = z.infer<typeof Estimate>;

export const Asset = z.looseObject({
  id: z.string().regex(/^asset_.+$/),
  type: z.string(),
  /** Signed and temporary: never stored, never logged. */
  url: z.url(),
  created_at: timestamp.optional(),
  mime_type: z.string().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  duration_seconds: z.number().optional(),
});
export type Asset = z.infer<typeof Asset>;
export const AssetList = z.looseObject({ data: z.array(Asset) });

/** The six operations. Paths are relative to the base URL, which ends in the version segment `v1`. */
export const routes = {
  uploadReference: { method: 'POST', path: '/references' },
  estimateMovie: { method: 'POST', path: '/movies/estimate' },
  createMovie: { method: 'POST', path: '/movies' },
  getMovie: { method: 'GET', path: '/movies/{movie_id}' },
  cancelMovie: { method: 'POST', path: '/movies/{movie_id}/cancel' },
  listAssets: { method: 'GET', path: '/movies/{movie_id}/assets' },
} as const;
export type Operation = keyof typeof routes;
