import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addPerson } from '../../../ledger/access/people.js';
import { ada } from '../../ledger/scene.js';
import { openDesk, type TestDesk } from '../desk/desk.js';

let desk: TestDesk;
let token: string;
beforeEach(async () => {
  desk = await openDesk({ publicUrl: 'https://desk.example/gl' });
  await desk.person('ada');
  ({ token } = await addPerson(desk.deps.ledger, { name: 'ro', roles: ['operator'], actor: ada, nowMs: 1 }));
});
afterEach(() => desk.close());

const at = (path: string, headers: Record<string, string> = {}) => desk.stranger().get(`/api/v1${path}`, headers);

describe('the interface of the desk', () => {
  test('is there for a token, and for no session of a browser', async () => {
    const answer = await at('/whoami', { authorization: `Bearer ${token}` });
    expect([answer.status, await answer.json()]).toMatchObject([200, { name: 'ro', roles: ['operator'] }]);
    const browser = await desk.browser('ada');
    expect((await browser.get('/api/v1/whoami')).status).toBe(401);
    expect((await browser.get('/api/v1/nothing')).headers.get('content-type')).toBe('application/problem+json');
  });

  test('takes no foreign host', async () => {
    expect((await at('/openapi.json', { host: 'evil.example' })).status).toBe(421);
  });

  test('says in its document and on its page where it is', async () => {
    expect(await (await at('/openapi.json')).json()).toMatchObject({ servers: [{ url: '/gl/api/v1' }] });
    const page = await at('/docs');
    expect(await page.text()).toContain('<link rel="stylesheet" href="/gl/api/v1/docs.css"/>');
    expect(page.headers.get('content-security-policy')).toContain("style-src 'self'");
    expect((await at('/docs.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
  });
});
