import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { share } from '../../../operations/batch/share-links.js';
import { oli } from '../../ledger/scene.js';
import { overflow, type Shown, showDesk, violations } from './chromium.js';

let desk: Shown;
let moneyAndReview: readonly string[];
let others: readonly string[];
beforeAll(async () => {
  desk = await showDesk();
  const { scene } = desk;
  await scene.fund('acme', 1_000_000);
  await scene.fund('acme/emea/spring', 500_000);
  const making = await scene.make(['one', 'a-rather-long-id-of-a-row_9x16', 'three', 'four'], { campaign: 'winter' });
  await scene.deliver(making, 'one');
  await scene.deliver(making, 'a-rather-long-id-of-a-row_9x16');
  await scene.order(making, 'three');
  const waiting = await scene.seal(['x', 'y'], { campaign: 'spring' });
  await desk.person('dana', 'finance', 'operator', 'submitter');
  const { token } = await share(desk.deps, { batchId: making, actor: oli, days: 7 });
  const level = `/budgets/level?path=${encodeURIComponent('acme/emea/spring')}&rehearsal=yes`;
  moneyAndReview = [
    ...['/budgets', level, level.replace('level', 'limit'), level.replace('level', 'stop'), '/spend'],
    ...[`/batches/${making}/gallery`, `/batches/${making}/gallery?show=redo`, `/batches/${making}/certificate`],
    `/s/${token}`,
  ];
  others = [
    ...['/', '/upload', `/batches/${making}`, `/batches/${waiting}/plan`, `/batches/${making}/rows/one`],
    ...['/audit', '/audit/verify', '/health', '/invoices', `/batches/${making}/pause`, `/batches/${making}/cancel`],
  ];
});
afterAll(() => desk.close());

async function open(page: Page, path: string): Promise<void> {
  const answer = await page.goto(desk.url + path);
  expect([path, answer?.status()]).toEqual([path, 200]);
}

describe.each(['light', 'dark'] as const)('%s: every page of money and of review', (colorScheme) => {
  test.each([1440, 390, 320])(
    'is clean for axe and fits into %s px',
    async (width) => {
      const page = await desk.signIn('dana', { colorScheme, viewport: { width, height: 800 } });
      for (const path of moneyAndReview) {
        await open(page, path);
        expect([path, await violations(page)]).toEqual([path, []]);
        expect([path, await overflow(page)]).toEqual([path, 0]);
      }
      await page.context().close();
    },
    120_000,
  );
});

test('at 390 px no name in a table is squeezed to its letters, however long the word beside it', async () => {
  const { db } = desk.deps.ledger;
  const verdict = 'needs review: asked 20 s at 16:9 with sound, got 18.2 s at 4:3 without';
  await db.updateTable('rows').set({ verdict }).where('row_key', '=', 'one').execute();
  const page = await desk.signIn('dana', { viewport: { width: 390, height: 800 } });
  const narrow = `[...document.querySelectorAll('tbody th')].filter((one) => one.clientWidth < 60).map((one) => one.textContent)`;
  for (const path of [...others, ...moneyAndReview]) {
    await open(page, path);
    expect([path, await page.evaluate(narrow)]).toEqual([path, []]);
  }
  await page.context().close();
});

/** Where the focus is, and whether somebody who looks at the window sees some of it: nothing lies over it. */
const lookAtFocus = `(() => {
  const { activeElement: at } = document;
  if (at === document.body) return null;
  const { left, top, right, bottom } = at.getBoundingClientRect();
  const [x, y] = [[left, right, innerWidth], [top, bottom, innerHeight]].map(([from, to, room]) =>
    (Math.max(from, 0) + Math.min(to, room)) / 2);
  const seen = document.elementFromPoint(x, y);
  const isSeen = seen !== null && (at.contains(seen) || seen.contains(at) || seen.closest('label')?.control === at);
  return { name: at.tagName + ' ' + (at.textContent || at.name || '').trim().slice(0, 40), isSeen };
})()`;

test('at 400 % of a window of 1280 x 1024 each page fits, and whoever tabs through it sees where they are', async () => {
  const zoomed = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 };
  const page = await desk.signIn('dana', zoomed);
  for (const path of [...others, ...moneyAndReview]) {
    await open(page, path);
    expect([path, await overflow(page)]).toEqual([path, 0]);
    const hidden: string[] = [];
    let stops = 0;
    for (; stops < 150; stops += 1) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate(lookAtFocus);
      const { name, isSeen } = (focus ?? { name: '', isSeen: true }) as { name: string; isSeen: boolean };
      if (name === '') break;
      if (!isSeen) hidden.push(name);
    }
    expect([path, hidden]).toEqual([path, []]);
    expect(stops).toBeGreaterThan(3);
  }
  await page.context().close();
}, 240_000);
