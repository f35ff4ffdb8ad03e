import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../home/free-port.js';
import { type Shown, showDesk } from './chromium.js';
import { startNginx, whyNoNginx } from './nginx.js';

if (whyNoNginx !== null) test.skip(`skipped: ${whyNoNginx}`);

describe.skipIf(whyNoNginx !== null)('behind nginx with TLS, under a base path', () => {
  let desk: Shown;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const port = await freePort();
    desk = await showDesk({ publicUrl: `https://127.0.0.1:${port}/desk/` });
    stop = await startNginx({ port, to: desk.port });
    await desk.scene.fund('acme', 1_000_000);
    await desk.person('dana', 'finance', 'operator', 'submitter');
  });
  afterAll(async () => {
    await desk.close();
    await stop();
  });

  const signIn = () => desk.signIn('dana', { ignoreHTTPSErrors: true });

  test('somebody signs in, approves, and is told what changes; the cookie is for this host and TLS alone', async () => {
    const batchId = await desk.scene.seal(['one', 'two'], { campaign: 'proxied' });
    const page = await signIn();
    expect(page.url()).toBe(`${desk.url}/`);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({
      name: '__Host-greenlight',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    });
    await page.getByRole('link', { name: batchId }).first().click();
    await page.goto(`${desk.url}/batches/${batchId}/plan`);
    await page.getByLabel('Type the amount to approve').fill('2.00');
    await page.getByRole('button', { name: 'Approve 2.00 USD' }).click();
    await page.waitForURL(`${desk.url}/batches/${batchId}`);
    expect((await desk.scene.batch(batchId)).decision).toMatchObject({ kind: 'approved', by: 'dana', channel: 'web' });
    await page.getByText('Live', { exact: true }).waitFor(); // events are not held back on the way
    await desk.scene.order(batchId, 'one');
    await page.getByRole('link', { name: /^(Making|Running|In progress) 1/ }).waitFor();
    await page.context().close();
  });

  test('a sheet is brought and submitted', async () => {
    const page = await signIn();
    await page.goto(`${desk.url}/upload`);
    await page.getByLabel('Budget').fill('acme');
    const buffer = Buffer.from('id,prompt,duration,aspect ratio\nhero,A runner at dawn,5,16:9\n');
    await page.getByLabel('Sheet').setInputFiles({ name: 'behind.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Check it' }).click();
    await page.waitForURL(`${desk.url}/uploads/*`);
    await page.getByRole('button', { name: 'Submit 1 row' }).click();
    await page.waitForURL(`${desk.url}/batches/behind-*`);
    await page.context().close();
  });

  test("another site's form is refused, and our own sign-out passes", async () => {
    const page = await signIn();
    await forge(page, `${desk.url}/sign-out`);
    await page.goto(`${desk.url}/`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${desk.url}/sign-in`);
    await page.context().close();
  });

  test('no page of it makes a browser complain', () => {
    expect(desk.complaints.filter((one) => !one.includes('403'))).toEqual([]);
  });
});

/** Sends a form from a page of another site, in the browser that is signed in. */
async function forge(page: Page, action: string): Promise<void> {
  await page.route('https://evil.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${action}"><button>Win</button></form>`,
    }),
  );
  await page.goto('https://evil.example/');
  const answered = page.waitForResponse(action);
  await page.getByRole('button', { name: 'Win' }).click();
  expect((await answered).status()).toBe(403);
}
