import { expect, test } from 'vitest';
import { urlExpiry } from '../../../archive/download/url-expiry.js';

const at = Date.parse('2026-11-03T11:00:00Z');

test.each([
  ['https://s3.test/a?X-Amz-Date=20261103T100000Z&X-Amz-Expires=3600&X-Amz-Signature=1', at],
  ['https://storage.test/a?X-Goog-Date=20261103T100000Z&X-Goog-Expires=3600', at],
  ['https://cdn.test/a?Expires=1793703600&Signature=1', at],
  ['https://studio.test/a?expires=1793703600&signature=1', at],
  ['https://cdn.test/a?exp=1793703600', at],
  ['https://azure.test/a?se=2026-11-03T11%3A00%3A00Z&sig=1', at],
  ['https://s3.test/a?X-Amz-Expires=3600', null],
  ['https://s3.test/a?X-Amz-Date=yesterday&X-Amz-Expires=3600', null],
  ['https://cdn.test/a?Expires=soon', null],
  ['https://cdn.test/a?Expires=-1', null],
  ['https://cdn.test/a', null],
  ['not a url', null],
])('%s runs out at %j', (url, expected) => {
  expect(urlExpiry(url)).toBe(expected);
});
