import type { Page } from 'playwright-core';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overflow, type Shown, showDesk } from './chromium.js';

let desk: Shown;
let batchId: string;
beforeAll(async () => {
  desk = await showDesk();
  const { scene } = desk;
  await scene.fund('acme', 1_000_000);
  batchId = await scene.make(['one', 'two', 'three'], { campaign: 'winter' });
  await scene.deliver(batchId, 'one');
  await desk.person('dana', 'finance', 'operator', 'submitter');
});
afterAll(() => desk.close());

const fields = (page: Page, words: string) => page.getByRole('textbox', { name: words });

test('without scripts a sheet is brought, fixed, brought again and submitted', async () => {
  const page = await desk.signIn('dana', { javaScriptEnabled: false });
  const bring = async (ratio: string) => {
    const text = `id,prompt,duration,aspect ratio\nhero,A runner at dawn,5,${ratio}\n`;
    await page.getByLabel('Sheet').setInputFiles({ name: 'bare.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Check it' }).click();
  };
  await page.goto(`${desk.url}/upload`);
  await page.getByLabel('Budget').fill('acme');
  await bring('21:09');
  expect(await page.locator('#D2.err').count()).toBe(1);
  await page.getByRole('link', { name: 'Upload it again' }).click();
  await bring('9:16');
  await page.getByRole('button', { name: 'Submit 1 row' }).click();
  expect(new URL(page.url()).pathname).toMatch(/^\/batches\/bare-/);
  await page.context().close();
});

test('without scripts a batch is paused and goes on, and a row is canceled after a look', async () => {
  const page = await desk.signIn('dana', { javaScriptEnabled: false });
  await page.goto(`${desk.url}/batches/${batchId}`);
  await page.getByRole('link', { name: 'Pause…' }).click();
  await page.getByRole('button', { name: /^Pause/ }).click();
  expect((await desk.scene.batch(batchId)).stops.map(({ kind }) => kind)).toEqual(['paused']);
  await page.getByRole('link', { name: 'Resume…' }).click();
  await page.getByRole('button', { name: /^Resume/ }).click();
  expect((await desk.scene.batch(batchId)).stops).toEqual([]);
  await page.goto(`${desk.url}/batches/${batchId}/cancel?row=three`);
  await fields(page, 'Reason').fill('wrong logo');
  await page.getByRole('button', { name: /^Cancel/ }).click();
  expect((await desk.scene.row(batchId, 'three')).state).toBe('canceled');
  await page.context().close();
});

test('without scripts a movie is reviewed, and a limit is looked at and set', async () => {
  const page = await desk.signIn('dana', { javaScriptEnabled: false });
  await page.goto(`${desk.url}/batches/${batchId}/gallery`);
  await page.getByText('Redo…').click();
  await page.getByLabel('What should be different').fill('shorter');
  await page.getByRole('button', { name: 'Mark redo' }).click();
  expect(await page.getByText('“shorter”').count()).toBe(1);
  await page.goto(`${desk.url}/budgets/limit?path=acme&rehearsal=yes`);
  await page.getByLabel('New limit in USD').fill('20000.00');
  await page.getByRole('button', { name: 'Show what it changes' }).click();
  await page.getByRole('button', { name: 'Set 20,000.00 USD' }).click();
  const [budget] = await desk.deps.ledger.db
    .selectFrom('budgets')
    .select('limit_minor')
    .where('path', '=', 'acme')
    .execute();
  expect(budget?.limit_minor).toBe(2_000_000);
  await page.context().close();
});

test('a printed certificate has its plan, who printed it and when on each page, and no column is cut', async () => {
  const page = await desk.signIn('dana');
  const path = `/batches/${batchId}/certificate`;
  await page.goto(desk.url + path);
  const { text, totalPages } = await extractText(new Uint8Array(await page.pdf({ format: 'A4' })));
  const digest = (await desk.scene.batch(batchId)).planDigest ?? '';
  for (const [index, one] of text.entries()) {
    expect(one).toContain(digest.slice(0, 12));
    expect(one).toContain('printed by dana');
    expect(one).toContain(`${index + 1} of ${totalPages}`);
  }
  await page.setViewportSize({ width: 680, height: 1_000 }); // A4 within its margins
  await page.emulateMedia({ media: 'print' });
  for (const printed of [path, `/batches/${batchId}/plan`]) {
    await page.goto(desk.url + printed);
    expect([printed, await overflow(page)]).toEqual([printed, 0]);
    const cut = `[...document.querySelectorAll('table, .card')].filter((one) => one.scrollWidth > one.clientWidth + 1).length`;
    expect([printed, await page.evaluate(cut)]).toEqual([printed, 0]);
  }
  await page.context().close();
});
