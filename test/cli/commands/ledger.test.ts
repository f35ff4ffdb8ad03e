import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../home/free-port.js';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

test('ledger migrate says what was applied', async () => {
  expect(await place.run(['ledger', 'migrate'])).toMatchObject({
    out: `${place.folder}/home/ledger.db: up to date, nothing to do\n`,
    code: 0,
  });
  const { out } = await place.run(['ledger', 'migrate', '--home', `${place.folder}/new`, '--json']);
  expect(JSON.parse(out)).toMatchObject({ applied: expect.arrayContaining(['0001-start']) });
});

test('a program that is older than its ledger says so in one line, and ends with 4', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9000-later', '2030-01-01')`.execute(
    place.ledger.db,
  );
  for (const command of [['status'], ['ledger', 'migrate']]) {
    const { err, code } = await place.run(command);
    expect(err).toMatch(/^Cannot use the ledger: its tables are of version 9000-later, which is newer .*\n$/);
    expect(code).toBe(4);
  }
});

test('a PostgreSQL ledger that cannot be reached names its setting, and ends with 4', async () => {
  const url = `postgres://nobody@127.0.0.1:${await freePort()}/ledger`;
  const { err, code } = await place.run(['status'], { env: { GREENLIGHT_DATABASE_URL: url } });
  expect(err).toMatch(/^Cannot reach the ledger: ECONNREFUSED .*; check GREENLIGHT_DATABASE_URL, .*\n$/);
  expect(code).toBe(4);
});

test.each(['run', 'submit', 'worker'])('%s: the built-in studio is none for a PostgreSQL ledger', async (command) => {
  const sheet = command === 'worker' ? [] : ['-'];
  const env = { GREENLIGHT_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/ledger' };
  const { err, code } = await place.run([command, ...sheet], { env });
  expect(err).toMatch(/^Cannot use the built-in studio with a PostgreSQL ledger: .* set MOVIE_API_URL/m);
  expect(code).toBe(2);
});
