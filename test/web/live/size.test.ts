import { expect, test } from 'vitest';
import { assetPath, findAsset } from '../../../web/assets/assets.js';

test('the scripts of a page are 4 KB at most, and still scripts', () => {
  const bodies = (['desk.js', 'live.js'] as const).map((name) => findAsset(assetPath(name))?.body.toString() ?? '');
  expect(bodies.join('').length).toBeGreaterThan(1_000);
  expect(bodies.join('').length).toBeLessThanOrEqual(4_096);
  for (const body of bodies) expect(() => new Function(body.replaceAll('import.meta.url', '""'))).not.toThrow();
});
