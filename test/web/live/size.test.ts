import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { share } from '../../../operations/batch/share-links.js';
import { assetPath, findAsset } from '../../../web/assets/assets.js';
import { oli } from '../../ledger/scene.js';
import { openDesk } from '../desk/desk.js';

test('the scripts of a page are 4 KB at most, and still scripts', () => {
  for (const page of [
    ['desk.js', 'live.js'],
    ['desk.js', 'notes.js'],
  ] as const) {
    const bodies = page.map((name) => findAsset(assetPath(name))?.body.toString() ?? '');
    expect(bodies.join('').length).toBeGreaterThan(1_000);
    expect(bodies.join('').length).toBeLessThanOrEqual(4_096);
    // oxlint-disable-next-line typescript/no-implied-eval -- to see that it still parses
    for (const body of bodies) expect(() => new Function(body.replaceAll('import.meta.url', '""'))).not.toThrow();
  }
});

test('the stylesheet of every page is 26 KB at most, 7 KB on the wire', () => {
  const css = findAsset(assetPath('desk.css'))?.body ?? Buffer.alloc(0);
  expect(css.length).toBeGreaterThan(10_000);
  expect(css.length).toBeLessThanOrEqual(26 * 1_024);
  expect(gzipSync(css).length).toBeLessThanOrEqual(7 * 1_024);
});

test('what the stylesheet names is defined in it', () => {
  const css = findAsset(assetPath('desk.css'))?.body.toString() ?? '';
  const defined = new Set([...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  expect(used.size).toBeGreaterThan(10);
  expect([...used].filter((name) => !defined.has(name))).toEqual([]);
});

test('a page of 100 rows is 80 KB of HTML at most, 12 KB on the wire', async () => {
  const desk = await openDesk();
  try {
    await desk.scene.fund('acme', 1_000_000);
    const keys = Array.from({ length: 120 }, (_, index) => `scene-${String(index).padStart(6, '0')}`);
    const batchId = await desk.scene.make(keys);
    const browser = await desk.browser();
    for (const path of [`/batches/${batchId}`, `/batches/${batchId}?state=planned`]) {
      const html = await browser.text(path);
      expect(html.match(/<tr class="mid"/g), path).toHaveLength(100);
      expect(Buffer.byteLength(html), path).toBeLessThanOrEqual(80 * 1_024);
      expect(gzipSync(html).length, path).toBeLessThanOrEqual(12 * 1_024);
    }
    expect(desk.faults).toEqual([]);
  } finally {
    await desk.close();
  }
});

test('a page of 60 movies to review, of a person and of a guest, is 80 KB of HTML at most, 12 KB on the wire', async () => {
  const desk = await openDesk();
  try {
    await desk.scene.fund('acme', 1_000_000);
    const keys = Array.from({ length: 100 }, (_, index) => `hero-${String(index).padStart(6, '0')}`);
    const batchId = await desk.scene.make(keys, { markets: keys });
    const { db } = desk.deps.ledger;
    await db.updateTable('rows').set({ state: 'delivered', open: 0, verdict: 'as ordered' }).execute();
    const files = keys.flatMap((key) =>
      (['final_video', 'poster'] as const).map((type) => ({
        ...{ batch_id: batchId, row_key: key, asset_id: `asset_${type}_${key.slice(-6)}`, type },
        ...{ path: `${batchId}/${key}/${type}`, size_bytes: 1_000, sha256: 'ab'.repeat(32) },
      })),
    );
    await db.insertInto('files').values(files).execute();
    const { token } = await share(desk.deps, { batchId, actor: oli, days: 7 });
    const pages = [
      await (await desk.browser()).text(`/batches/${batchId}/gallery`),
      await desk.stranger().text(`/s/${token}`),
    ];
    for (const html of pages) {
      expect(html.match(/<figure /g)).toHaveLength(60);
      expect(html.match(/>Mark redo</g)).toHaveLength(60);
      expect(html.match(/<option>hero-/g)).toHaveLength(100);
      expect(Buffer.byteLength(html)).toBeLessThanOrEqual(80 * 1_024);
      expect(gzipSync(html).length).toBeLessThanOrEqual(12 * 1_024);
    }
    expect(desk.faults).toEqual([]);
  } finally {
    await desk.close();
  }
});
