import { describe, expect, test } from 'vitest';
import { idempotencyKey, type OrderIdentity } from '../../domain/idempotency-key.js';

const identity: OrderIdentity = {
  service: { name: 'studio', baseUrl: 'embedded' },
  ...{ campaign: 'spring', rowKey: 'a', contentDigest: 'ab'.repeat(32), attempt: 1 },
};

describe('the idempotency key', () => {
  test('fits the interface: 8 to 255 characters that a header can carry', () => {
    expect(idempotencyKey(identity)).toMatch(/^gl_[A-Za-z0-9_-]{43}$/);
  });

  test('is the same for the same order and another for any other', () => {
    expect(idempotencyKey({ ...identity })).toBe(idempotencyKey(identity));
    const others: readonly Partial<OrderIdentity>[] = [
      { rowKey: 'b' },
      { campaign: 'winter' },
      { contentDigest: 'cd'.repeat(32) },
      { attempt: 2 },
      { service: { name: 'studio', baseUrl: 'https://movies.example/v1' } },
      { service: { name: 'movies', baseUrl: 'embedded' } },
    ];
    const keys = others.map((over) => idempotencyKey({ ...identity, ...over }));
    expect(new Set([idempotencyKey(identity), ...keys]).size).toBe(others.length + 1);
  });

  test('does not move between versions of this product: a key in the books must stay the key of its order', () => {
    expect(idempotencyKey(identity)).toBe('gl_pj8fQEiXMFmH3DbzUkUWdDMZEhrFSxDac_nes6OumEA');
  });
});
