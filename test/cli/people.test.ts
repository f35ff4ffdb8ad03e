import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPlace, type Place } from './terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const as = (token: string) => ({ env: { GREENLIGHT_TOKEN: token }, columns: 200 });

describe('tokens', () => {
  test('whoami: alone, without a token, and with one that expires', async () => {
    expect((await place.run(['whoami'])).out).toContain('every role: nobody is registered');
    const ada = (await place.run(['people', 'add', 'ada', '--role', 'admin'])).out.trim();
    expect(await place.run(['whoami'], { columns: 200 })).toMatchObject({
      ...{ code: 3, err: expect.stringContaining('set GREENLIGHT_TOKEN to the token you were given') },
    });
    const added = await place.run(
      ['people', 'add', 'lee', '--role', 'finance', '--role', 'auditor', '--expires', '90', '--json'],
      as(ada),
    );
    const lee = JSON.parse(added.out) as { readonly token: string; readonly expires_at: string };
    expect((await place.run(['whoami'], as(lee.token))).out).toMatch(/^lee, finance, auditor; token expires at 20/);
    const who = await place.run(['whoami', '--json'], as(lee.token));
    expect(JSON.parse(who.out)).toEqual({
      ...{ name: 'lee', roles: ['finance', 'auditor'], registration: 'people', expires_at: lee.expires_at },
    });
  });

  test('are renewed by their owner or an admin; a try with the one before is refused and audited', async () => {
    const ada = (await place.run(['people', 'add', 'ada', '--role', 'admin', '--role', 'auditor'])).out.trim();
    const first = (await place.run(['people', 'add', 'lee', '--role', 'finance'], as(ada))).out.trim();
    const second = (await place.run(['people', 'token', 'lee'], as(first))).out.trim();
    expect(second).toMatch(/^glt_/);
    expect(await place.run(['whoami'], as(first))).toMatchObject({
      ...{ code: 3, err: expect.stringContaining('not the token of a registered person') },
    });
    expect((await place.run(['whoami'], as(second))).out).toContain('lee, finance');
    const other = await place.run(['people', 'token', 'ada'], as(second));
    expect(other.err).toContain('Cannot renew the token of ada: lee does not have the admin role');
    expect(await place.run(['people', 'token', 'lee', '--expires', '0'], as(ada))).toMatchObject({ code: 2 });
    const audit = await place.run(['audit', 'list'], { ...as(ada), columns: 300 });
    expect(audit.out).toMatch(/token refused +token/);
  });
});

test('a refusal names what was tried, by whom, and which role it takes', async () => {
  const ada = (await place.run(['people', 'add', 'ada', '--role', 'admin'])).out.trim();
  const lee = (await place.run(['people', 'add', 'lee', '--role', 'finance'], as(ada))).out.trim();
  const tried = async (token: string, ...args: readonly string[]) => (await place.run(args, as(token))).err.trim();
  expect(await tried(lee, 'people', 'remove', 'nobody-here')).toBe(
    'Cannot remove nobody-here: lee does not have the admin role; ada may',
  );
  expect(await tried(lee, 'policy', 'set', 'approval-days', '3')).toBe(
    'Cannot change the policy: lee does not have the admin role; ada may',
  );
  expect(await tried(ada, 'budget', 'set', 'acme', '5USD')).toBe(
    'Cannot set budget acme: ada does not have the finance role; lee may',
  );
});
