import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { waitForBatch } from '../../../ledger/batches/batch-record.js';
import { inOneJourney } from '../../../ledger/database/one-journey.js';
import { type Ledger, openLedger } from '../../../ledger/ledger.js';
import { type Databases, postgresDatabases, sqliteDatabases } from '../databases.js';
import { setTheScene } from '../scene.js';

const serverUrl = process.env.GREENLIGHT_TEST_POSTGRES_URL ?? '';

/** What two of three queries wrote is not there after the third one's transaction, and none of them came after its end. */
async function undone(ledger: Ledger): Promise<void> {
  const write = (name: string) => sql`insert into campaigns values (${name}, 0)`;
  const refused = ledger.write((tx) =>
    inOneJourney([write('a').execute(tx), write('a').execute(tx), write('b').execute(tx), write('c').execute(tx)]),
  );
  await expect(refused).rejects.toThrow(/unique/i);
  await ledger.write(async (tx) => {
    await inOneJourney([write('d').execute(tx), write('e').execute(tx)]);
  });
  const { rows } = await sql<{ name: string }>`select campaign as name from campaigns order by campaign`.execute(
    ledger.db,
  );
  expect(rows.map(({ name }) => name)).toEqual(['d', 'e']);
}

test('of queries that go together the first refusal is thrown, once all have ended', async () => {
  const ended: string[] = [];
  const after = async (turns: number, what: string) => {
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    ended.push(what);
    if (what.startsWith('refused')) throw new Error(what);
    return what;
  };
  const asked = inOneJourney([after(3, 'a'), after(9, 'refused first'), after(1, 'refused second'), after(20, 'b')]);
  await expect(asked).rejects.toThrow('refused first');
  expect(ended).toEqual(['refused second', 'a', 'refused first', 'b']);
  expect(await inOneJourney([after(2, 'x'), after(1, 'y')])).toEqual(['x', 'y']);
});

test('where one is refused nothing stays of the others (SQLite)', async () => {
  const databases = sqliteDatabases();
  await undone((await databases.open()).ledger);
  await databases.clear();
});

describe.skipIf(serverUrl === '')('on PostgreSQL', () => {
  let opened: Databases | undefined;
  const databases = () => {
    opened ??= postgresDatabases(serverUrl);
    return opened;
  };
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    await opened?.clear();
  });
  afterAll(() => opened?.remove());

  /** A ledger, and who spoke on the way to its server: what one side says before the other answers is said once. */
  async function overheard() {
    const { url } = await databases().open();
    const { hostname: host, port } = new URL(url);
    const said: ('asked' | 'answered')[] = [];
    const hear = (what: 'asked' | 'answered') => () => {
      if (said.at(-1) !== what) said.push(what);
    };
    const server = createServer((socket) => {
      const upstream = connect({ host, port: Number(port) });
      socket.on('data', hear('asked')).on('error', () => undefined);
      upstream.on('data', hear('answered')).on('error', () => undefined);
      socket.pipe(upstream).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const way = Object.assign(new URL(url), { hostname: '127.0.0.1' });
    way.port = String((server.address() as AddressInfo).port); // a TCP server's address is always an object
    vi.useFakeTimers({ toFake: ['setInterval'] }); // nobody asks for the time in between
    const ledger = await openLedger({ url: way.toString() });
    cleanups.push(async () => {
      server.close();
      await ledger.close();
      vi.useRealTimers();
    });
    const journeysOf = async (work: () => Promise<unknown>) => {
      await ledger.db.selectFrom('ledger').select('ledger_id').execute(); // nothing is left to be said
      said.length = 0;
      await work();
      return said.filter((what) => what === 'asked').length;
    };
    return { ledger, journeysOf };
  }

  test('where one is refused nothing stays of the others', async () => {
    await undone((await databases().open()).ledger);
  });

  test('queries that go together make one journey, those that wait for each other one each', async () => {
    const { ledger, journeysOf } = await overheard();
    const ask = (tx: Ledger['db'], value: string) => sql`select ${value}::text as value`.execute(tx);
    const together = () =>
      ledger.write((tx) => inOneJourney(['a', 'b', 'c', 'd', 'e', 'f'].map((value) => ask(tx, value))));
    const apart = () =>
      ledger.write(async (tx) => {
        for (const value of ['a', 'b', 'c', 'd', 'e', 'f']) await ask(tx, value);
      });
    // The begin and the commit beside them.
    expect([await journeysOf(together), await journeysOf(apart)]).toEqual([3, 8]);
  });

  test('an admission makes six journeys however many rows share it: begin, lock, look, take, record, commit', async () => {
    const { ledger, journeysOf } = await overheard();
    const scene = setTheScene(ledger);
    await scene.fund('acme', 1_000_000);
    const batchId = await scene.make(['r1', 'r2', 'r3', 'r4']);
    await scene.admit(batchId, 'r4');
    expect(await journeysOf(() => Promise.all(['r1', 'r2', 'r3'].map((row) => scene.admit(batchId, row))))).toBe(6);
  });

  test('who waits for a batch stands in a queue, so nobody who comes later is served first', async () => {
    const { ledger } = await databases().open();
    const scene = setTheScene(ledger);
    await scene.fund('acme', 1_000_000);
    const batchId = await scene.make(['r1']);
    const waiting = async (count: number) => {
      const query = sql<{ n: number }>`select count(*) as n from pg_locks where locktype = 'advisory' and not granted`;
      while (Number((await query.execute(ledger.db)).rows[0]?.n) !== count) await Promise.resolve();
    };
    const served: number[] = [];
    const later: Promise<unknown>[] = [];
    await ledger.write(async (tx) => {
      await waitForBatch(tx, batchId);
      for (const nth of [1, 2, 3]) {
        const work = async (own: typeof tx) => {
          await waitForBatch(own, batchId);
          served.push(nth);
        };
        later.push(ledger.write(work));
        await waiting(nth);
      }
    });
    await Promise.all(later);
    expect(served).toEqual([1, 2, 3]);
  });
});
