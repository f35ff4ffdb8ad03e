import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { share } from '../../../operations/batch/share-links.js';
import { oli } from '../../ledger/scene.js';
import { type Shown, showDesk } from './chromium.js';

/** What a browser does with a form that was refused, or that has more in it than was sent. */
let desk: Shown;
let batchId: string;
beforeAll(async () => {
  desk = await showDesk();
  await desk.scene.fund('acme', 1_000_000);
  batchId = await desk.scene.make(['one', 'two', 'three'], { campaign: 'winter' });
  for (const key of ['one', 'two', 'three']) await desk.scene.deliver(batchId, key);
  await desk.person('dana', 'finance', 'operator', 'submitter');
});
afterAll(() => desk.close());

const verdicts = async () => {
  const rows = await desk.deps.ledger.db.selectFrom('reviews').selectAll().where('batch_id', '=', batchId).execute();
  return Object.fromEntries(rows.map(({ row_key, verdict, note }) => [row_key, note ?? verdict]));
};

const card = (page: Page, number: number) => page.locator(`#m${number}`);

async function write(page: Page, number: number, note: string): Promise<void> {
  await card(page, number).getByText('Redo…').click();
  await card(page, number).getByRole('textbox').fill(note);
}

/** Until the page that it is answered with is there: the one before may look the same. */
async function send(page: Page, button: Locator): Promise<void> {
  await Promise.all([page.waitForEvent('load'), button.click()]);
}

describe.each([true, false])('with scripts: %s', (javaScriptEnabled) => {
  test('a wrong amount is answered where a page can be loaded again, and come back to', async () => {
    const plan = await desk.scene.seal([`plan ${javaScriptEnabled}`], { campaign: 'autumn' });
    const page = await desk.signIn('dana', { javaScriptEnabled });
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.goto(`${desk.url}/batches/${plan}/plan`);
    await page.getByLabel('Type the amount to approve').fill('1.01');
    await page.getByRole('button', { name: 'Approve 1.00 USD' }).click();
    await page.getByRole('alert').getByText('Nothing was decided').waitFor();
    expect(page.url()).toBe(`${desk.url}/batches/${plan}/plan`);
    await page.reload();
    await page.getByLabel('Type the amount to approve').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.goto(`${desk.url}/`);
    await page.goBack();
    await page.getByLabel('Type the amount to approve').waitFor();
    expect(sent).toEqual([`${desk.url}/batches/${plan}/approve`]);
    expect((await desk.scene.batch(plan)).state).toBe('waiting');
    await page.context().close();
  });

  test.each(['of a person', 'of a guest'])('notes that are not sent stay beside a verdict %s', async (who) => {
    const { token } = await share(desk.deps, { batchId, actor: oli, days: 7 });
    const page = await desk.signIn('dana', { javaScriptEnabled });
    await page.goto(desk.url + (who === 'of a guest' ? `/s/${token}` : `/batches/${batchId}/gallery`));
    if (who === 'of a guest') await page.getByLabel('Your name').fill('Kim');
    const words = (what: string) => `${what}, ${who}, ${javaScriptEnabled}`;
    await write(page, 2, words('shorter'));
    await write(page, 3, words('no logo'));
    await send(page, card(page, 1).getByRole('button', { name: 'OK' }));
    await card(page, 1).locator('button.on.good').waitFor();
    expect(await verdicts()).toMatchObject({ one: 'ok' });
    expect(await card(page, 2).getByRole('textbox').inputValue()).toBe(words('shorter'));

    await send(page, card(page, 3).getByRole('button', { name: 'Mark redo' }));
    await card(page, 3)
      .getByText(`“${words('no logo')}”`)
      .waitFor();
    expect(await card(page, 2).getByRole('textbox').inputValue()).toBe(words('shorter'));
    await send(page, card(page, 2).getByRole('button', { name: 'Mark redo' }));
    await card(page, 2)
      .getByText(`“${words('shorter')}”`)
      .waitFor();
    expect(await verdicts()).toEqual({ one: 'ok', two: words('shorter'), three: words('no logo') });
    expect(await page.locator('.verdicts details[open]').count()).toBe(0); // nothing is left to send
    await page.context().close();
  });
});

test('notes that are not sent outlive the page, and are for whoever wrote them', async () => {
  await desk.person('lee', 'operator');
  const page = await desk.signIn('dana');
  const gallery = `${desk.url}/batches/${batchId}/gallery`;
  await page.goto(gallery);
  await write(page, 2, 'not sent yet');
  await page.goto(`${gallery}?show=unreviewed`);
  await page.goto(gallery);
  expect(await card(page, 2).getByRole('textbox').inputValue()).toBe('not sent yet');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(`${desk.url}/sign-in?code=${await desk.code('lee')}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.goto(gallery);
  expect(await page.locator('.verdicts details[open]').count()).toBe(0);
  await page.context().close();
});
