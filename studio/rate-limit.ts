import { Problem } from './problem.js';

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A bucket of `burst` tokens per key, filled at `perSecond`; each request takes one. */
export interface RateLimit {
  /** @throws Problem with `Retry-After` when the bucket is empty. */
  take(keyHash: string, nowMs: number): void;
}

export function createRateLimit({ perSecond, burst }: Rate): RateLimit {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return {
    take(keyHash, nowMs) {
      const { tokens, atMs } = buckets.get(keyHash) ?? { tokens: burst, atMs: nowMs };
      const filled = Math.min(burst, tokens + (Math.max(0, nowMs - atMs) / 1000) * perSecond);
      if (filled >= 1) {
        buckets.set(keyHash, { tokens: filled - 1, atMs: nowMs });
        return;
      }
      buckets.set(keyHash, { tokens: filled, atMs: nowMs });
      const waitSeconds = Math.max(1, Math.ceil((1 - filled) / perSecond));
      const message = `Cannot serve request: this key may send ${perSecond} a second, retry after ${waitSeconds} s`;
      throw new Problem('rate_limit_exceeded', message, { 'Retry-After': String(waitSeconds) });
    },
  };
}
