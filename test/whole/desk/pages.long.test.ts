import type { Page } from 'playwright-core';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pause, resume } from '../../../operations/stops.js';
import { oli } from '../../ledger/scene.js';
import { overflow, type Shown, showDesk, tabTo, violations } from './chromium.js';

let desk: Shown;
let making: string;
let waiting: string;
let refusable: string;
let sheet: string;
/** Every page, by the path that shows most of it. */
const paths = (): readonly string[] => [
  '/',
  '/?id=nothing',
  `/batches/${making}`,
  `/batches/${making}?state=unknown`,
  `/batches/${making}/plan`,
  `/batches/${waiting}/plan`,
  `/batches/${refusable}/plan`,
  '/batches/nothing-1',
  '/upload',
  ...['pause', 'resume', 'cancel', 'retry', 'refetch', 'rows/one', 'rows/two', 'rows/three'].map(
    (page) => `/batches/${making}/${page}`,
  ),
  ...['/audit', '/audit?of=nothing', '/audit/verify', '/health', '/invoices'],
  sheet,
];

beforeAll(async () => {
  desk = await showDesk();
  const { scene } = desk;
  await scene.fund('acme', 1_000_000);
  making = await scene.make(['one', 'two', 'three', 'four'], { campaign: 'winter' });
  await scene.deliver(making, 'one');
  await scene.order(making, 'two');
  waiting = await scene.seal(
    Array.from({ length: 30 }, (_, index) => `hero-9x16-${index}`),
    { campaign: 'spring' },
  );
  refusable = await scene.seal(['too', 'dear'], { campaign: 'moods', amountMinor: 2_000_000 });
  await desk.person('dana', 'finance', 'operator', 'submitter');
  const page = await desk.signIn('dana');
  await bring(page, 'id,prompt,duration,aspect ratio\nhero,A runner at dawn,5,16:09\ncard,A red shoe,5,21:09\n');
  sheet = new URL(page.url()).pathname;
  await page.context().close();
});
afterAll(() => desk.close());

async function bring(page: Page, text: string): Promise<void> {
  await page.goto(`${desk.url}/upload`);
  await page.getByLabel('Budget').fill('acme');
  await page
    .getByLabel('Sheet')
    .setInputFiles({ name: 'brought.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: 'Check it' }).click();
  await page.waitForURL('**/uploads/*');
}

describe.each(['light', 'dark'] as const)('%s: every page', (colorScheme) => {
  test.each([1440, 390, 320])(
    'is clean for axe and fits into %s px',
    async (width) => {
      const page = await desk.signIn('dana', { colorScheme, viewport: { width, height: 800 } });
      for (const path of paths()) {
        await page.goto(desk.url + path);
        expect([path, await violations(page)]).toEqual([path, []]);
        expect([path, await overflow(page)]).toEqual([path, 0]);
      }
      await page.context().close();
    },
    120_000,
  );
});

test('the sign-in page is clean for axe, and fits', async () => {
  const page = await desk.signIn('dana', { viewport: { width: 320, height: 640 } });
  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
  await page.context().close();
});

test('a plan is approved by the keyboard alone', async () => {
  const batchId = await desk.scene.seal(['by-keys'], { campaign: 'keys' });
  const page = await desk.signIn('dana');
  await page.goto(`${desk.url}/batches/${batchId}/plan`);
  const seen: string[] = [];
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate(
      'document.activeElement.id + " " + getComputedStyle(document.activeElement).outlineStyle',
    );
    seen.push(String(focus));
    if (String(focus).startsWith('typed')) break;
  }
  expect(seen.filter((focus) => focus.endsWith('none'))).toEqual([]); // the focus is always seen
  await page.keyboard.type('1.00');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/batches/${batchId}`);
  expect((await desk.scene.batch(batchId)).decision).toMatchObject({ kind: 'approved', by: 'dana', channel: 'web' });
  await page.context().close();
});

test('a sheet is brought, fixed, brought again and submitted by the keyboard alone', async () => {
  const page = await desk.signIn('dana');
  const broken = 'id,prompt,duration,aspect ratio\nby-keys,A red shoe by keys,5,21:09\n';
  await bring(page, broken);
  // A finding leads to its cell.
  await tabTo(page, 'D2 aspect_ratio');
  await page.keyboard.press('Enter');
  await page.waitForURL('**#D2');
  expect(await page.evaluate('document.querySelector(":target").className')).toContain('err');
  await tabTo(page, 'Upload it again');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/upload?again=*');
  const file = { name: 'brought.csv', mimeType: 'text/csv', buffer: Buffer.from(broken.replace('21:09', '9:16')) };
  await page.getByLabel('Sheet').setInputFiles(file); // the system's own dialog is no part of the page
  await tabTo(page, 'Check it');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/uploads/*');
  await tabTo(page, 'Submit 1 row');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/batches/brought-*');
  await page.context().close();
});

test('without scripts a plan is read and approved all the same', async () => {
  const batchId = await desk.scene.seal(['bare'], { campaign: 'bare' });
  const page = await desk.signIn('dana', { javaScriptEnabled: false });
  await page.goto(`${desk.url}/batches/${batchId}/plan`);
  expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  await page.getByLabel('Type the amount to approve').fill('1.00');
  await page.getByRole('button', { name: 'Approve 1.00 USD' }).click();
  expect(new URL(page.url()).pathname).toBe(`/batches/${batchId}`);
  await page.context().close();
});

test('a printed plan has its digest, who printed it and when on each page', async () => {
  const page = await desk.signIn('dana');
  await page.goto(`${desk.url}/batches/${waiting}/plan`);
  const { text, totalPages } = await extractText(new Uint8Array(await page.pdf({ format: 'A4' })));
  const digest = (await desk.scene.batch(waiting)).planDigest ?? '';
  expect(totalPages).toBeGreaterThan(1);
  for (const [index, one] of text.entries()) {
    expect(one).toContain(digest.slice(0, 12).replace(/(.{4})(?=.)/g, '$1 '));
    expect(one).toContain('printed by dana at');
    expect(one).toContain(`${index + 1} of ${totalPages}`);
  }
  await page.context().close();
});

test('what changes is on the page without a reload: state, acts and counts', async () => {
  const batchId = await desk.scene.make(['live-1', 'live-2'], { campaign: 'live', settings: { budgetPath: 'acme' } });
  const page = await desk.signIn('dana');
  await page.goto(`${desk.url}/batches/${batchId}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await pause(desk.deps, { batchId, actor: oli });
  await page.getByRole('link', { name: 'Resume…' }).waitFor();
  await resume(desk.deps, { batchId, actor: oli });
  await desk.scene.deliver(batchId, 'live-1');
  const tabs = page.getByRole('navigation', { name: 'Rows by state' });
  await tabs.getByRole('link', { name: 'Delivered 1' }).waitFor();
  await page.getByRole('link', { name: 'Pause…' }).waitFor();
  expect(await page.locator('#rows tbody tr').first().textContent()).toContain('Delivered');
  await page.context().close();
});

test('a filter keeps over the next page, a reload and the way back', async () => {
  const rows = Array.from({ length: 130 }, (_, index) => `hero-${index}`);
  const batchId = await desk.scene.seal([...rows, 'card'], { campaign: 'long' });
  const page = await desk.signIn('dana');
  await page.goto(`${desk.url}/batches/${batchId}`);
  await page.getByLabel('Row id begins with').fill('hero');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('link', { name: 'Next' }).click();
  expect(await page.locator('tbody tr').count()).toBe(30);
  await page.reload();
  expect(await page.getByLabel('Row id begins with').inputValue()).toBe('hero');
  expect(await page.locator('tbody tr').count()).toBe(30);
  await page.goBack();
  expect(await page.locator('tbody tr').count()).toBe(100);
  await page.context().close();
});

test('no page makes a browser complain', () => {
  expect(desk.complaints.filter((one) => !one.includes('404 (Not Found)'))).toEqual([]);
});
