import { expect, test } from 'vitest';
import { addressesBy, readLinksFlag } from '../../../cli/manifest/links-flag.js';

test.each([
  ['plain', { kind: 'plain' }],
  ['base=https://cdn.example/movies/', { kind: 'base', url: 'https://cdn.example/movies' }],
  ['presigned=7d', { kind: 'presigned', seconds: 604_800 }],
  ['presigned=90m', { kind: 'presigned', seconds: 5_400 }],
])('reads --links %s', (text, flag) => {
  expect(readLinksFlag(text)).toEqual(flag);
});

test.each([
  '',
  'base',
  'base=ftp://x',
  'base=https://x?token=1',
  'presigned=8d',
  'presigned=0h',
  'presigned=soon',
  'signed=1d',
])('refuses --links %j', (text) => {
  expect(() => readLinksFlag(text)).toThrow(/^Expected /);
});

test('gives addresses below a base, by the bucket, or none', async () => {
  const bucket = {
    url: 's3://movies',
    presign: async (path: string, seconds: number) => `https://x/${path}?${seconds}`,
  };
  expect(addressesBy({ kind: 'plain' }, bucket)).toBeUndefined();
  expect(await addressesBy({ kind: 'base', url: 'https://cdn' }, bucket)?.('a/b.mp4')).toBe('https://cdn/a/b.mp4');
  expect(await addressesBy({ kind: 'presigned', seconds: 60 }, bucket)?.('a/b.mp4')).toBe('https://x/a/b.mp4?60');
  expect(() => addressesBy({ kind: 'presigned', seconds: 60 }, { url: 'file:///out', presign: null })).toThrow(
    'Cannot sign links to file:///out: it is a folder',
  );
});
