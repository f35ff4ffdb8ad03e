import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addPerson } from '../../ledger/access/people.js';
import { ada } from '../ledger/scene.js';
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

test('a token that opens nothing any more is refused with whose it was, and the command that gives another', async () => {
  const day = 24 * 3_600_000;
  const registered = await addPerson(place.ledger, { name: 'ada', roles: ['admin'], actor: ada, nowMs: Date.now() });
  const times = { nowMs: Date.now() - 2 * day, tokenExpiresAtMs: Date.now() - day };
  const add = (name: string, more: object) =>
    addPerson(place.ledger, { name, roles: ['finance'], actor: ada, nowMs: Date.now(), ...more });
  const [dana, lee] = [await add('dana', times), await add('lee', {})];
  await place.run(['people', 'remove', 'lee'], as(registered.token));
  const refusals = [
    [
      { columns: 200 },
      'set GREENLIGHT_TOKEN to the token you were given, or ask an admin for another: greenlight people token <name>',
    ],
    [
      as('glt_other'),
      'is not the token of a registered person, or was replaced; ask an admin for another: greenlight people token <name>',
    ],
    [
      as(dana.token),
      'Cannot act: the token of dana has expired; ask an admin for another: greenlight people token dana',
    ],
    [as(lee.token), 'GREENLIGHT_TOKEN is of lee, who was removed; an admin registers people: greenlight people add'],
  ] as const;
  for (const [options, words] of refusals) {
    const { err, code } = await place.run(['whoami'], options);
    expect([code, err]).toEqual([3, expect.stringContaining(words)]);
  }
  const list = (await place.run(['people', 'list'], as(registered.token))).out;
  expect(list).toMatch(/^dana .*token expired at 20/m);
  const given = await place.run(['people', 'token', 'dana', '--expires', '30'], as(registered.token));
  expect(given.err).toMatch(/They use it by: export GREENLIGHT_TOKEN=<token>, until 20/);
  expect((await place.run(['whoami'], as(given.out.trim()))).out).toMatch(/^dana, finance; token expires at 20/);
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
