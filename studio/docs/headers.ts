import type { Schema } from './schemas.js';

/** Headers of the studio's answers. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request, as errors and the books show it',
    required: true,
    schema: { type: 'string', pattern: '^req_[A-Za-z0-9]+$', example: 'req_8Yh4Ng2P' },
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying the request',
    required: true,
    schema: { type: 'integer', minimum: 1, example: 1 },
  },
  'Idempotent-Replayed': {
    description: 'The movie was made by an earlier request with this Idempotency-Key',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** Headers of a delivered event (Standard Webhooks). */
export const deliveryHeaders: readonly Schema[] = [
  { name: 'webhook-id', description: 'The id of the event', schema: { type: 'string' } },
  { name: 'webhook-timestamp', description: 'Seconds since 1970 at this delivery', schema: { type: 'string' } },
  {
    name: 'webhook-signature',
    description: 'v1 and the HMAC-SHA256 under the secret of the studio',
    schema: { type: 'string' },
  },
].map((header) => ({ ...header, in: 'header', required: true }));
