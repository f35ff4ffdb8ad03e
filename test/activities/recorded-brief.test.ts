import { expect, test } from 'vitest';
import { recordedBrief } from '../../activities/recorded-brief.js';

test('a record names what was ordered, and neither a folder nor a signature of who ordered it', () => {
  const role = 'product' as const;
  const recorded = recordedBrief({
    ...{ rowKey: 'a', prompt: 'A ferry leaves the quay', durationSeconds: 5, aspectRatio: '9:16', style: null },
    references: [
      { source: { kind: 'file', path: '/home/ana/refs/shoe.png', sha256: 'ab', sizeBytes: 3 }, role, description: 'x' },
      {
        source: { kind: 'url', url: 'https://u:p@cdn.example/a/b.png?sig=1#c', sha256: null },
        role,
        description: null,
      },
      { source: { kind: 'id', referenceId: 'ref_1' }, role, description: null },
    ],
  });
  expect(recorded).toEqual({
    ...{ id: 'a', prompt: 'A ferry leaves the quay', duration_seconds: 5, aspect_ratio: '9:16', style: null },
    references: [
      { file: 'shoe.png', sha256: 'ab', size_bytes: 3, role, description: 'x' },
      { url: 'https://cdn.example/a/b.png', sha256: null, role, description: null },
      { reference_id: 'ref_1', role, description: null },
    ],
  });
});
