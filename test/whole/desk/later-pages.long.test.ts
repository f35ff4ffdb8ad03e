import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '../../../ledger/access/audit.js';
import { share } from '../../../operations/batch/share-links.js';
import { oli } from '../../ledger/scene.js';
import { overflow, type Shown, showDesk, tabTo, violations } from './chromium.js';

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
  await desk.person('lee', 'finance');
  await desk.person('sue', 'submitter');
});
afterAll(async () => {
  expect(desk.complaints.filter((one) => !one.includes('status of 403'))).toEqual([]); // a page is refused on purpose
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

/** An invoice of one movie; the system's own dialog is no part of the page. */
async function choose(page: Page, amount: string): Promise<void> {
  const { movie_id } = await desk.deps.ledger.db
    .selectFrom('rows')
    .select('movie_id')
    .where('row_key', '=', 'one')
    .executeTakeFirstOrThrow();
  const buffer = Buffer.from(`movie_id,amount,currency,description\n${movie_id},${amount},USD,a movie\n`);
  await page
    .getByLabel('Invoice', { exact: true })
    .setInputFiles({ name: 'november.csv', mimeType: 'text/csv', buffer });
}

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
    await fill(page, 'Invoice number', number);
    await choose(page, amount);
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
    await fill(page, 'What should be different', said);
    await press(page, 'Mark redo');
    await page.getByText(`“${said}”`).waitFor();
    expect(await reviewed('one')).toEqual([['redo', said, 'dana']]);
    await press(page, 'OK');
    await page.locator('button.on.good').waitFor();
    expect(await reviewed('one')).toEqual([['ok', null, 'dana']]);
    const { token } = await share(desk.deps, { batchId, actor: oli, days: 7 });
    await page.goto(`${desk.url}/s/${token}`);
    await fill(page, 'Your name', 'Kim');
    await press(page, 'Redo…');
    await press(page, 'Mark redo');
    await page.getByRole('alert').getByText('Say what should be different').waitFor();
    expect(await page.getByLabel('Your name').inputValue()).toBe('Kim');
    await fill(page, 'What should be different', said);
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

test('without scripts two people resolve an order, what failed is planned again, and a link is made and revoked', async () => {
  const { scene } = desk;
  const batch = await scene.make(['lost', 'bad'], { campaign: 'moods' });
  await scene.admit(batch, 'lost');
  await scene.answer(batch, 'lost', { kind: 'broken' });
  await desk.deps.ledger.db.updateTable('rows').set({ state: 'unknown' }).where('row_key', '=', 'lost').execute();
  await scene.order(batch, 'bad');
  await scene.look(batch, 'bad', 'failed', { error: { code: 'moderation', message: 'refused' } });
  const options = { javaScriptEnabled: false };
  const [dana, lee] = [await desk.signIn('dana', options), await desk.signIn('lee', options)];
  await dana.goto(`${desk.url}/batches/${batch}/rows/lost`);
  await dana.getByLabel('It was not created').check();
  await dana.getByLabel('How you know').fill('ticket 7');
  await dana.getByRole('button', { name: 'Say so' }).click();
  await dana.getByText('ticket 7').waitFor();
  await lee.goto(`${desk.url}/batches/${batch}/rows/lost`);
  await lee.getByLabel('How you know').first().fill('asked them too');
  await lee.getByRole('button', { name: /^Agree/ }).click();
  await lee.getByRole('button', { name: /^Agree/ }).waitFor({ state: 'detached' });
  expect((await scene.row(batch, 'lost')).state).not.toBe('unknown');
  await dana.goto(`${desk.url}/batches/${batch}/retry`);
  await dana.getByRole('button', { name: /^Plan|^Retry/ }).click();
  await dana.waitForURL('**/batches/moods-2');
  expect(await scene.row('moods-2', 'bad')).toMatchObject({ ordered: true });
  await dana.goto(`${desk.url}/batches/${batch}/gallery`);
  await dana.getByRole('button', { name: 'Make a link' }).click();
  await dana.getByRole('button', { name: /^Revoke/ }).click();
  await dana.getByRole('button', { name: /^Revoke/ }).waitFor({ state: 'detached' });
  for (const page of [dana, lee]) await page.context().close();
});

describe.each(['light', 'dark'] as const)('%s: an invoice, a sign-in again, a gallery, a refusal', (colorScheme) => {
  test.each([1440, 390, 320])('are clean for axe and fit into %s px', async (width) => {
    const options = { colorScheme, viewport: { width, height: 800 } };
    const [page, sue] = [await desk.signIn('dana', options), await desk.signIn('sue', options)];
    const expectClean = async (shown: Page) => {
      const at = shown.url();
      expect([at, await violations(shown), await overflow(shown)]).toEqual([at, [], 0]);
    };
    await page.goto(`${desk.url}/invoices`);
    await choose(page, '9.75');
    await page.getByRole('button', { name: 'Compare it' }).click();
    await page.waitForURL('**/invoices/*');
    await expectClean(page);
    for (const path of ['/sign-in?again=yes&to=/budgets', `/batches/${batchId}/gallery`]) {
      await page.goto(desk.url + path);
      await expectClean(page);
    }
    await sue.goto(`${desk.url}/audit`);
    await sue.getByRole('heading', { name: 'You are not allowed to do this' }).waitFor();
    await expectClean(sue);
    for (const shown of [page, sue]) await shown.context().close();
  });
});
