import { describe, expect, test } from 'vitest';
import { createRateLimit } from '../../studio/rate-limit.js';
import { brief, codeOf, handClock, openStudio, otherKey } from './open-studio.js';

describe('a bucket', () => {
  const refusal = (rate: { perSecond: number; burst: number }, taken: number, atMs = 0) => {
    const limit = createRateLimit(rate);
    for (let count = 0; count < taken; count += 1) limit.take('k', 0);
    try {
      limit.take('k', atMs);
      return null;
    } catch (error) {
      return (error as { headers: Record<string, string> }).headers['Retry-After'];
    }
  };

  test('gives its burst at once and then refuses', () => {
    expect(refusal({ perSecond: 1, burst: 3 }, 2)).toBe(null);
    expect(refusal({ perSecond: 1, burst: 3 }, 3)).toBe('1');
  });

  test('says in whole seconds, at least one, when there is a token again, and keeps its word', () => {
    expect(refusal({ perSecond: 0.1, burst: 1 }, 1)).toBe('10');
    expect(refusal({ perSecond: 0.1, burst: 1 }, 1, 10_000)).toBe(null);
    expect(refusal({ perSecond: 100, burst: 1 }, 1)).toBe('1');
    expect(refusal({ perSecond: 0.1, burst: 1 }, 1, 9_999)).toBe('1');
  });

  test('never holds more than its burst, and does not mind a clock that goes back', () => {
    const limit = createRateLimit({ perSecond: 10, burst: 2 });
    limit.take('k', 1_000_000);
    limit.take('k', 0);
    expect(() => limit.take('k', 0)).toThrow('retry after');
    expect(refusal({ perSecond: 10, burst: 2 }, 2, 3600_000)).toBe(null);
  });
});

test('uploads, estimates and creates share the bucket of their key; reading and canceling are free', async () => {
  const clock = handClock();
  const { call, create } = await openStudio({ clock, rate: { perSecond: 1, burst: 2 } });
  const movie = await create();
  expect((await call('POST', '/movies/estimate', { body: brief })).status).toBe(200);
  const refused = await call('POST', '/movies', { body: brief });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await codeOf(refused)).toBe('429 rate_limit_exceeded');
  for (let count = 0; count < 5; count += 1) expect((await call('GET', `/movies/${movie}`)).status).toBe(200);
  expect((await call('POST', `/movies/${movie}/cancel`)).status).toBe(200);
  expect((await call('POST', '/movies', { body: brief, key: otherKey })).status).toBe(202);
  clock.forward(1);
  expect((await call('POST', '/movies', { body: brief })).status).toBe(202);
});
