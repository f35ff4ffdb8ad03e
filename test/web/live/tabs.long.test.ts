import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { giveSignInCode } from '../../../operations/access/sessions.js';
import { type DeskServer, serveDesk } from '../../../web/serve-desk.js';
import { openBrowser } from '../../browser.js';
import { openDesk, self, type TestDesk } from '../desk/desk.js';

let browser: Browser;
let desk: TestDesk;
let server: DeskServer;
let context: BrowserContext;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  desk = await openDesk();
  await desk.scene.fund('acme', 10_000);
  server = await serveDesk({ host: '127.0.0.1', port: 0, publicUrl: null }, desk.deps);
  context = await browser.newContext();
});
afterEach(async () => {
  await context.close();
  await server.close();
  expect(desk.faults).toEqual([]);
  await desk.close();
});

async function signedInPage(): Promise<Page> {
  const { code } = await giveSignInCode(desk.deps, { name: self.name, actor: self });
  const page = await context.newPage();
  await page.goto(`${server.publicUrl}/sign-in`);
  await page.fill('input[name=code]', code);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.publicUrl}/`);
  return page;
}

const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

test('eight tabs have one stream, each shows what changed, and when its tab closes another takes over', async () => {
  const streams: string[] = [];
  context.on('request', (request) => request.url().endsWith('/stream') && streams.push(request.url()));
  const tabs = [await signedInPage()];
  for (let more = 0; more < 7; more += 1) {
    const page = await context.newPage();
    await page.goto(`${server.publicUrl}/`);
    tabs.push(page);
  }
  await isLive(tabs[0] as Page);
  await desk.scene.make(['a'], { campaign: 'spring' });
  for (const tab of tabs) await tab.getByRole('link', { name: 'spring-1' }).waitFor();
  expect(streams).toHaveLength(1);
  await tabs[0]?.close();
  await expect.poll(() => streams.length, { timeout: 30_000 }).toBe(2); // the event itself may have come while the tab closed
  await desk.scene.make(['b'], { campaign: 'winter' });
  for (const tab of tabs.slice(1)) await tab.getByRole('link', { name: 'winter-1' }).waitFor();
  expect(streams).toHaveLength(2);
});

test('a stream that is cut is said to be, since when; the page catches up once it is back', async () => {
  const page = await signedInPage();
  await isLive(page);
  const { port } = server;
  await server.close();
  await page.getByText(/^Not live since \d\d:\d\d:\d\d$/).waitFor();
  await desk.scene.make(['a'], { campaign: 'spring' });
  server = await serveDesk({ host: '127.0.0.1', port, publicUrl: null }, desk.deps);
  await page.getByRole('link', { name: 'spring-1' }).waitFor();
  await isLive(page);
});

test('what somebody wrote stays when their session ends and the page changes, and is shown by its form', async () => {
  const batchId = await desk.scene.make(['a'], { campaign: 'spring' });
  await desk.scene.admit(batchId, 'a');
  await desk.scene.answer(batchId, 'a', { kind: 'broken' });
  await desk.deps.ledger.db.updateTable('rows').set({ state: 'unknown' }).execute();
  const page = await signedInPage();
  await page.goto(`${server.publicUrl}/batches/${batchId}/rows/a`);
  await isLive(page);
  const said = 'their support wrote: ticket 20917';
  await page.getByLabel('It was not created').check();
  await page.getByLabel('How you know').fill(said);
  await page.evaluate('document.activeElement.blur()');
  await desk.deps.ledger.db.deleteFrom('sessions').execute();
  await desk.deps.ledger.db.updateTable('rows').set({ state: 'canceled' }).execute();
  await desk.scene.make(['b'], { campaign: 'winter' });
  await desk.deps.ledger.db.updateTable('batches').set({ revision: 99 }).execute();
  await page.getByText(/^Not live since/).waitFor();
  expect(await page.getByLabel('How you know').inputValue()).toBe(said);
  await page.getByRole('button', { name: 'Say so' }).click();
  await page.getByRole('heading', { name: 'You are not signed in any more' }).waitFor();
  expect(await page.getByLabel('What you wrote').inputValue()).toBe(said);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL(/\/sign-in\?to=%2Fbatches%2Fspring-1%2Frows%2Fa$/);
});

test('what somebody is in stays as it is', async () => {
  await desk.scene.make(['a'], { campaign: 'spring' });
  const page = await signedInPage();
  await isLive(page);
  await page.getByRole('link', { name: 'spring-1' }).focus();
  await desk.scene.make(['b'], { campaign: 'winter' });
  await page.waitForResponse((answer) => answer.url() === `${server.publicUrl}/`);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('spring-1');
});
