import type { FaultScript, MovieQuirk } from './faults/script.js';
import type { BodyLimits } from './http/body.js';
import type { UploadLimits } from './http/upload.js';
import type { IdempotencyMode } from './idempotency.js';
import type { AcceptedRequest, Preset } from './movies.js';
import type { Pricing } from './price.js';
import type { Rate } from './rate-limit.js';
import type { Renderer } from './render/renderer.js';
import type { Send } from './webhooks/dispatcher.js';

export interface StudioOptions {
  /** SQLite and files. Everything is kept here; only one studio at a time may have it open. */
  readonly dataFolder: string;
  readonly apiKeys: readonly string[];
  /** Default `draft`. */
  readonly render?: Preset;
  /** Default `replay`. */
  readonly idempotency?: IdempotencyMode;
  /** Of uploads, estimates and creates, per key. Default: none. */
  readonly rate?: Rate;
  readonly pricing?: Pricing;
  /** Default one hour. */
  readonly assetUrlSeconds?: number;
  /** How long a stub job takes on the clock. Default 0. */
  readonly jobSeconds?: number | ((movie: JobBrief) => number);
  /** Renders at a time; default 1. Stubs are not rendered one by one and have no limit. */
  readonly concurrency?: number;
  /** Opens `PUT /_studio/faults` and, with `books`, `GET /_studio/books`. Default: neither exists. */
  readonly adminKey?: string;
  /** Keeps every request, for the books. */
  readonly books?: boolean;
  readonly faults?: FaultScript;
  /** Milliseconds; default the machine's. The age of everything is computed from it when a request arrives. */
  readonly clock?: () => number;
  /** Where clients reach the studio, ending in `/v1`; for asset URLs. Default: the address the request was sent to. */
  readonly publicUrl?: string;
  readonly webhooks?: WebhookOptions;
  readonly limits?: { readonly body?: BodyLimits; readonly upload?: UploadLimits };
  /** Default: the studio's own. */
  readonly renderer?: Renderer;
  /** Receives errors that are the studio's own fault. */
  readonly onError?: (error: unknown) => void;
}

/** What a `jobSeconds` function gets to know about a movie. */
type JobBrief = Pick<AcceptedRequest, 'prompt' | 'duration_seconds' | 'aspect_ratio'>;

interface WebhookOptions {
  /** `whsec_…`; by default one generated at the first start with this data folder. */
  readonly secret?: string;
  /** Allows callback addresses on this machine, also by plain http. */
  readonly allowLoopback?: boolean;
  readonly timeoutMs?: number;
  /** Default: over the network. */
  readonly send?: Send;
}

/** Prompts of 8,000 and twenty descriptions of 1,000 characters, each escaped as `\ud83d\ude00`, fit. */
export const defaultBodyLimits: BodyLimits = { maxBytes: 512 * 1024, timeoutMs: 10_000 };

export const defaultUploadLimits: UploadLimits = {
  maxBytes: 512 * 1024 * 1024,
  idleMs: 30_000,
  totalMs: 15 * 60_000,
};

/** How long a movie's job takes by the clock; null when it takes as long as rendering takes. */
export type JobLength = (brief: AcceptedRequest, quirks?: readonly MovieQuirk[]) => number | null;

/** A job meant to hang or to fail is not rendered; it gets there in this time. */
const spoiltJobMs = 1_000;

export function jobLengthOf({ render = 'draft', jobSeconds = 0 }: StudioOptions): JobLength {
  return (brief, quirks = []) => {
    const spoilt = quirks.some(({ effect }) => effect === 'stuck' || effect === 'fail');
    if (render !== 'stub') return spoilt ? spoiltJobMs : null;
    return Math.round((typeof jobSeconds === 'number' ? jobSeconds : jobSeconds(brief)) * 1000);
  };
}
