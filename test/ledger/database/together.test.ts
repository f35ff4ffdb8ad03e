import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommitUncertainError } from '../../../ledger/database/outage.js';
import { alone, type Together, together } from '../../../ledger/database/together.js';
import type { Ledger } from '../../../ledger/ledger.js';
import { sqliteDatabases } from '../databases.js';

const databases = sqliteDatabases();
let ledger: Ledger;
beforeEach(async () => {
  ledger = (await databases.open()).ledger;
});
afterEach(() => databases.clear());

interface Ask {
  readonly batch: string;
  readonly row: string;
}

const asks = (rows: string, batch = 'b'): readonly Ask[] => [...rows].map((row) => ({ batch, row }));

/** Writes each row to the books as a budget, so that what was undone is seen. */
function recording(serve: (ask: Ask, count: number) => string | typeof alone, lock = async () => {}) {
  const served: string[] = [];
  const options: Together<Ask, string, void> = {
    ...{ durable: false, keyOf: ({ batch }) => batch, namesOf: ({ row }) => [row], lock },
    serve: async (tx, some) => {
      served.push(some.map(({ row }) => row).join(''));
      const answers = some.map((ask) => serve(ask, some.length));
      const kept = some.filter((_, index) => answers[index] !== alone);
      for (const { batch, row } of kept) {
        await tx
          .insertInto('campaigns')
          .values({ campaign: `${batch} ${row} ${served.length}`, last_number: 0 })
          .execute();
      }
      return answers;
    },
  };
  return { ask: together(options), served };
}

async function written(): Promise<readonly string[]> {
  const rows = await ledger.db.selectFrom('campaigns').select('campaign').orderBy('campaign').execute();
  return rows.map(({ campaign }) => campaign);
}

test('asks of one moment share a transaction, those of another batch have their own', async () => {
  const { ask, served } = recording(({ row }) => row.toUpperCase());
  const answers = await Promise.all([...asks('abc'), ...asks('x', 'other')].map((one) => ask(ledger, one)));
  expect(answers).toEqual(['A', 'B', 'C', 'X']);
  expect(served).toEqual(['abc', 'x']);
});

test('what comes while a transaction runs is served by the next one', async () => {
  const first = asks('a');
  const late: Promise<string>[] = [];
  const { ask, served } = recording(({ row }) => {
    if (row === 'a') late.push(...asks('bc').map((one) => ask(ledger, one)));
    return row;
  });
  await Promise.all(first.map((one) => ask(ledger, one)));
  expect(await Promise.all(late)).toEqual(['b', 'c']);
  expect(served).toEqual(['a', 'bc']);
});

test('what comes while the lock is waited for is served under it', async () => {
  const late: Promise<string>[] = [];
  const { ask, served } = recording(
    ({ row }) => row,
    async () => {
      if (late.length === 0) late.push(...asks('bc').map((one) => ask(ledger, one)));
    },
  );
  await Promise.all(asks('a').map((one) => ask(ledger, one)));
  expect(await Promise.all(late)).toEqual(['b', 'c']);
  expect(served).toEqual(['abc']);
});

test('each of those who asked hears of a lock that cannot be had, and whoever asks later is served', async () => {
  let locks = 0;
  const { ask, served } = recording(
    ({ row }) => row,
    async () => {
      locks += 1;
      if (locks === 1) throw new Error('no such batch');
    },
  );
  const answers = await Promise.allSettled(asks('ab').map((one) => ask(ledger, one)));
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all(asks('c').map((one) => ask(ledger, one)))).toEqual(['c']);
  expect(served).toEqual(['c']);
});

test('two asks that share a name are served one after the other', async () => {
  const { ask, served } = recording(({ row }) => row);
  await Promise.all([...asks('ab'), ...asks('ac')].map((one) => ask(ledger, one)));
  expect(served).toEqual(['ab'.concat('c'), 'a']);
});

test('where one of them is refused all are undone and served apart: the refusal is its own', async () => {
  const { ask, served } = recording(({ row }) => {
    if (row === 'b') throw new Error('no room for b');
    return row;
  });
  const answers = await Promise.allSettled(asks('abc').map((one) => ask(ledger, one)));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(answers[1]).toMatchObject({ reason: { message: 'no room for b' } });
  expect(await written()).toHaveLength(2);
  expect(served[0]).toBe('abc');
});

test('an answer that is to be alone is served again by itself, and the others stay', async () => {
  const { ask, served } = recording(({ row }, count) => (row === 'b' && count > 1 ? alone : row));
  expect(await Promise.all(asks('abc').map((one) => ask(ledger, one)))).toEqual(['a', 'b', 'c']);
  expect(served).toEqual(['abc', 'b']);
  expect(await written()).toEqual(['b a 1', 'b b 2', 'b c 1']);
});

test('of a commit that may have been made nothing is done again, and each hears of it', async () => {
  const { ask, served } = recording(({ row }) => row);
  const uncertain: Ledger = {
    ...ledger,
    write: async (work, options) => {
      await ledger.write(work, options);
      throw new CommitUncertainError('the connection ended during the commit');
    },
  };
  const answers = await Promise.allSettled(asks('abc').map((one) => ask(uncertain, one)));
  expect(answers.map((answer) => answer.status === 'rejected' && answer.reason)).toEqual(
    Array(3).fill(expect.any(CommitUncertainError)),
  );
  expect(served).toEqual(['abc']);
});

test('a database that is away is heard of by all who asked, and the next asks are served', async () => {
  const { ask } = recording(({ row }) => row);
  let isAway = true;
  const away: Ledger = {
    ...ledger,
    write: (work, options) => (isAway ? Promise.reject(new Error('it is away')) : ledger.write(work, options)),
  };
  const refused = await Promise.allSettled(asks('ab').map((one) => ask(away, one)));
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await Promise.all(asks('cd').map((one) => ask(away, one)))).toEqual(['c', 'd']);
});
