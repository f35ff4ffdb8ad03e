import type { OrderedContent } from '../../archive/movie-record.js';

/** Of some service and some content: where it does not matter which. */
export const someOrder: OrderedContent = { service: 'a'.repeat(64), contentDigest: 'b'.repeat(64) };
