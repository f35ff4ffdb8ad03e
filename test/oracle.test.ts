import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLedger } from '../ledger/ledger.js';
import { startBudget, stopBudget } from '../ledger/money/budgets.js';
import { requestCancel } from '../ledger/progress/cancels.js';
import { recordDelivered } from '../ledger/progress/deliveries.js';
import { settleBatch } from '../ledger/progress/settle.js';
import { pauseBatch } from '../ledger/stops/stops.js';
import type { Books } from '../studio/books.js';
import { fay, movieId, oli, price, type Scene, setTheScene } from './ledger/scene.js';
import { brokenPromises } from './oracle.js';

type Account = { creates: Books['creates'][number][]; movies: Books['movies'][number][] };

let scene: Scene;
let archiveFolder: string;
let books: Account;

beforeEach(async () => {
  archiveFolder = await mkdtemp(join(tmpdir(), 'greenlight-oracle-'));
  scene = setTheScene(await openLedger({ url: 'sqlite::memory:', seed: { solo: false } }));
  books = { creates: [], movies: [] };
  await scene.fund('acme', 100_000);
});
afterEach(async () => {
  await scene.ledger.close();
  await rm(archiveFolder, { recursive: true, force: true });
});

/** The service accepts what it is sent, and writes it down. */
async function order(batchId: string, rowKey: string): Promise<void> {
  const admission = await scene.admit(batchId, rowKey);
  if (admission.kind !== 'send') throw new Error(admission.kind);
  const id = movieId();
  books.creates.push(createOf(id, admission));
  books.movies.push({ movieId: id, status: 'completed', percent: 100, createdMs: 0, endedMs: 0 });
  await scene.answer(batchId, rowKey, { kind: 'movie', movieId: id, echo: 'matches' });
}

function createOf(id: string, sent: { readonly idempotencyKey: string; readonly requestBody: string }) {
  const bodyDigest = createHash('sha256').update(sent.requestBody).digest('hex');
  const { idempotencyKey } = sent;
  return { movieId: id, key: 'k', idempotencyKey, bodyDigest, amountMinor: price, currency: 'USD', atMs: scene.nowMs };
}

async function deliver(batchId: string, rowKey: string): Promise<void> {
  await order(batchId, rowKey);
  await scene.look(batchId, rowKey, 'completed');
  const path = `${batchId}/${rowKey}/final.mp4`;
  await mkdir(dirname(join(archiveFolder, path)), { recursive: true });
  await writeFile(join(archiveFolder, path), rowKey);
  const sha256 = createHash('sha256').update(rowKey).digest('hex');
  const files = [{ assetId: `asset_${rowKey}`, type: 'final_video', path, sizeBytes: rowKey.length, sha256 }];
  await recordDelivered(scene.ledger, { batchId, rowKey, files, verdict: 'as ordered', nowMs: scene.nowMs });
}

/** A batch of two that was made, delivered and closed. */
async function madeBatch(): Promise<string> {
  const batchId = await scene.make(['a', 'b']);
  for (const rowKey of ['a', 'b']) await deliver(batchId, rowKey);
  await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
  return batchId;
}

/** The numbers of the promises that are broken. */
async function broken(): Promise<readonly string[]> {
  const found = await brokenPromises({ ledger: scene.ledger, books, archiveFolder });
  return [...new Set(found.map((one) => one.split(' ')[0] ?? ''))].sort();
}

async function tamper(...statements: readonly string[]): Promise<void> {
  for (const guard of ['entries_no_update', 'entries_no_delete', 'audit_no_update', 'audit_no_delete']) {
    await sql.raw(`drop trigger if exists ${guard}`).execute(scene.ledger.db);
  }
  for (const statement of statements) await sql.raw(statement).execute(scene.ledger.db);
}

describe('the oracle', () => {
  test('is content with a batch that went well, while it is made and at rest', async () => {
    const batchId = await scene.make(['a', 'b']);
    await deliver(batchId, 'a');
    expect(await broken()).toEqual([]);
    await deliver(batchId, 'b');
    await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
    expect(await broken()).toEqual([]);
  });

  test('is content with an unknown row that keeps its hold, whatever the service made of it', async () => {
    const batchId = await scene.make(['a', 'b']);
    await deliver(batchId, 'b');
    const admission = await scene.admit(batchId, 'a');
    if (admission.kind !== 'send') throw new Error(admission.kind);
    books.creates.push(createOf(movieId(), admission));
    await scene.answer(batchId, 'a', { kind: 'broken' });
    await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
    expect(await broken()).toEqual([]);
  });

  const faults: Readonly<
    Record<string, { readonly breaks: readonly string[]; readonly plant: () => Promise<unknown> }>
  > = {
    'two movies for one key': {
      breaks: ['O1', 'O14', 'O9'],
      plant: async () => {
        const [first] = books.creates;
        if (first) books.creates.push({ ...first, movieId: movieId() });
      },
    },
    'a movie made from other bytes': {
      breaks: ['O1'],
      plant: async () => {
        books.creates = books.creates.map((create) => ({ ...create, bodyDigest: 'ab'.repeat(32) }));
      },
    },
    'a movie that nobody ordered': {
      breaks: ['O14', 'O2'],
      plant: async () => {
        const id = movieId();
        books.creates.push(createOf(id, { idempotencyKey: 'gl_stranger', requestBody: '{}' }));
      },
    },
    'a hold that was never entered': {
      breaks: ['O2', 'O3', 'O4'],
      plant: () => tamper(`delete from entries where kind = 'hold' and row_key = 'a'`),
    },
    'an approval of another plan': {
      breaks: ['O2'],
      plant: () => tamper(`update decisions set plan_digest = '${'0'.repeat(64)}'`),
    },
    'a row whose content changed after the approval': {
      breaks: ['O2'],
      plant: () => tamper(`update rows set content_digest = '${'0'.repeat(64)}' where row_key = 'a'`),
    },
    'a price that changed after the approval': {
      breaks: ['O2'],
      plant: () => tamper(`update rows set amount_minor = 90 where row_key = 'a'`),
    },
    'more spent than any limit': { breaks: ['O3'], plant: () => tamper(`update budgets set spent_minor = 200000`) },
    'a counter that its entries do not bear out': {
      breaks: ['O3'],
      plant: () => tamper(`update batches set posted_minor = 100`),
    },
    'a hold that ended twice': {
      breaks: ['O3', 'O4'],
      plant: () =>
        tamper(
          'drop index entries_end',
          `insert into entries (at_ms, kind, batch_id, row_key, attempt, amount_minor, currency)
            select at_ms, 'release', batch_id, row_key, attempt, amount_minor, currency from entries where kind = 'hold' and row_key = 'a'`,
        ),
    },
    'an approval by the submitter': { breaks: ['O6'], plant: () => tamper(`update decisions set by_name = 'sam'`) },
    'a changed audit record': {
      breaks: ['O7'],
      plant: () => tamper(`update audit set actor = 'nobody' where seq = 2`),
    },
    'a movie posted for another amount': {
      breaks: ['O14', 'O9'],
      plant: async () => {
        books.creates = books.creates.map((create) => ({ ...create, amountMinor: price + 1 }));
      },
    },
    'a file that is gone': { breaks: ['O10'], plant: () => rm(join(archiveFolder, 'spring-1/a/final.mp4')) },
    'a file with other bytes': {
      breaks: ['O10'],
      plant: () => writeFile(join(archiveFolder, 'spring-1/b/final.mp4'), 'x'),
    },
    'a finished movie without its film': {
      breaks: ['O10'],
      plant: () => tamper(`delete from files where row_key = 'a'`),
    },
    'a row that is gone': {
      breaks: ['O12', 'O2'],
      plant: () => tamper(`delete from rows where row_key = 'a'`),
    },
    'a row that is not settled in a closed batch': {
      breaks: ['O10', 'O12'],
      plant: () => tamper(`update rows set state = 'archiving' where row_key = 'a'`),
    },
    'an unknown row that nobody lists': {
      breaks: ['O13'],
      plant: () => tamper(`update rows set state = 'unknown' where row_key = 'a'`),
    },
    'a hold on a row that has ended': {
      breaks: ['O11', 'O4'],
      plant: () => tamper(`update orders set money = 'held' where row_key = 'a'`),
    },
  };

  test.each(Object.entries(faults))('sees %s', async (_, { breaks, plant }) => {
    await madeBatch();
    await plant();
    expect(await broken()).toEqual(breaks);
  });

  test('sees an admission after a pause, by the order of the books and not by clocks', async () => {
    const batchId = await scene.make(['a', 'b']);
    await deliver(batchId, 'a');
    await pauseBatch(scene.ledger, { batchId, actor: oli, nowMs: scene.nowMs });
    expect(await broken()).toEqual([]);
    await tamper(`update batches set stops = '{}'`);
    scene.nowMs -= 1_000;
    await order(batchId, 'b');
    expect(await broken()).toEqual(['O5']);
  });

  test('sees a repeat after the stop of a budget, and none in one that was held back or came after its end', async () => {
    const batchId = await scene.make(['a', 'b']);
    const repeat = (answer: string) =>
      tamper(
        `insert into sends (lineage_no, row_key, attempt, batch_id, at_ms, answer)
          select lineage_no, row_key, attempt, batch_id, at_ms, '${answer}' from sends where send_id = 1`,
      );
    await scene.admit(batchId, 'a');
    await scene.answer(batchId, 'a', { kind: 'lost' });
    const stop = { path: 'acme', actor: fay, nowMs: scene.nowMs };
    await stopBudget(scene.ledger, stop);
    await repeat('{"kind":"withheld","why":"stopped"}');
    expect(await broken()).toEqual([]);
    await startBudget(scene.ledger, stop);
    await repeat('{"kind":"lost"}');
    expect(await broken()).toEqual([]);
    await stopBudget(scene.ledger, stop);
    await repeat('{"kind":"lost"}');
    expect(await broken()).toEqual(['O5']);
  });

  test('sees a send after a cancel', async () => {
    const batchId = await scene.make(['a']);
    await scene.admit(batchId, 'a');
    await requestCancel(scene.ledger, { batchId, rowKeys: 'all', actor: oli, reason: 'no', nowMs: scene.nowMs });
    expect(await broken()).toEqual([]);
    await tamper(
      `insert into sends (lineage_no, row_key, attempt, batch_id, at_ms) select lineage_no, row_key, attempt, batch_id, at_ms from sends`,
    );
    expect(await broken()).toEqual(['O5']);
  });
});
