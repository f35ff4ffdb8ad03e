import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { printStyle } from '../../../web/certificate/print-style.js';
import { openDesk, type TestDesk } from '../desk/desk.js';

let desk: TestDesk;
let batch: string;
beforeEach(async () => {
  desk = await openDesk();
  const { scene } = desk;
  await scene.fund('acme', 10_000);
  batch = await scene.make(['a', 'b']);
  await scene.deliver(batch, 'a');
  await scene.order(batch, 'b');
});
afterEach(async () => {
  expect(desk.faults).toEqual([]);
  await desk.close();
});

test('a certificate has the rows, the money and the digests, and says whether it is final', async () => {
  const { scene } = desk;
  const browser = await desk.browser();
  const path = `/batches/${batch}/certificate`;
  expect(await browser.text(path)).toContain('Provisional certificate');
  await scene.look(batch, 'b', 'failed');
  await settleBatch(scene.ledger, { batchId: batch, nowMs: scene.nowMs });
  const html = await browser.text(path);
  expect(html).toContain('Certificate of a closed batch');
  expect(html).toContain('1 of 2 ordered movies were delivered');
  expect(html).toContain('2.00 USD were approved, 2.00 USD posted');
  expect(html).toContain((await scene.batch(batch)).planDigest);
  const rows = [...html.matchAll(/<th scope="row">([^<]+)<\/th><td class="n">(\d+)<\/td>/g)];
  expect(rows.map(([, name, count]) => [name, count])).toEqual([
    ['Delivered', '1'],
    ['Failed', '1'],
    ['In the sheet', '2'],
  ]);
});

test('each printed page names the batch, its plan, who printed it and when', async () => {
  const style = await (await desk.browser()).text(`/batches/${batch}/certificate.css`);
  expect(style).toMatch(/^@page\{@bottom-left\{content:"spring-1 · plan [0-9a-f]{12} · audit \d+ head [0-9a-f]{8} · /);
  expect(style).toContain('printed by sam, 2026-11-28T12:00 UTC');
  expect(printStyle('a"}body{display:none}\\')).toContain('content:"a\\22 }body{display:none}\\5c "');
});

test('results.csv is there beside it, and neither is for who may not see the batch', async () => {
  const csv = await (await desk.browser()).get(`/batches/${batch}/results.csv`);
  expect([csv.headers.get('content-type'), (await csv.text()).split('\r\n').length]).toEqual([
    'text/csv; charset=utf-8',
    4,
  ]);
  await desk.person('ole', 'submitter');
  const ole = await desk.browser('ole');
  for (const path of ['certificate', 'certificate.css', 'results.csv']) {
    expect((await ole.get(`/batches/${batch}/${path}`)).status).toBe(403);
  }
});
