import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { countRows } from '../../ledger/batches/rows.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { startS3Server, whyNoServer } from '../archive/s3/s3-server.js';
import { brokenPromises } from '../oracle.js';
import { builtProgram } from '../whole/build.js';
import { booksIn, type Environment, type Home, makeHome } from '../whole/home.js';
import { peopleOf } from '../whole/people.js';
import { nextVersion } from './next-version.js';
import { type KeptWorker, keepStudio, keepTemporal, keepWorker, serviceKey } from './parts.js';
import { fleetDatabase } from './postgres-server.js';

const serverUrl = process.env.GREENLIGHT_TEST_POSTGRES_URL ?? '';
const rowCount = Number(process.env.GREENLIGHT_FLEET_ROWS ?? 300);
const minutes = 60_000;
/** So that rows are in the making all the while. */
const ordersPerSecond = Math.max(1, rowCount / 200);
const main = await builtProgram();

interface Archive {
  readonly env: Environment;
  /** Its movies as files, for who judges them. */
  readonly folder: string;
  readonly words: string;
}

async function archiveOf(home: Home): Promise<Archive> {
  const why = whyNoServer('versitygw');
  if (why !== null) {
    const env = { GREENLIGHT_ARCHIVE_URL: `file:${home.archive}` };
    return { env, folder: home.archive, words: `the archive is a folder, since ${why}` };
  }
  const server = await startS3Server('versitygw');
  onTestFinished(() => server.stop());
  const env = { ...server.env, GREENLIGHT_ARCHIVE_URL: 's3://movies/fleet' };
  return { env, folder: join(server.folder, 'fleet'), words: 'the archive is a bucket of versitygw' };
}

async function delivered(ledger: Ledger, batch: string, count: number): Promise<void> {
  await vi.waitFor(async () => expect((await countRows(ledger, batch)).delivered ?? 0).toBeGreaterThanOrEqual(count), {
    ...{ timeout: 10 * minutes, interval: 250 },
  });
}

async function sheetOf(home: Home): Promise<string> {
  const rows = Array.from({ length: rowCount }, (_, n) => `row-${n},A ferry leaves quay ${n} at dawn,5`);
  return home.sheet(`id,prompt,duration_seconds\n${rows.join('\n')}\n`);
}

describe.skipIf(serverUrl === '')(
  'a fleet of three workers, PostgreSQL, Temporal, a bucket and a movie service',
  () => {
    test(
      'one batch, every part killed or away under it and all workers replaced by another version',
      { timeout: 60 * minutes },
      async () => {
        const home = await makeHome();
        const archive = await archiveOf(home);
        const [database, temporal, studio] = [
          await fleetDatabase(serverUrl),
          await keepTemporal(home, serverUrl),
          await keepStudio(home, 2),
        ];
        console.log(`${rowCount} rows; ${temporal.words}; ${archive.words}`);
        const env = {
          ...archive.env,
          GREENLIGHT_DATABASE_URL: database.url,
          GREENLIGHT_ORDERS_PER_SECOND: String(ordersPerSecond),
          TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
          MOVIE_API_URL: `http://127.0.0.1:${studio.port}/v1`,
          MOVIE_API_KEY: serviceKey,
        };
        const migrated = await home.run(['ledger', 'migrate'], env);
        expect(migrated.code, migrated.stderr).toBe(0);
        const { ana, fin } = await peopleOf(home, env);
        const workers: KeptWorker[] = [];
        for (const name of ['one', 'two', 'three']) workers.push(await keepWorker(home, { name, env, program: main }));
        const next = await nextVersion(main);
        const ledger = await openLedger({ url: database.url, onOutage: () => undefined });
        onTestFinished(() => ledger.close());
        const { batch } = await home.json<{ batch: string }>(['submit', await sheetOf(home), '--budget', 'sheet'], {
          env: { ...env, ...ana },
        });
        const approved = await home.run(['approve', batch, '--yes'], { ...env, ...fin });
        expect(approved.code, approved.stderr).toBe(0);
        const startedMs = Date.now();

        const faults: readonly (readonly [string, () => Promise<void> | undefined])[] = [
          ['a worker is killed, for 15 s', () => workers[0]?.kill(15)],
          ['Temporal is killed, for a minute', () => temporal.kill(60)],
          ['PostgreSQL is killed, for 10 s', () => database.kill(10)],
          ['the movie service is killed, for 5 s', () => studio.kill(5)],
          ['another worker is killed', () => workers[1]?.kill(0)],
          ...workers.map((worker, n) => [`worker ${n + 1} is upgraded`, () => worker.replace(next)] as const),
        ];
        for (const [index, [name, happen]] of faults.entries()) {
          await delivered(ledger, batch, Math.floor((rowCount * (index + 1)) / (faults.length + 2)));
          console.log(`${seconds(startedMs)} s ${JSON.stringify(await countRows(ledger, batch))}: ${name}`);
          await happen();
        }
        await delivered(ledger, batch, rowCount);
        await closed(ledger);
        console.log(`${seconds(startedMs)} s: all delivered, and closed`);
        for (const worker of workers) await worker.stop();
        const verified = await home.run(['verify', batch], { ...env, ...fin });
        expect(verified.code, verified.stderr).toBe(0);
        await studio.stop();
        const books = await booksIn(join(home.folder, 'studio'));
        expect(books.creates).toHaveLength(rowCount);
        const sends = await ledger.db.selectFrom('sends').select('at_ms').execute();
        expect(mostInASecond(sends.map(({ at_ms }) => at_ms))).toBeLessThanOrEqual(Math.floor(ordersPerSecond) + 1);
        expect(await brokenPromises({ ledger, books, archiveFolder: archive.folder })).toEqual([]);
        const told = workers.flatMap((worker) => worker.lines()).filter(({ event }) => event === 'restarted');
        console.log(`${verified.stdout.trim()}; ${sends.length} sends; ${told.length} times work was started again`);
      },
    );
  },
);

function seconds(sinceMs: number): number {
  return Math.round((Date.now() - sinceMs) / 1_000);
}

async function closed(ledger: Ledger): Promise<void> {
  await vi.waitFor(
    async () => {
      const { state } = await ledger.db.selectFrom('batches').select('state').executeTakeFirstOrThrow();
      expect(state).toBe('closed');
    },
    { timeout: 5 * minutes, interval: 250 },
  );
}

function mostInASecond(moments: readonly number[]): number {
  return Math.max(...moments.map((from) => moments.filter((one) => one >= from && one < from + 1_000).length));
}
