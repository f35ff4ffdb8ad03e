import { afterEach, describe, expect, test } from 'vitest';
import { listAudit } from '../../../ledger/access/audit.js';
import { removePerson } from '../../../ledger/access/people.js';
import { giveSignInCode } from '../../../operations/access/sessions.js';
import { siteAt } from '../../../web/site.js';
import { ada } from '../../ledger/scene.js';
import { openDesk, self, type TestDesk, type TestDeskOptions } from './desk.js';

let desk: TestDesk;
afterEach(() => desk.close());

async function withDana(options: TestDeskOptions = {}) {
  desk = await openDesk(options);
  await desk.person('dana', 'finance');
  return desk.browser('dana');
}

describe('a forged request changes nothing', () => {
  const own = 'http://127.0.0.1:7337';
  type Forged = readonly [what: string, headers: Record<string, string | null>, fields?: Record<string, string>];
  const forged: readonly Forged[] = [
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another site that says it is ours', { 'sec-fetch-site': 'cross-site', origin: own }],
    ['from another port of this machine', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:8000' }],
    ['from an address bar', { 'sec-fetch-site': 'none', origin: null }],
    ['with a foreign Origin', { 'sec-fetch-site': null, origin: 'https://evil.example' }],
    ['with a foreign Origin and a good place', { origin: 'https://evil.example' }],
    ['with Origin null', { 'sec-fetch-site': null, origin: 'null' }],
    ['with Origin null and a good place', { origin: 'null' }],
    ['with neither header', { 'sec-fetch-site': null, origin: null }],
    ['by https from the same name', { 'sec-fetch-site': null, origin: 'https://127.0.0.1:7337' }],
    ['from a name that begins as ours', { 'sec-fetch-site': null, origin: `${own}.evil.example` }],
    ['as JSON', { 'content-type': 'application/json' }],
    ['as text', { 'content-type': 'text/plain' }],
    ['without a type', { 'content-type': null }],
    ['as a form of files', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['without a token', {}, { token: '' }],
    ['with a token that nobody has', {}, { token: 'x'.repeat(43) }],
    ['with a larger form than any of ours', { 'content-length': '2000000' }],
    ['under another host', { host: 'evil.example' }],
    ['under another host, forwarded', { host: 'evil.example', 'x-forwarded-host': '127.0.0.1:7337' }],
  ];

  test.each(forged.map(([what, headers, fields = {}]) => ({ what, headers, fields })))(
    '$what',
    async ({ headers, fields }) => {
      const dana = await withDana();
      const answer = await dana.send('/sign-out', fields, headers);
      expect([403, 415, 421]).toContain(answer.status);
      expect((await dana.get('/')).status).toBe(200); // still signed in
    },
  );

  test("with another session's token", async () => {
    const dana = await withDana();
    await desk.person('lee', 'finance');
    const lee = await desk.browser('lee');
    expect((await dana.send('/sign-out', { token: await lee.token() })).status).toBe(403);
    expect((await dana.get('/')).status).toBe(200);
  });

  test('and our own form passes, also under a base path', async () => {
    for (const publicUrl of [own, 'https://desk.example/gl']) {
      const dana = await withDana({ publicUrl });
      expect((await dana.get('/')).status).toBe(200);
      const answer = await dana.send('/sign-out');
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${siteAt(publicUrl).basePath}/sign-in`]);
      expect((await dana.get('/')).status).toBe(303);
      if (publicUrl === own) await desk.close();
    }
  });
});

describe('sign-in', () => {
  test('a code is good once, however it is written, and for ten minutes', async () => {
    await withDana();
    const stranger = desk.stranger();
    const { code } = await giveSignInCode(desk.deps, { name: 'dana', actor: ada });
    expect((await stranger.get(`/sign-in?code=${code}`)).status).toBe(200); // a look uses nothing up
    expect((await stranger.send('/sign-in', { code: code.toLowerCase().replaceAll('-', ' ') })).status).toBe(303);
    expect((await stranger.send('/sign-in', { code })).status).toBe(401);
    const late = await giveSignInCode(desk.deps, { name: 'dana', actor: ada });
    desk.scene.nowMs = late.untilMs;
    expect((await stranger.send('/sign-in', { code: late.code })).status).toBe(401);
  });

  test('tries are limited, and in the audit', async () => {
    await withDana();
    const stranger = desk.stranger();
    const answers: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) {
      answers.push((await stranger.send('/sign-in', { code: 'AAAA' })).status);
    }
    expect(answers.filter((status) => status === 401)).toHaveLength(10);
    expect(answers.at(-1)).toBe(429);
    const refused = await listAudit(desk.deps.ledger, { limit: 20 });
    expect(refused.some(({ act }) => act === 'token_refused')).toBe(true);
  });

  test('a session ends with the next request once its person is removed', async () => {
    const dana = await withDana();
    await removePerson(desk.deps.ledger, { name: 'dana', actor: ada, nowMs: desk.scene.nowMs });
    expect((await dana.get('/')).headers.get('location')).toBe('/sign-in');
  });

  test('a session ends after twelve hours, and a sign-out ends it at once', async () => {
    const dana = await withDana();
    const other = await desk.browser('dana');
    await other.send('/sign-out');
    expect((await other.get('/')).status).toBe(303);
    desk.scene.nowMs += 12 * 3_600_000;
    expect((await dana.get('/')).status).toBe(303);
  });

  test('nobody but an admin or the person gets a code', async () => {
    await withDana();
    const dana = { name: 'dana', roles: ['finance'], channel: 'terminal' } as const;
    await expect(giveSignInCode(desk.deps, { name: 'ada', actor: dana })).rejects.toThrow(/admin role/);
    await expect(giveSignInCode(desk.deps, { name: 'nobody', actor: ada })).rejects.toThrow(/no one of that name/);
    expect((await giveSignInCode(desk.deps, { name: 'dana', actor: dana })).code).toMatch(/^(\w{4}-){2}\w{4}$/);
  });

  test('who works alone signs in on this machine only, until somebody is registered', async () => {
    desk = await openDesk();
    const alone = await desk.browser();
    expect(await alone.text('/')).toContain('works alone');
    const elsewhere = await openDesk({ publicUrl: 'https://desk.example', deps: { ledger: desk.deps.ledger } });
    const { code } = await giveSignInCode(desk.deps, { name: self.name, actor: self });
    const answer = await elsewhere.stranger().send('/sign-in', { code });
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect((await elsewhere.stranger().get('/', { cookie })).status).toBe(303);
    await elsewhere.close();
    await desk.person('ada', 'admin');
    expect((await alone.get('/')).status).toBe(303);
  });

  test('leads back to the page that was wanted, and nowhere else', async () => {
    await withDana();
    const stranger = desk.stranger();
    expect((await stranger.get('/batches/a-1')).headers.get('location')).toBe('/sign-in?to=%2Fbatches%2Fa-1');
    const filtered = await stranger.get('/batches/a-1?state=failed&id=b');
    expect(filtered.headers.get('location')).toBe('/sign-in?to=%2Fbatches%2Fa-1%3Fstate%3Dfailed%26id%3Db');
    const sent = await stranger.send('/sign-out', {}, { referer: `${desk.url}/budgets?x=1` });
    expect(sent.headers.get('location')).toBe('/sign-in?to=%2Fbudgets%3Fx%3D1');
    const refused = await stranger.send('/sign-out', {}, { referer: `${desk.url}/batches/a-1/approve` });
    expect(refused.headers.get('location')).toBe('/sign-in?to=%2Fbatches%2Fa-1%2Fplan');
    for (const [to, ends] of [
      ['/batches/a-1', '/batches/a-1'],
      ['//evil.example', '/'],
      ['https://evil.example', '/'],
      ['/\\evil.example', '/'],
    ] as const) {
      const { code } = await giveSignInCode(desk.deps, { name: 'dana', actor: ada });
      expect((await stranger.send('/sign-in', { code, to })).headers.get('location')).toBe(ends);
    }
  });
});

test('what somebody wrote in a form is not lost with their sign-in', async () => {
  const dana = await withDana();
  const fields = { reason: '<b>the logo</b> is wrong', amount: '3.00', token: 'of another sign-in' };
  const another = await dana.send('/batches/a-1/pause', fields);
  expect(another.status).toBe(403);
  await dana.send('/sign-out');
  const ended = await dana.send('/batches/a-1/pause', fields, { referer: `${desk.url}/batches/a-1/pause` });
  expect(ended.status).toBe(401);
  for (const html of [await another.text(), await ended.clone().text()]) {
    expect(html).toMatch(/What you wrote<textarea[^>]*>&lt;b&gt;the logo&lt;\/b&gt; is wrong<\/textarea>/);
    expect(html).not.toContain('3.00');
  }
  expect(await ended.text()).toContain('href="/sign-in?to=%2Fbatches%2Fa-1%2Fpause"');
});

test('pages are framed, cached and styled by nobody else', async () => {
  const dana = await withDana({ publicUrl: 'https://desk.example' });
  const { headers } = await dana.get('/');
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(headers.get('referrer-policy')).toBe('same-origin'); // else browsers send our own forms with Origin: null
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('strict-transport-security')).not.toContain('includeSubDomains');
  expect(dana.cookie).toMatch(/^__Host-/);
});

test('plain http is for this machine alone', async () => {
  desk = await openDesk();
  expect(() => siteAt('http://desk.example')).toThrow(/plain http is for this machine alone/);
  expect(siteAt('http://localhost:7337').isLoopback).toBe(true);
});
