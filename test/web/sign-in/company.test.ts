import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { removePerson } from '../../../ledger/access/people.js';
import { ada } from '../../ledger/scene.js';
import { openDesk, type TestDesk } from '../desk/desk.js';
import { openProvider, signInThere, type TestProvider } from './company-provider.js';

const publicUrl = 'http://127.0.0.1:7337';
let provider: TestProvider;
let desk: TestDesk;
beforeAll(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {}); // the provider's own words about being for tests
  vi.spyOn(console, 'info').mockImplementation(() => {});
  provider = await openProvider(`${publicUrl}/sign-in/company/back`);
});
afterAll(async () => {
  vi.restoreAllMocks();
  provider.server.closeAllConnections();
  await new Promise((resolve) => provider.server.close(resolve));
});
beforeEach(async () => {
  desk = await openAt(provider.issuer);
  await desk.person('Dana@acme.example', 'finance');
});
afterEach(() => desk.close());

function openAt(issuer: string): Promise<TestDesk> {
  const company = { issuer, clientId: 'desk', clientSecret: 'secret-of-this-test' };
  return openDesk({ publicUrl, deps: { company } });
}

/** Leaves for the provider; the cookie is what the browser comes back with. */
async function depart(to = '/'): Promise<{ readonly url: string; readonly cookie: string }> {
  const answer = await desk.stranger().get(`/sign-in/company?to=${encodeURIComponent(to)}`);
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { url: answer.headers.get('location') ?? '', cookie };
}

const back = (query: string, cookie: string) => desk.stranger().get(`/sign-in/company/back?${query}`, { cookie });
const sessions = () => desk.deps.ledger.db.selectFrom('sessions').selectAll().execute();

describe('a sign-in by the company', () => {
  test('is of the person who is registered by the verified address, and leads to where they wanted to go', async () => {
    expect(await desk.stranger().text('/sign-in')).toContain('Sign in by your company');
    const { url, cookie } = await depart('/budgets');
    const asked = new URL(url).searchParams;
    expect([asked.get('code_challenge_method'), asked.get('state'), asked.get('nonce')]).toEqual([
      'S256',
      expect.stringMatching(/.{20}/),
      expect.stringMatching(/.{20}/),
    ]);
    const arrived = await signInThere(url, 'dana');
    const answer = await back(arrived.search.slice(1), cookie);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/budgets']);
    const session = answer.headers.getSetCookie().find((one) => one.startsWith('greenlight-7337='));
    const page = await desk.stranger().get('/', { cookie: session?.split(';')[0] ?? '' });
    expect(await page.text()).toContain('<b>Dana@acme.example</b>');
  });

  test('is proved at the time that the provider says, and is asked for anew where somebody signs in again', async () => {
    const proved = async () => (await sessions()).map(({ proved_ms }) => proved_ms);
    const { url, cookie } = await depart();
    expect(new URL(url).searchParams.get('max_age')).toBe(String(12 * 60 * 60));
    desk.scene.nowMs = Date.now() + 60_000;
    await back((await signInThere(url, 'dana')).search.slice(1), cookie);
    const [at] = await proved();
    expect(at).toBeGreaterThan(Date.now() - 60_000);
    expect(at).toBeLessThanOrEqual(Date.now());
    const answer = await desk.stranger().get('/sign-in/company?to=%2F&again=yes');
    const asked = new URL(answer.headers.get('location') ?? '').searchParams;
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '600']);
  });

  test('is of nobody who is not registered, was removed, or whose address is not verified', async () => {
    await desk.person('unverified@acme.example', 'finance');
    await desk.person('gone@acme.example', 'finance');
    await removePerson(desk.deps.ledger, { name: 'gone@acme.example', actor: ada, nowMs: desk.scene.nowMs });
    for (const [login, words] of [
      ['mallory', 'greenlight people add mallory@acme.example'],
      ['gone', 'Nobody is registered by this address'],
      ['unverified', 'Your e-mail address is not verified'],
    ] as const) {
      const { url, cookie } = await depart();
      const answer = await back((await signInThere(url, login)).search.slice(1), cookie);
      expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining(words)]);
    }
    expect(await sessions()).toEqual([]);
  });

  test('takes no answer of another state, without its own browser, or a second time', async () => {
    const { url, cookie } = await depart();
    const query = (await signInThere(url, 'dana')).searchParams;
    const forged = new URLSearchParams({ ...Object.fromEntries(query), state: 'forged' });
    expect((await back(forged.toString(), cookie)).status).toBe(401);
    expect((await back(query.toString(), '')).status).toBe(400);
    expect((await back(query.toString(), (await depart()).cookie)).status).toBe(401); // another departure's
    expect(await sessions()).toEqual([]);
    expect((await back(query.toString(), cookie)).status).toBe(303);
    expect((await back(query.toString(), cookie)).status).toBe(401);
    expect(await sessions()).toHaveLength(1);
  });

  test('of another nonce, or without the proof of its departure, is none', async () => {
    const { url, cookie } = await depart();
    const query = (await signInThere(url, 'dana')).search.slice(1);
    const kept = JSON.parse(decodeURIComponent(cookie.split('=')[1] ?? '')) as Record<string, string>;
    for (const other of [{ nonce: 'another' }, { verifier: 'x'.repeat(43) }]) {
      const changed = encodeURIComponent(JSON.stringify({ ...kept, ...other }));
      expect((await back(query, `greenlight-company=${changed}`)).status).toBe(401);
    }
    expect(await sessions()).toEqual([]);
  });

  test('goes nowhere but to the desk', async () => {
    for (const to of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const { url, cookie } = await depart(to);
      const answer = await back((await signInThere(url, 'dana')).search.slice(1), cookie);
      expect(answer.headers.get('location')).toBe('/');
    }
  });

  test('where the provider is away says so, and works again once it is back', async () => {
    await desk.close();
    desk = await openAt('http://127.0.0.1:9');
    const answer = await desk.stranger().get('/sign-in/company');
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('does not answer')]);
    expect(desk.faults).toHaveLength(1);
  });
});

test('without a company nobody comes in that way', async () => {
  await desk.close();
  desk = await openDesk({ publicUrl });
  expect(await desk.stranger().text('/sign-in')).not.toContain('company');
  expect((await desk.stranger().get('/sign-in/company')).status).toBe(303); // to the sign-in page
});
