import { afterEach, expect, test } from 'vitest';
import { approve } from '../../../operations/decisions.js';
import { createDesk } from '../../../web/create-desk.js';
import { fay } from '../../ledger/scene.js';
import { keptIn, openDesk, type TestDesk } from './desk.js';

let desk: TestDesk;
afterEach(() => desk.close());

interface Wrong {
  readonly form: Readonly<Record<string, string>>;
  readonly status: number;
  readonly says: string;
}

const notYours: Omit<Wrong, 'form'> = { status: 403, says: 'role' };

/** Each form of the desk, with what it is refused for; whoever sends it has all roles, where it is not `notYours`. */
const table: Readonly<Record<string, Wrong>> = {
  'POST /sign-in': { form: { code: 'AAAA-AAAA-AAAA' }, status: 401, says: 'This code is not valid' },
  'POST /s/:token/reviews': { form: { ok: '0 one' }, status: 404, says: 'not open any more' },
  'POST /uploads': { form: {}, status: 403, says: 'role' },
  'POST /uploads/:id/submit': { form: {}, status: 404, says: 'Cannot' },
  'POST /batches/:batch/approve': { form: { amount: '1.99' }, status: 409, says: 'Nothing was decided' },
  'POST /batches/:batch/reject': { form: { reason: ' ' }, status: 400, says: 'A rejection needs a reason' },
  'POST /budgets/limit': {
    form: { path: 'acme', rehearsal: 'yes', limit: '7', before: '8' },
    ...{ status: 409, says: 'The limit has changed in the meantime' },
  },
  'POST /budgets/stop': { form: { path: 'acme' }, ...notYours },
  'POST /budgets/start': { form: { path: 'acme' }, ...notYours },
  'POST /invoices': { form: {}, ...notYours },
  'POST /invoices/:id/book': { form: { shown: 'nothing' }, status: 404, says: 'Cannot' },
  'POST /batches/:batch/rows/:row/resolve': {
    form: { evidence: 'ticket 20917' },
    ...{ status: 400, says: 'Say what became of the order' },
  },
  'POST /batches/:batch/pause': { form: {}, ...notYours },
  'POST /batches/:batch/resume': { form: {}, ...notYours },
  'POST /batches/:batch/continue': { form: {}, ...notYours },
  'POST /batches/:batch/cancel': { form: { reason: '' }, status: 409, says: 'A cancel needs a reason' },
  'POST /batches/:batch/retry': { form: { shown: '7' }, status: 409, says: 'Other rows are meant by now' },
  'POST /batches/:batch/refetch': { form: { shown: '7' }, status: 409, says: 'Other rows are meant by now' },
  'POST /batches/:batch/gallery/reviews': { form: { ok: '0 nobody' }, status: 404, says: 'Cannot' },
  'POST /batches/:batch/shares': { form: { days: '7' }, ...notYours },
  'POST /batches/:batch/shares/:link/revoke': { form: {}, ...notYours },
  'POST /batches/:batch/redo': { form: {}, ...notYours },
};

async function setUp() {
  desk = await openDesk();
  await desk.scene.fund('acme', 1_000_000);
  const batchId = await desk.scene.seal(['one', 'two']);
  await desk.person('dana', 'finance', 'operator', 'submitter');
  await desk.person('aud', 'auditor');
  const parts: Readonly<Record<string, string>> = { batch: batchId, row: 'one' };
  const pathOf = (route: string) =>
    route.replace(/^\w+ /, '').replace(/:(\w+)/g, (_, part: string) => parts[part] ?? 'none');
  return { batchId, pathOf, dana: await desk.browser('dana'), aud: await desk.browser('aud') };
}

test('every form of the router stands in the table; signing out is refused to nobody', async () => {
  desk = await openDesk();
  const routes = createDesk(desk.deps).routes.map(({ method, path }) => `${method} ${path}`);
  const forms = new Set(routes.filter((route) => route.startsWith('POST') && !/\/api\/v1/.test(route)));
  expect([...forms].sort()).toEqual([...Object.keys(table), 'POST /sign-out'].sort());
});

test.each(Object.entries(table))(
  '%s: what it is refused for is said once, at an address that can be loaded again',
  async (route, { form, status, says }) => {
    const { pathOf, dana, aud, batchId } = await setUp();
    const browser = route === 'POST /sign-in' ? desk.stranger() : says === 'role' ? aud : dana;
    const digest = (await desk.scene.batch(batchId)).planDigest ?? '';
    const answer = await browser.post(pathOf(route), { ...form, ...(route.endsWith('/approve') && { digest }) });
    const kept = keptIn(answer);
    const at = (answer.headers.get('location') ?? '').slice(desk.deps.site.basePath.length);
    expect([answer.status, typeof kept, await answer.text()]).toEqual([303, 'string', '']);

    const cookie = `${browser.cookie}; ${kept}`;
    const live = await browser.get(at, { cookie, 'sec-fetch-dest': 'empty' }); // a script that refreshes a page
    expect(live.headers.getSetCookie()).toEqual([]);
    const first = await browser.get(at, { cookie, 'sec-fetch-dest': 'document' });
    expect([first.status, first.headers.get('cache-control')]).toEqual([status, 'no-store']);
    expect(await first.text()).toContain(says);
    expect(first.headers.getSetCookie().join()).toMatch(/^greenlight-answer-\d+=; Max-Age=0; Path=\//);
    expect((await browser.get('/', { cookie })).headers.getSetCookie()).toEqual([]); // another page shows nothing of it
    expect(await browser.text(at)).not.toContain('role="alert"');
  },
);

test('what was typed is there again, and what does not go along is shown at once', async () => {
  const { batchId, dana } = await setUp();
  const from = { referer: `${desk.url}/batches/${batchId}/cancel?row=one` };
  const canceled = await dana.send(`/batches/${batchId}/cancel`, { row: 'one', reason: 'a “logo”', shown: '9' }, from);
  expect(await canceled.text()).toContain('value="a “logo”"');

  const resolve = `/batches/${batchId}/rows/one/resolve`;
  const evidence = 'the whole mail of their support. '.repeat(90);
  const long = await dana.post(resolve, { resolution: '', evidence });
  expect([long.status, keptIn(long)]).toEqual([400, undefined]);
  expect(await long.text()).toContain(evidence.trim());
});

test('what is no fault of a form is said at once: to send it again is right then, as is to look again', async () => {
  const away = Object.assign(new Error('Cannot reach the ledger'), { name: 'LedgerAwayError' });
  const gone = () => Promise.reject(away);
  const { batchId } = await setUp();
  const { ledger, workflows } = desk.deps;
  await approve(desk.deps, { batchId, actor: fay });
  const lonely = await openDesk({ deps: { ledger, seeWorkers: gone, workflows: { ...workflows, nudgeBatch: gone } } });
  const browser = await lonely.browser('dana');
  const look = await browser.get(`/batches/${batchId}?state=waiting`);
  const html = await look.text();
  expect([look.status, html.includes(`<a href="/batches/${batchId}?state=waiting" class="b">Try again</a>`)]).toEqual([
    503,
    true,
  ]);
  expect(html).toMatch(/Request \w{4}-\w{2} .*an operator finds it in the log/s);
  const form = await browser.post(`/batches/${batchId}/pause`, { reason: 'lunch' });
  expect([form.status, keptIn(form)]).toEqual([503, undefined]);
  expect([...new Set(lonely.faults)]).toEqual([away]);
});

test('the page of the form comes again as it was filtered', async () => {
  const { batchId, dana } = await setUp();
  const plan = `/batches/${batchId}/plan?difference=yes`;
  const answer = await dana.post(`/batches/${batchId}/reject`, { reason: '' }, { referer: desk.url + plan });
  expect(answer.headers.get('location')).toBe(plan);
});

test('an address or a markup that somebody puts into the cookie is shown as text, or not at all', async () => {
  const { batchId, dana } = await setUp();
  const at = `/batches/${batchId}/plan`;
  const look = (kept: object) => {
    const text = Buffer.from(JSON.stringify({ at, status: 409, requestId: 'x', ...kept })).toString('base64url');
    return dana.get(at, { cookie: `${dana.cookie}; greenlight-answer-7337=${text}` });
  };
  const evil = await look({ message: '<img src=x onerror=alert(1)>' });
  expect([evil.status, (await evil.text()).includes('<img')]).toEqual([409, false]);
  const away = await look({ title: 'x', message: 'x', next: { path: '//evil.example', text: 'x' } });
  expect(await away.text()).not.toContain('evil.example');
  expect((await look({ status: 999, message: 'x' })).status).toBe(200);
  expect((await dana.get(at, { cookie: `${dana.cookie}; greenlight-answer-7337=rubbish` })).status).toBe(200);
});
