import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currencyDecimals, formatAmount } from '../../../domain/money.js';
import { openPlace, type Place } from '../../cli/terminal.js';
import { type Browser, openDesk, type TestDesk } from './desk.js';

/** What each row costs: in every currency it is more than a thousand, so that it is seen beside counts and times. */
const priceMinor = 12_345_678;
const limitMinor = 9_876_543_210;
/** Five are approved: three accepted, one unknown, one not ordered yet. */
const [approvedMinor, spentMinor, askedMinor] = [5 * priceMinor, 3 * priceMinor, 2 * priceMinor];

interface Subjects {
  readonly making: string;
  readonly waiting: string;
}

/** Every page that has amounts, and the commands that say the same. */
const pages: readonly {
  readonly path: (batches: Subjects) => string;
  readonly commands: (batches: Subjects) => readonly (readonly string[])[];
  /** Amounts in minor units that the page must show. */
  readonly shows: readonly number[];
  /** What the command line says nothing of. */
  readonly besides?: readonly number[];
}[] = [
  {
    path: () => '/',
    commands: ({ waiting }) => [['status'], ['approve', waiting], ['unknown', 'list']],
    shows: [askedMinor, spentMinor, priceMinor],
  },
  {
    path: ({ making }) => `/batches/${making}`,
    commands: ({ making }) => [
      ['status', making],
      ['cancel', making, '--preview'],
    ],
    shows: [approvedMinor, spentMinor, priceMinor],
  },
  {
    path: ({ making }) => `/batches/${making}/rows/a`,
    commands: ({ making }) => [['show', making, 'a']],
    shows: [priceMinor],
  },
  {
    path: ({ waiting }) => `/batches/${waiting}/plan`,
    commands: ({ waiting }) => [
      ['approve', waiting],
      ['budget', 'list'],
      ['budget', 'show', 'acme/spring'],
      ['show', waiting, 'x'],
    ],
    shows: [askedMinor],
    // Of each level; the command line says it of the tightest.
    besides: [limitMinor - approvedMinor - askedMinor],
  },
  {
    path: ({ making }) => `/batches/${making}/cancel`,
    commands: ({ making }) => [['cancel', making, '--preview']],
    shows: [priceMinor],
  },
  {
    path: ({ making }) => `/batches/${making}/certificate`,
    commands: ({ making }) => [['status', making]],
    shows: [approvedMinor],
  },
  { path: () => '/budgets', commands: () => [['budget', 'list']], shows: [limitMinor, spentMinor] },
  {
    path: () => '/budgets/level?path=acme&rehearsal=yes',
    commands: ({ making }) => [
      ['status', making],
      ['budget', 'show', 'acme'],
      ['budget', 'list'],
      ['unknown', 'list'],
    ],
    shows: [limitMinor, spentMinor],
    besides: [spentMinor / 2], // of each delivered movie
  },
  { path: () => '/spend', commands: () => [['spend']], shows: [spentMinor] },
];

describe.each(['USD', 'JPY', 'BHD'])('in %s', (currency) => {
  let place: Place;
  let desk: TestDesk;
  let browser: Browser;
  let batches: Subjects;
  beforeAll(async () => {
    place = await openPlace();
    const { scene, ledger } = place;
    scene.currency = currency;
    await scene.fund('acme', limitMinor);
    await scene.fund('acme/spring', limitMinor / 10);
    const making = await scene.make(['a', 'b', 'c', 'd', 'e'], { amountMinor: priceMinor });
    await scene.deliver(making, 'a');
    await scene.deliver(making, 'b');
    await scene.order(making, 'c');
    await scene.admit(making, 'd');
    await scene.answer(making, 'd', { kind: 'broken' });
    const waiting = await scene.seal(['x', 'y'], { amountMinor: priceMinor, campaign: 'autumn' });
    batches = { making, waiting };
    desk = await openDesk({ deps: { ledger, clock: Date.now } });
    browser = await desk.browser();
  });
  afterAll(async () => {
    expect(desk.faults).toEqual([]);
    await desk.close();
    await place.close();
  });

  test.each(pages.map((page) => ({ name: page.path({ making: ':making', waiting: ':waiting' }), page })))(
    '$name has the amounts of the command line',
    async ({ page }) => {
      const said: string[] = [];
      for (const command of page.commands(batches)) {
        const { out, err } = await place.run(command, { tty: command[0] === 'approve', types: ['no'], columns: 200 });
        said.push(out, err);
      }
      const words = (amounts: readonly number[] = []) =>
        amounts.map((amountMinor) => formatAmount({ amountMinor, currency }));
      const known = new Set([...amountsIn(said.join('\n')), ...words(page.besides)]);
      const shown = amountsIn(textOf(await browser.text(page.path(batches))));
      expect(shown.filter((amount) => !known.has(amount))).toEqual([]);
      expect(shown).toEqual(expect.arrayContaining(words(page.shows)));
      const digits = currencyDecimals(currency);
      for (const amount of shown) expect(amount.split('.')[1]?.length ?? 0, amount).toBe(digits);
    },
  );
});

/** Numbers with groups of thousands: every amount of this test, and nothing else. */
function amountsIn(text: string): readonly string[] {
  return text.match(/\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,]* bytes)/g) ?? [];
}

/** What a page says, and what it says to those who do not see it. */
function textOf(html: string): string {
  return html
    .replaceAll(/<(style|script|svg)[^>]*>.*?<\/\1>/gs, (part) => (part.match(/aria-label="[^"]*"/g) ?? []).join(' '))
    .replaceAll(/<[^>]*>/g, ' ');
}
