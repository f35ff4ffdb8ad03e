import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aspectRatios, referenceRoles } from '../../../domain/brief.js';
import { canonicalJson, digestOf } from '../../../domain/digests/canonical.js';
import { contentDigest } from '../../../domain/digests/content-digest.js';

const reference = fc.record({
  source: fc.oneof(
    fc.record({ kind: fc.constant('id' as const), referenceId: fc.string() }),
    fc.record({ kind: fc.constant('url' as const), url: fc.webUrl(), sha256: fc.string({ minLength: 1 }) }),
  ),
  role: fc.constantFrom(...referenceRoles),
  description: fc.option(fc.string({ unit: 'grapheme' })),
});
const content = fc.record({
  prompt: fc.string({ unit: 'grapheme' }),
  durationSeconds: fc.integer({ min: 5, max: 120 }),
  aspectRatio: fc.option(fc.constantFrom(...aspectRatios)),
  style: fc.option(fc.string({ unit: 'binary' })),
  references: fc.array(reference, { maxLength: 3 }),
});

describe('contentDigest', () => {
  test('is the SHA-256 of the canonical JSON of what makes the movie', () => {
    fc.assert(
      fc.property(content, (one) => {
        const plain = {
          style: one.style,
          prompt: one.prompt,
          duration_seconds: one.durationSeconds,
          references: one.references.map(({ source, role, description }) => ({
            role,
            description,
            content: source.kind === 'id' ? source.referenceId : source.sha256,
          })),
          aspect_ratio: one.aspectRatio,
        };
        expect(contentDigest(one)).toBe(digestOf(plain));
        expect(contentDigest(one)).toBe(createHash('sha256').update(canonicalJson(plain)).digest('hex'));
      }),
    );
  });

  test('is unknown while a remote reference is not fetched', () => {
    const source = { kind: 'url', url: 'https://example.com/a.png', sha256: null } as const;
    const references = [{ source, role: 'product', description: null }] as const;
    const brief = { prompt: 'A red shoe turns', durationSeconds: 8, aspectRatio: null, style: null, references };
    expect(contentDigest(brief)).toBeNull();
  });
});
