import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Kysely } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { SharedCommits } from '../../../ledger/database/group-commit.js';
import { createSqliteDialect } from '../../../ledger/database/sqlite-dialect.js';
import type { Tables } from '../../../ledger/database/tables.js';

const opened: Database.Database[] = [];
afterEach(() => {
  for (const database of opened.splice(0)) database.close();
});

function openCommits() {
  const database = new Database(':memory:');
  opened.push(database);
  database.exec('create table services (service_no integer primary key, name text not null)');
  const commits = new SharedCommits((durable) => new Kysely<Tables>({ dialect: counting({ database, durable }) }));
  let begun = 0;
  function counting(options: Parameters<typeof createSqliteDialect>[0]) {
    return createSqliteDialect({
      ...options,
      durable: () => {
        begun += 1;
        return options.durable();
      },
    });
  }
  const add = (name: string) =>
    commits.write(async (tx) => {
      await tx
        .insertInto('services')
        .values({ name } as never)
        .execute(); // a narrower table than the ledger's
      if (name === 'refused') throw new Error('refused');
      return name;
    }, false);
  const names = () => database.prepare('select name from services order by service_no').pluck().all();
  return { add, names, transactions: () => begun };
}

test('works that arrive by separate callbacks of one turn share a transaction', async () => {
  const { add, names, transactions } = openCommits();
  const asked = ['a', 'b', 'c'].map(
    (name) => new Promise<string>((resolve, reject) => setImmediate(() => void add(name).then(resolve, reject))),
  );
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c']);
  expect(names()).toEqual(['a', 'b', 'c']);
  expect(transactions()).toBe(1);
});

test('works that arrive after the answer of the one before get a transaction each', async () => {
  const { add, transactions } = openCommits();
  await add('a');
  await sleep(0);
  await add('b');
  expect(transactions()).toBe(2);
});

test('one that is refused leaves no trace and does not harm those beside it', async () => {
  const { add, names, transactions } = openCommits();
  const [first, second, third] = await Promise.allSettled([add('a'), add('refused'), add('c')]);
  expect([first?.status, second?.status, third?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(names()).toEqual(['a', 'c']);
  expect(transactions()).toBe(2);
});

test('more works than one commit carries are spread over several, in their order', async () => {
  const { add, names, transactions } = openCommits();
  const all = Array.from({ length: 150 }, (_, number) => `work ${number}`);
  await Promise.all(all.map(add));
  expect(names()).toEqual(all);
  expect(transactions()).toBe(3);
});
