import { afterEach, expect, test } from 'vitest';
import type { Role } from '../../../domain/roles.js';
import { removePerson } from '../../../ledger/access/people.js';
import { createDesk } from '../../../web/create-desk.js';
import { ada } from '../../ledger/scene.js';
import { type Browser, openDesk, type TestDesk } from './desk.js';

let desk: TestDesk;
afterEach(() => desk.close());

/** Who may take a route: everybody, whoever is signed in, or these roles. A `POST` that may, is not refused by role. */
type Who = 'everybody' | 'signed in' | readonly Role[];

interface Route {
  readonly who: Who;
  /** What the form has, beside its token. */
  readonly form?: Readonly<Record<string, string>>;
}

/** The interface for other systems has a table of its own: it takes tokens, and no cookie. */
const isApi = (route: string) => route.includes(' /api/v1');

/** Each route that the desk has, by the pattern that its router knows. One that is not here fails the test below. */
const table: Readonly<Record<string, Route>> = {
  'GET /healthz': { who: 'everybody' },
  'GET /assets/:name': { who: 'everybody' },
  'GET /sign-in': { who: 'everybody' },
  'GET /s/:token': { who: 'everybody' },
  'GET /s/:token/films/:row/:asset': { who: 'everybody' },
  'GET /s/:token/films/:row/:asset/thumbnail': { who: 'everybody' },
  'POST /s/:token/reviews': { who: 'everybody' },
  'POST /sign-in': { who: 'everybody', form: { code: 'AAAA-AAAA-AAAA' } },
  'POST /sign-out': { who: 'signed in' },
  'GET /': { who: 'signed in' },
  'GET /upload': { who: ['submitter'] },
  // Its form has files; one without them is refused for everybody. upload.test.ts sends them.
  'POST /uploads': { who: [] },
  'GET /upload/sample/:kind': { who: ['submitter'] },
  'GET /uploads/:id': { who: ['submitter'] },
  'GET /uploads/:id/repaired': { who: ['submitter'] },
  'GET /uploads/:id/findings': { who: ['submitter'] },
  'POST /uploads/:id/submit': { who: ['submitter'] },
  'GET /stream': { who: 'signed in' },
  'GET /batches/:batch': { who: 'signed in' },
  'GET /batches/:batch/plan': { who: 'signed in' },
  'GET /batches/:batch/print.css': { who: 'signed in' },
  'POST /batches/:batch/approve': { who: ['finance'], form: { digest: '0'.repeat(12), amount: '2.00' } },
  'POST /batches/:batch/reject': { who: ['finance'], form: { reason: 'not now' } },
  'GET /budgets': { who: 'signed in' },
  'GET /budgets/level': { who: 'signed in' },
  'GET /budgets/days.csv': { who: 'signed in' },
  'GET /budgets/limit': { who: 'signed in' },
  'POST /budgets/limit': {
    who: ['finance'],
    form: { path: 'acme', rehearsal: 'yes', limit: '10,000', before: '1000000' },
  },
  'GET /budgets/stop': { who: 'signed in' },
  'POST /budgets/stop': { who: ['finance'], form: { path: 'acme', reason: 'a review' } },
  'GET /budgets/start': { who: 'signed in' },
  'POST /budgets/start': { who: ['finance'], form: { path: 'acme' } },
  'GET /audit': { who: ['operator', 'finance', 'auditor'] },
  'GET /audit.csv': { who: ['operator', 'finance', 'auditor'] },
  'GET /audit/verify': { who: ['finance', 'auditor', 'admin'] },
  'GET /health': { who: ['operator', 'admin'] },
  'GET /invoices': { who: ['operator', 'finance', 'auditor'] },
  // Its form has a file; one without it is refused for everybody, as is one that nobody brought. invoices.test.ts sends them.
  'POST /invoices': { who: [] },
  'GET /invoices/:id': { who: ['finance'] },
  'POST /invoices/:id/book': { who: ['finance'], form: { shown: 'nothing' } },
  'GET /spend': { who: 'signed in' },
  'GET /spend.csv': { who: 'signed in' },
  'GET /batches/:batch/rows/:row': { who: 'signed in' },
  'POST /batches/:batch/rows/:row/resolve': {
    who: ['finance'],
    form: { resolution: 'not_created', evidence: 'a ticket' },
  },
  // A look at what an act would do is for everybody who sees the batch; a submitter may pause and cancel their own.
  'GET /batches/:batch/pause': { who: 'signed in' },
  'POST /batches/:batch/pause': { who: ['operator'], form: { reason: 'the logo was changed' } },
  'GET /batches/:batch/resume': { who: 'signed in' },
  'POST /batches/:batch/resume': { who: ['operator'] },
  'GET /batches/:batch/continue': { who: 'signed in' },
  'POST /batches/:batch/continue': { who: ['operator'] },
  'GET /batches/:batch/cancel': { who: 'signed in' },
  'POST /batches/:batch/cancel': { who: ['operator'], form: { reason: 'enough', shown: '0-0-0-0-0-2' } },
  'GET /batches/:batch/retry': { who: 'signed in' },
  'POST /batches/:batch/retry': { who: ['operator'], form: { shown: '0' } },
  'GET /batches/:batch/refetch': { who: 'signed in' },
  'POST /batches/:batch/refetch': { who: ['operator'], form: { shown: '0' } },
  'GET /batches/:batch/certificate': { who: 'signed in' },
  'GET /batches/:batch/certificate.css': { who: 'signed in' },
  'GET /batches/:batch/results.csv': { who: 'signed in' },
  'GET /batches/:batch/gallery': { who: 'signed in' },
  'GET /batches/:batch/gallery/films/:row/:asset': { who: 'signed in' },
  'GET /batches/:batch/gallery/films/:row/:asset/thumbnail': { who: 'signed in' },
  // A submitter may review and share what they submitted themselves; this batch is another's.
  'POST /batches/:batch/gallery/reviews': { who: ['operator'], form: { ok: '0 one' } },
  'POST /batches/:batch/shares': { who: ['operator'], form: { days: '7' } },
  'POST /batches/:batch/shares/:link/revoke': { who: ['operator'] },
  'POST /batches/:batch/redo': { who: ['operator'] },
};

const roles = ['submitter', 'operator', 'finance', 'auditor', 'admin'] as const;

async function setUp() {
  desk = await openDesk();
  await desk.scene.fund('acme', 1_000_000);
  const batchId = await desk.scene.seal(['one', 'two']);
  // A submitter sees the campaigns in which they submitted; this one has such a batch.
  for (const role of roles) await desk.person(`${role}-person`, role);
  const actor = { name: 'submitter-person', roles: ['submitter'], channel: 'web' } as const;
  await desk.scene.seal(['three'], { actor, settings: { allowDuplicates: true } });
  return { batchId, paths: pathsFor(batchId) };
}

const routesOf = (deps: TestDesk['deps']) => {
  const routes = createDesk(deps).routes.map(({ method, path }) => `${method} ${path}`);
  return [...new Set(routes)].filter((route) => !route.startsWith('ALL ') && !isApi(route));
};

function pathsFor(batchId: string) {
  const parts: Readonly<Record<string, string>> = { batch: batchId, row: 'one', name: 'desk.css' };
  return (route: string) => {
    const path = route.replace(/^\w+ /, '').replace(/:(\w+)/g, (_, part: string) => parts[part] ?? 'none');
    return path.startsWith('/budgets/') ? `${path}?path=acme&rehearsal=yes` : path;
  };
}

interface Sent {
  readonly path: string;
  readonly form?: Record<string, string> | undefined;
}

/** The answer's head; what it streams is not waited for. */
async function call(browser: Browser, route: string, { path, form = {} }: Sent): Promise<Response> {
  const answer = await (route.startsWith('GET ') ? browser.get(path) : browser.send(path, form));
  await answer.body?.cancel();
  return answer;
}

/** At once, or from a page that has what they wrote, which is refused. */
const toSignIn = ({ status, headers }: Response) =>
  status === 401 || (status === 303 && (headers.get('location') ?? '').startsWith('/sign-in'));

test('every route of the router has a line in the table, and the table has no other', async () => {
  desk = await openDesk();
  expect(routesOf(desk.deps).sort()).toEqual(Object.keys(table).sort());
});

test('strangers, ended sessions and removed people are sent to the sign-in by every route that is not open', async () => {
  const { paths } = await setUp();
  const stranger = desk.stranger();
  const ended = await desk.browser('finance-person');
  await ended.send('/sign-out');
  const removed = await desk.browser('operator-person');
  await removePerson(desk.deps.ledger, { name: 'operator-person', actor: ada, nowMs: desk.scene.nowMs });
  for (const [route, { who, form }] of Object.entries(table)) {
    if (who === 'everybody') continue;
    for (const browser of [stranger, ended, removed]) {
      const answer = await call(browser, route, { path: paths(route), form });
      expect([route, toSignIn(answer)]).toEqual([route, true]);
    }
  }
});

test('every role gets what it may, and is refused the rest', async () => {
  const { paths } = await setUp();
  const wrong: string[] = [];
  for (const role of roles) {
    const browser = await desk.browser(`${role}-person`);
    for (const [route, { who, form }] of Object.entries(table)) {
      if (route === 'POST /sign-out' || route.includes('sign-in')) continue;
      const answer = await call(browser, route, { path: paths(route), form });
      // An admin sees no campaign in which they did not submit, and no budget of one.
      const sees = role !== 'admin' || !/:batch|GET .budgets.\w/.test(route);
      const may = sees && (typeof who === 'string' || who.includes(role));
      if ((answer.status === 403) === may || answer.status >= 500) wrong.push(`${role} ${route} ${answer.status}`);
    }
  }
  expect([wrong, desk.faults]).toEqual([[], []]);
});

test('the interface for other systems takes no cookie', async () => {
  await setUp();
  const browser = await desk.browser('finance-person');
  const routes = createDesk(desk.deps).routes.map(({ method, path }) => `${method} ${path}`);
  const closed = routes.filter((one) => isApi(one) && !/ALL|docs|openapi/.test(one));
  expect(closed.length).toBeGreaterThan(10);
  for (const route of closed) {
    const answer = await call(browser, route, { path: route.replace(/^\w+ /, '').replace(':batch', 'spring-1') });
    expect([route, answer.status]).toEqual([route, 401]);
  }
});

test('a role that was taken away is gone with the next request', async () => {
  const { batchId } = await setUp();
  const browser = await desk.browser('finance-person');
  const asFinance = await browser.text(`/batches/${batchId}/plan`);
  await desk.deps.ledger.db
    .updateTable('people')
    .set({ roles: '["auditor"]' })
    .where('name', '=', 'finance-person')
    .execute();
  expect(asFinance).toContain('Approve 2.00 USD');
  expect(await browser.text(`/batches/${batchId}/plan`)).not.toContain('action="/batches');
  expect((await browser.send(`/batches/${batchId}/reject`, { reason: 'no' })).status).toBe(403);
});

test('markup in any text stays text', async () => {
  desk = await openDesk();
  const { scene } = desk;
  await scene.fund('acme', 1_000_000);
  const evil = '<img src=x onerror=alert(1)>"\'';
  const row = {
    rowKey: 'r1',
    prompt: evil,
    durationSeconds: 5,
    aspectRatio: '16:9',
    style: evil,
    references: [],
  } as const;
  const batchId = await scene.make([row], { manifest: `${evil}.csv` });
  await scene.order(batchId, 'r1');
  await scene.look(batchId, 'r1', 'failed', { error: { code: evil, message: evil } } as never);
  await desk.person('dana', 'finance', 'operator', 'submitter');
  const dana = await desk.browser('dana');
  await dana.send(`/batches/${batchId}/reject`, { reason: evil });
  const text = encodeURIComponent(evil);
  for (const path of [
    '/',
    `/?id=${text}`,
    `/batches/${batchId}`,
    `/batches/${batchId}/plan`,
    `/batches/${text}`,
    `/${text}`,
  ]) {
    const html = await dana.text(path);
    expect(html).not.toContain('<img');
    expect(html).toContain('</html>');
  }
});
