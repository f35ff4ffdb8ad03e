import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '../../../ledger/access/audit.js';
import { share } from '../../../operations/batch/share-links.js';
import { oli } from '../../ledger/scene.js';
import { type Shown, showDesk, tabTo } from './chromium.js';

/** Audit, health, invoices, review, and a sign-in that is proved again. */
let desk: Shown;
let batchId: string;
beforeAll(async () => {
  desk = await showDesk();
  await desk.scene.fund('acme', 1_000_000);
  batchId = await desk.scene.make(['one', 'two', 'three'], { campaign: 'winter' });
  for (const key of ['one', 'two']) await desk.scene.deliver(batchId, key);
  await desk.scene.order(batchId, 'three');
  await desk.person('dana', 'finance', 'operator', 'submitter');
});
afterAll(async () => {
  expect(desk.complaints).toEqual([]);
  await desk.close();
});

const reviewed = async (key: string) => {
  const { db } = desk.deps.ledger;
  const found = await db
    .selectFrom('reviews')
    .select(['verdict', 'note', 'by_name'])
    .where('row_key', '=', key)
    .execute();
  return found.map(({ verdict, note, by_name }) => [verdict, note, by_name]);
};

/** What stands in a table, by its caption. */
const lines = (page: Page, caption: string) => page.getByRole('table', { name: caption }).locator('tbody tr');

interface Hand {
  readonly how: string;
  readonly javaScriptEnabled: boolean;
  /** Follows a link, opens a part or presses a button. */
  press(page: Page, words: string): Promise<void>;
  fill(page: Page, field: string, text: string): Promise<void>;
}

const hands: readonly Hand[] = [
  {
    ...{ how: 'by the keyboard alone', javaScriptEnabled: true },
    async press(page, words) {
      await tabTo(page, words);
      await page.keyboard.press('Enter');
    },
    async fill(page, field, text) {
      await tabTo(page, field);
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    },
  },
  {
    ...{ how: 'without scripts', javaScriptEnabled: false },
    async press(page, words) {
      await page.locator('a, button, summary').filter({ hasText: words }).first().click();
    },
    async fill(page, field, text) {
      await page.getByLabel(field).and(page.locator('input, textarea')).locator('visible=true').first().fill(text);
    },
  },
];

describe.each(hands)('$how', ({ how, javaScriptEnabled, press, fill }) => {
  const open = async (path: string) => {
    const page = await desk.signIn('dana', { javaScriptEnabled });
    await page.goto(desk.url + path);
    return page;
  };

  test('the audit is filtered, a filter that finds nothing is cleared, and the books are verified', async () => {
    const page = await open('/audit');
    await fill(page, 'Batch, budget or person', batchId);
    await press(page, 'Filter');
    await page.waitForURL(`**of=${batchId}*`);
    expect((await lines(page, 'Audit records, the newest first').allTextContents()).join()).toContain('approve');
    await fill(page, 'Batch, budget or person', 'nobody-knows-it');
    await press(page, 'Filter');
    await page.getByText('No record is like that').waitFor();
    await press(page, 'Clear the filter');
    await page.waitForURL('**/audit');
    await press(page, 'Verify now');
    await page.getByRole('heading', { name: 'The books are whole' }).waitFor();
    await page.context().close();
  });

  test('health says what is to be done, and leads to a batch that has movies in progress', async () => {
    const page = await open('/health');
    expect(await page.getByText('its disk is full').count()).toBeGreaterThan(0);
    expect(await lines(page, 'Movies in progress by batch').allTextContents()).toEqual([`${batchId}1`]);
    await press(page, batchId);
    await page.waitForURL(`**/batches/${batchId}`);
    await page.context().close();
  });

  test('an invoice is brought, compared and booked', async () => {
    const page = await open('/invoices');
    const number = `INV ${how}`;
    const amount = javaScriptEnabled ? '1.25' : '1.50';
    const { movie_id } = await desk.deps.ledger.db
      .selectFrom('rows')
      .select('movie_id')
      .where('row_key', '=', 'one')
      .executeTakeFirstOrThrow();
    const text = `movie_id,amount,currency,description\n${movie_id},${amount},USD,a movie\n`;
    await fill(page, 'Invoice number', number);
    const file = { name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.getByLabel('Invoice', { exact: true }).setInputFiles(file); // the system's own dialog is no part of the page
    await press(page, 'Compare it');
    await page.getByText('1 movie is charged otherwise').waitFor();
    await press(page, 'Book 1 correction');
    await page.getByText('Booked: 1 corrections').waitFor();
    await page.goto(`${desk.url}/invoices`);
    expect((await lines(page, 'Invoices that were read, the newest first').allTextContents())[0]).toContain(number);
    await page.context().close();
  });

  test('a movie is marked redo with a reason, another one OK, and by a guest too', async () => {
    const page = await open(`/batches/${batchId}/gallery`);
    const said = `shorter, ${how}`;
    await press(page, 'Redo…');
    await fill(page, 'What is to be other', said);
    await press(page, 'Mark redo');
    await page.getByText(`“${said}”`).waitFor();
    expect(await reviewed('one')).toEqual([['redo', said, 'dana']]);
    await press(page, 'OK');
    await page.waitForURL('**/gallery#m1');
    await expect.poll(() => reviewed('one'), { timeout: 30_000 }).toEqual([['ok', null, 'dana']]);
    const { token } = await share(desk.deps, { batchId, actor: oli, days: 7 });
    await page.goto(`${desk.url}/s/${token}`);
    await press(page, 'Redo…');
    await fill(page, 'Your name', 'Kim');
    await fill(page, 'What is to be other', said);
    await press(page, 'Mark redo');
    await page.getByText(`“${said}”`).waitFor();
    expect(await reviewed('one')).toEqual([['redo', said, 'Kim (link of oli)']]);
    await page.context().close();
  });

  test('whoever signed in long ago proves once more who they are, and approves', async () => {
    const plan = await desk.scene.seal([`again ${how}`], { campaign: 'again' });
    const page = await open('/');
    desk.scene.nowMs += 16 * 60_000;
    await page.goto(`${desk.url}/batches/${plan}/plan`);
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await press(page, 'Sign in again');
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await fill(page, 'One-time code', await desk.code('dana'));
    await press(page, 'Sign in');
    await page.waitForURL(`**/batches/${plan}/plan`);
    await fill(page, 'Type the amount to approve', '1.00');
    await press(page, 'Approve 1.00 USD');
    await page.waitForURL(`**/batches/${plan}`);
    expect((await desk.scene.batch(plan)).decision).toMatchObject({ kind: 'approved', by: 'dana', channel: 'web' });
    const [last] = await listAudit(desk.deps.ledger, { object: plan, limit: 1 });
    expect(last).toMatchObject({ act: 'approve', actor: { name: 'dana' } });
    await page.context().close();
  });
});
