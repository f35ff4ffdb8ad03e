import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CreateAnswer } from '../../domain/answers/create-answer.js';
import { CommitUncertainError } from '../../ledger/database/outage.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { listEntries } from '../../ledger/money/entries.js';
import { approveBatch } from '../../ledger/plan/decisions.js';
import { requestCancel } from '../../ledger/progress/cancels.js';
import { type Databases, postgresDatabases } from '../ledger/databases.js';
import { fay, oli, type Scene, setTheScene } from '../ledger/scene.js';
import { expectSoundBooks } from '../ledger/sound.js';
import { createProxy, type Toxic, type WireProxy } from './proxy.js';
import { everyLoss } from './toxics.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const serverUrl = process.env.GREENLIGHT_TEST_POSTGRES_URL ?? '';

let databases: Databases;
let wired: Ledger;
let proxy: WireProxy;
/** Who prepares and looks is past the proxy. */
let direct: Scene;
let through: Scene;
/** What the first request meets that is meant; null once it has. */
let next: { readonly toxic: Toxic; readonly isMeant: (line: string, index: number) => boolean } | null = null;
let serial = 0;

const movie = (movieId: string): CreateAnswer => ({ kind: 'movie', movieId, echo: 'matches' });
const refusal: CreateAnswer = { kind: 'refused', status: 422, code: 'no', message: 'no', retryAfterMs: null };

interface Fact {
  /** On the way to it; answers with its batch. */
  readonly before: (row: string) => Promise<string>;
  readonly record: (batchId: string, row: string) => Promise<unknown>;
}

const sealed = (row: string) =>
  direct.seal([row], { campaign: `campaign-${row}`, settings: { allowDuplicates: true } });
const approved = (row: string) =>
  direct.make([row], { campaign: `campaign-${row}`, settings: { allowDuplicates: true } });
const ordered = async (row: string) => {
  const batchId = await approved(row);
  await direct.admit(batchId, row);
  return batchId;
};
const running = async (row: string) => {
  const batchId = await ordered(row);
  await direct.answer(batchId, row, movie(`movie_${row}`));
  return batchId;
};

const facts: Readonly<Record<string, Fact>> = {
  'an approval': {
    before: sealed,
    record: (batchId) => approveBatch(wired, { batchId, actor: fay, nowMs: through.nowMs }),
  },
  'a hold': { before: approved, record: (batchId, row) => through.admit(batchId, row) },
  'a post': { before: ordered, record: (batchId, row) => through.answer(batchId, row, movie(`movie_${row}`)) },
  'a release': { before: ordered, record: (batchId, row) => through.answer(batchId, row, refusal) },
  'an end': { before: running, record: (batchId, row) => through.look(batchId, row, 'failed') },
  'a cancel': {
    before: approved,
    record: (batchId, row) =>
      requestCancel(wired, { batchId, rowKeys: [row], reason: 'not needed', actor: oli, nowMs: through.nowMs }),
  },
};

/** In the first bytes of a statement, within it; of the answer, and in place of it. */
const toxics: readonly Toxic[] = [
  ...everyLoss({ request: [3, 9], cut: [1, 12], end: [5], stall: [0, 7] }),
  { kind: 'garbage', text: '\x16\x00\x00\x00\x08what' },
  { kind: 'latency', delayMs: 50 },
];

describe.skipIf(serverUrl === '')('a ledger on PostgreSQL', () => {
  beforeAll(async () => {
    databases = postgresDatabases(serverUrl);
    const { ledger, url } = await databases.open({ solo: false });
    direct = setTheScene(ledger);
    await direct.fund('acme', 10_000_000);
    await direct.fund('acme/spring', 1_000_000);
    proxy = await createProxy(Number(new URL(url).port), ({ line, index }) => {
      if (!next?.isMeant(line, index)) return { kind: 'pass' };
      const { toxic } = next;
      next = null;
      return toxic;
    });
    const way = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) });
    wired = await openLedger({ url: way.toString(), onOutage: () => undefined, silenceMs: 200 });
    through = setTheScene(wired);
  });
  afterAll(async () => {
    await wired.close();
    await proxy.close();
    await databases.remove();
  });

  /** What the books say of it; the same, however its wire was. */
  async function books(batchId: string, row: string) {
    const { state, money } = await direct.batch(batchId);
    const entries = await listEntries(direct.ledger, { batchId, limit: 100 });
    return { state, money, row: (await direct.row(batchId, row)).state, entries: entries.map(({ kind }) => kind) };
  }

  /** @returns what the books say in the end, how often it was recorded, and the requests that it took. */
  async function recorded({ before, record }: Fact, toxic: Toxic, at: 'begin' | 'commit' | number) {
    serial += 1;
    const row = `row-${serial}`;
    const batchId = await before(row);
    await through.batch(batchId); // on a connection that is there already: making one takes requests
    const from = proxy.requests.length;
    next = {
      toxic,
      // A plain query has its kind and length before its words.
      isMeant: (line, index) => (typeof at === 'number' ? index === from + at : line.slice(5).startsWith(at)),
    };
    let times = 1;
    // Whoever cannot tell whether it was recorded does it once more, as an activity that is tried again.
    for (; await isUncertain(record(batchId, row)); times += 1) expect(times).toBe(1);
    expect(next, `the wire at ${at}`).toBeNull();
    return { books: await books(batchId, row), times, requests: proxy.requests.length - from };
  }

  describe.each(Object.entries(facts))('%s', (_name, fact) => {
    test.each(toxics)(
      'on a wire with $kind at every statement: recorded once, and the books are exact',
      async (toxic) => {
        const plain = await recorded(fact, { kind: 'pass' }, 0);
        expect(plain.times).toBe(1);
        for (const at of ['begin', 1, Math.floor(plain.requests / 2), 'commit'] as const) {
          expect((await recorded(fact, toxic, at)).books, `the wire at ${at}`).toEqual(plain.books);
        }
        await expectSoundBooks(direct.ledger);
      },
    );
  });
});

async function isUncertain(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (error instanceof CommitUncertainError) return true;
    throw error;
  }
}
