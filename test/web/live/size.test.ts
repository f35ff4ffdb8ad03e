import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { assetPath, findAsset } from '../../../web/assets/assets.js';

test('the scripts of a page are 4 KB at most, and still scripts', () => {
  const bodies = (['desk.js', 'live.js'] as const).map((name) => findAsset(assetPath(name))?.body.toString() ?? '');
  expect(bodies.join('').length).toBeGreaterThan(1_000);
  expect(bodies.join('').length).toBeLessThanOrEqual(4_096);
  for (const body of bodies) expect(() => new Function(body.replaceAll('import.meta.url', '""'))).not.toThrow();
});

test('the stylesheet of every page is 26 KB at most, 7 KB on the wire', () => {
  const css = findAsset(assetPath('desk.css'))?.body ?? Buffer.alloc(0);
  expect(css.length).toBeGreaterThan(10_000);
  expect(css.length).toBeLessThanOrEqual(26 * 1_024);
  expect(gzipSync(css).length).toBeLessThanOrEqual(7 * 1_024);
});
