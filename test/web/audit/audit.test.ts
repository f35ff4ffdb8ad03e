import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appendAudit } from '../../../ledger/access/audit.js';
import { setBudget } from '../../../ledger/money/budgets.js';
import { detailParts, detailWords } from '../../../reports/wording/audit-words.js';
import { fay, sam } from '../../ledger/scene.js';
import { type Browser, openDesk, type TestDesk } from '../desk/desk.js';

let desk: TestDesk;
let dana: Browser;
let batchId: string;
beforeEach(async () => {
  desk = await openDesk();
  await desk.scene.fund('acme', 100_000);
  batchId = await desk.scene.seal(['a', 'b'], { actor: sam });
  await desk.person('dana', 'finance');
  await desk.person('oli', 'operator');
  dana = await desk.browser('dana');
});
afterEach(async () => {
  expect(desk.faults).toEqual([]);
  await desk.close();
});

/** Who did what, as the rows of the page say it. */
async function shown(query: string): Promise<readonly string[]> {
  const html = await dana.text(`/audit${query}`);
  const rows = [
    ...html.matchAll(/<th scope="row" class="name">([^<]*)<[\s\S]*?<td><span(?: class="bad")?>([^<]*)<\/span>/g),
  ];
  return rows.map(([, who, did]) => `${who}: ${did}`);
}

describe('the records', () => {
  test('say who did what, with amounts of the batch in its currency, and refused tries in words', async () => {
    const oli = await desk.browser('oli');
    const digest = (await desk.scene.batch(batchId)).planDigest ?? '';
    expect((await oli.send(`/batches/${batchId}/approve`, { digest, amount: '2.00' })).status).toBe(403);
    await dana.send(`/batches/${batchId}/approve`, { digest, amount: '2.00' });
    expect(await shown(`?of=${batchId}`)).toEqual([
      'dana: approve',
      'oli: approve, refused',
      'greenlight: seal',
      'sam: submit',
    ]);
    const html = await dana.text(`/audit?of=${batchId}`);
    expect(html).toContain('total 2.00 USD');
    expect(html).toContain(`<span title="${digest}">plan digest ${digest.slice(0, 12)}</span>`);
    expect(await dana.text('/audit?act=people')).toMatch(/until <time datetime="[^"]+Z">/);
  });

  test('are found by person, kind, outcome, object and day, all at once', async () => {
    await setBudget(desk.deps.ledger, {
      ...{ path: 'acme', rehearsal: true, limitMinor: 5, currency: 'USD' },
      ...{ actor: { ...fay, name: 'dana' }, nowMs: desk.scene.nowMs },
    });
    expect(await shown('?by=dana')).toEqual(['dana: budget set', 'dana: sign in']);
    expect(await shown('?by=dana&act=budget')).toEqual(['dana: budget set']);
    expect(await shown('?act=budget&of=acme')).toEqual(['dana: budget set', 'fay: budget set']);
    expect(await shown('?act=bud')).not.toEqual([]); // no kind of ours: not looked at
    expect(await shown('?refused=yes')).toEqual([]);
    const day = (shift: number) => {
      const at = new Date(desk.scene.nowMs + shift * 86_400_000);
      return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
    };
    const all = await shown('');
    expect(await shown(`?from=${day(0)}&until=${day(0)}`)).toEqual(all);
    expect(await shown(`?until=${day(-1)}`)).toEqual([]);
    expect(await shown(`?from=${day(1)}`)).toEqual([]);
    expect(await shown('?of=nobody')).toEqual([]);
    expect(await dana.text('/audit?of=nobody')).toContain('Clear the filter');
  });

  test('of a batch are there for whoever submitted it; all of them are not', async () => {
    await desk.person('sam', 'submitter');
    const own = await desk.browser('sam');
    expect(await own.text(`/batches/${batchId}`)).toContain(`href="/audit?of=${batchId}"`);
    expect(await own.text(`/audit?of=${batchId}`)).toContain('submit');
    expect([(await own.get('/audit')).status, (await own.get('/audit?of=acme')).status]).toEqual([403, 403]);
    expect((await own.get('/audit.csv')).status).toBe(403);
  });

  test('are paged by their numbers, and the filter goes with the page', async () => {
    const { ledger, clock } = desk.deps;
    const event = { atMs: clock(), actor: { name: 'dana', channel: 'web' }, object: 'acme', detail: {} } as const;
    await ledger.write(async (tx) => {
      for (let times = 0; times < 120; times += 1) await appendAudit(tx, { ...event, act: 'budget_stop' });
    });
    const first = await dana.text('/audit?act=budget&by=dana');
    const older = /href="([^"]*before=\d+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(older).toContain('act=budget');
    const pages = [first, await dana.text(older)];
    const numbers = pages.map((html) =>
      [...html.matchAll(/<td class="n soft">(\d+)/g)].map(([, number]) => Number(number)),
    );
    expect(numbers.map(({ length }) => length)).toEqual([50, 50]);
    const all = numbers.flat();
    expect(all).toEqual([...all].sort((one, other) => other - one));
    expect(new Set(all).size).toBe(100);
  });

  test('go into a file with the same filter, the oldest first', async () => {
    const answer = await dana.get('/audit.csv?by=sam&act=submit');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    const [head, ...lines] = (await answer.text()).trim().split('\r\n');
    expect(head).toMatch(/^record,at_utc,by,channel,act,object,detail/);
    expect(lines.map((line) => line.split(',').slice(2, 6).join(' '))).toEqual([`sam terminal submit ${batchId}`]);
  });
});

describe('a verification', () => {
  test('of sound books says so, and the page with the records remembers when', async () => {
    expect(await dana.text('/audit')).toContain('Not verified since the desk started');
    expect(await dana.text('/audit/verify')).toContain('The books are whole');
    expect(await dana.text('/audit')).toContain('The books were whole up to record');
    expect(await (await desk.browser('oli')).text('/audit')).not.toContain('Verify now');
  });

  test('of changed books names what is wrong, and repairs nothing', async () => {
    await desk.deps.ledger.db.updateTable('budgets').set({ committed_minor: 777 }).execute();
    const html = await dana.text('/audit/verify');
    expect(html).toContain('The books do not add up');
    expect(html).toMatch(/acme[^<]*: committed[^<]* is 777, its entries say 0/);
    expect(await dana.text('/audit')).toContain('say bad');
  });
});

test('details are words: amounts with their currency, moments, digests by their beginning', () => {
  const detail = { total_minor: 39_000, plan_digest: 'ab'.repeat(32), self_approved: true, beside: false, note: null };
  expect(detailWords(detail, 'USD')).toBe('total 390.00 USD, plan digest abababababab, self approved');
  expect(detailWords({ limit_minor: 5_000, currency: 'JPY', limit_before: 4_000 })).toBe(
    'limit 5,000 JPY, limit before 4,000 JPY',
  );
  expect(detailWords({ total_minor: 5 })).toBe('total 5 minor units');
  expect(detailWords({ entries: { count: 5, head: 'cd'.repeat(32) } })).toBe('entries (count 5, head cdcdcdcdcdcd)');
  expect(detailWords({ reason: 'the logo\nwas wrong', keys: ['a', 'b'] })).toBe('reason: the logo was wrong, keys a b');
});

test('of two versions what changed is said, and what is said in short has all of it beside', () => {
  const before = {
    approvalDays: 7,
    billing: { failed: 'charged', canceled: 'charged' },
    approveBelow: null,
    solo: true,
  };
  const after = { ...before, approvalDays: 14, billing: { ...before.billing, canceled: 'free' } };
  const priced = { ...after, approveBelow: { amountMinor: 5_000, currency: 'USD' } };
  expect(detailWords({ before, after: priced })).toBe(
    'approval days 14, was 7, billing canceled free, was charged, approve below 50.00 USD, was none',
  );
  const keys = Array.from({ length: 1_000 }, (_, index) => `row-${index}`);
  const [some, own, at, hash, few] = detailParts({
    ...{ keys, own: { ledgerId: 'l', audit: { length: 1_204, head: 'ab'.repeat(32) } }, until_ms: 5_000 },
    ...{ sha256: 'ef'.repeat(32), roles: ['finance', 'operator'] },
  });
  expect(some?.words).toMatch(/^keys row-0 row-1 .* row-11 and 988 more$/);
  expect(some?.exact?.length).toBeLessThan(500);
  expect(own).toEqual({
    words: 'own (ledger id l, audit (length 1,204, head abababababab))',
    exact: `{"ledgerId":"l","audit":{"length":1204,"head":"${'ab'.repeat(32)}"}}`,
  });
  expect(at).toEqual({ words: 'until', atMs: 5_000 });
  expect(hash).toEqual({ words: 'sha256 efefefefefef', exact: 'ef'.repeat(32) });
  expect(few).toEqual({ words: 'roles finance operator' });
});
