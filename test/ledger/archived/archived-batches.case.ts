import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createFileStore } from '../../../archive/folder/file-store.js';
import { createLedgerFiles } from '../../../archive/ledger-files.js';
import { listAudit } from '../../../ledger/access/audit.js';
import {
  archiveBatch,
  batchesToArchive,
  type LedgerFiles,
  restoreBatch,
} from '../../../ledger/archived/archived-batches.js';
import { listRowLines } from '../../../ledger/batches/row-lines.js';
import { countRows, eachRow, listRows, readRow } from '../../../ledger/batches/rows.js';
import type { Tables } from '../../../ledger/database/tables.js';
import type { Ledger } from '../../../ledger/ledger.js';
import { invoicedShare } from '../../../ledger/money/invoiced-batches.js';
import { findMovieFile, listMovies } from '../../../ledger/movie-reviews/movies.js';
import { createShareLink } from '../../../ledger/movie-reviews/share-links.js';
import { orderHistory } from '../../../ledger/orders/order-history.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { batchesToReport, markReported } from '../../../ledger/progress/due-reports.js';
import { refetchRows, retryRows } from '../../../ledger/progress/retries.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { checkArchived } from '../../../ledger/verification/archived-check.js';
import { checkBooks } from '../../../ledger/verification/check-books.js';
import { auditCounters } from '../../../ledger/verification/counter-check.js';
import { ledgerMark } from '../../../ledger/verification/restored-ledger.js';
import { resultOf } from '../../../reports/result-row.js';
import type { Databases } from '../databases.js';
import { ada, brief, fay, oli, price, type Scene, studio } from '../scene.js';
import { suite } from '../suite.js';

async function archiveFolder(): Promise<{ readonly folder: string; readonly files: LedgerFiles }> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-archived-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { folder, files: createLedgerFiles(await createFileStore(folder)) };
}

/** Two rows delivered, one failed and one canceled; over, and its reports are written. */
async function closed(scene: Scene, campaign = 'spring'): Promise<string> {
  const { ledger } = scene;
  const batchId = await scene.make(['a', 'b', 'c', 'd'], { campaign, settings: { allowDuplicates: true } });
  for (const key of ['a', 'b']) await scene.deliver(batchId, key);
  await scene.order(batchId, 'c');
  await scene.look(batchId, 'c', 'failed');
  await requestCancel(ledger, { batchId, rowKeys: ['d'], actor: oli, reason: 'not wanted', nowMs: scene.nowMs });
  await settleBatch(ledger, { batchId, nowMs: scene.nowMs });
  const { revision } = await scene.batch(batchId);
  await markReported(ledger, { batchId, revision });
  scene.nowMs += 60_000;
  return batchId;
}

const tables = ['rows', 'orders', 'sends', 'files', 'entries', 'batches', 'budgets'] as const;

async function linesOf(db: Kysely<Tables>): Promise<unknown> {
  const lines = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  const sorted = lines.map((of) => of.map((line) => JSON.stringify({ ...line, revision: 0 })).sort());
  return Object.fromEntries(tables.map((table, index) => [table, sorted[index]]));
}

async function everything(ledger: Ledger, files: LedgerFiles, batchId: string) {
  const found: string[] = [];
  const file = await ledger.db
    .selectFrom('archived_batches')
    .selectAll()
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  if (!file) return found;
  for await (const line of (await files.read(file.path))?.lines ?? []) found.push(line);
  return found;
}

const codeOf = (deed: () => Promise<unknown>) =>
  deed().then(
    (done) => done,
    (error: { code?: string }) => error.code ?? String(error),
  );

const soundWith = async ({ db }: Ledger, files: LedgerFiles) => checkBooks(db, null, files);

export function archivedBatchesCases(databases: Databases): void {
  suite('an archived batch', databases, (stage) => {
    const keep = (batchId: string, files: LedgerFiles) => ({ batchId, files, actor: ada, nowMs: stage.scene.nowMs });

    test('leaves briefs, requests, sends and files to its file, and comes back as it was', async () => {
      const { scene } = stage;
      const { ledger } = scene;
      const { files } = await archiveFolder();
      const [batchId, other] = [await closed(scene), await closed(scene, 'winter')];
      const before = await linesOf(ledger.db);
      const archived = await archiveBatch(ledger, keep(batchId, files));
      expect(archived).toMatchObject({ rows: 4, orders: 3, sends: 3, files: 2 });
      expect(await everything(ledger, files, batchId)).toHaveLength(12);
      for (const table of ['sends', 'files'] as const) {
        const left = await ledger.db.selectFrom(table).select('batch_id').execute();
        expect(new Set(left.map(({ batch_id }) => batch_id))).toEqual(new Set([other]));
      }
      expect(await soundWith(ledger, files)).toEqual([]);
      expect(await auditCounters(ledger)).toEqual([]);

      await restoreBatch(ledger, keep(batchId, files));
      expect(await linesOf(ledger.db)).toEqual(before);
      expect(await soundWith(ledger, files)).toEqual([]);
      const records = await listAudit(ledger, { object: batchId, limit: 2 });
      expect(records.map(({ act }) => act)).toEqual(['restore_batch', 'archive_batch']);
      expect(await archiveBatch(ledger, keep(batchId, files))).toMatchObject({ sha256: archived.sha256 });
    });

    test('says what each act says of it: state by act', async () => {
      const { scene } = stage;
      const { ledger } = scene;
      const { files } = await archiveFolder();
      const batchId = await closed(scene);
      await ledger.db.updateTable('rows').set({ state: 'lost' }).where('row_key', '=', 'c').execute();
      const before = await scene.batch(batchId);
      const counts = await countRows(ledger, batchId);
      const budgets = await ledger.db.selectFrom('budgets').selectAll().execute();
      const shares = await invoicedShare(ledger.db, batchId);
      const mark = await ledgerMark(ledger);
      await archiveBatch(ledger, keep(batchId, files));
      const { sequence, sends } = await ledgerMark(ledger);
      expect({ sequence, sends }).toEqual({ sequence: mark.sequence, sends: mark.sends });
      const { revision: _, archivedAtMs, ...now } = await scene.batch(batchId);
      expect(archivedAtMs).toBe(scene.nowMs);
      expect(before).toMatchObject(now);
      const at = { actor: oli, nowMs: scene.nowMs, batchId };
      const table = {
        counts: await countRows(ledger, batchId),
        budgets: await ledger.db.selectFrom('budgets').selectAll().execute(),
        invoiced: await invoicedShare(ledger.db, batchId),
        lines: (await listRowLines(ledger, batchId, { limit: 9 })).map(({ state }) => state),
        states: (await listRows(ledger, batchId, { limit: 9 })).map(({ state }) => state),
        money: (await readRow(ledger, batchId, 'a')).money,
        sends: (await orderHistory(ledger.db, { batchId, rowKey: 'a' })).map(({ archived, sends }) => [
          archived,
          sends,
        ]),
        reports: await batchesToReport(ledger, { service: studio }),
        brief: await codeOf(async () => (await readRow(ledger, batchId, 'a')).brief),
        cells: await codeOf(async () => (await readRow(ledger, batchId, 'a')).cells),
        files: await codeOf(async () => (await readRow(ledger, batchId, 'a')).files),
        results: await codeOf(async () => {
          for await (const row of eachRow(ledger, batchId)) JSON.stringify(row.files);
        }),
        gallery: await codeOf(() => listMovies(ledger, { batchId, filter: 'all', market: null, limit: 9 })),
        film: await codeOf(() => findMovieFile(ledger, { batchId, rowKey: 'a', assetId: 'asset_a' })),
        retry: await codeOf(() => retryRows(ledger, { ...at, rowKeys: 'all' })),
        refetch: await codeOf(() => refetchRows(ledger, { ...at, rowKeys: 'all' })),
        again: await codeOf(() => archiveBatch(ledger, keep(batchId, files))),
        byOther: await codeOf(() => restoreBatch(ledger, { ...keep(batchId, files), actor: fay })),
      };
      expect(table).toEqual({
        ...{ counts, budgets, invoiced: shares, reports: [], money: 'posted', sends: [[true, []]] },
        lines: ['delivered', 'delivered', 'lost', 'canceled'],
        states: ['delivered', 'delivered', 'lost', 'canceled'],
        ...{ brief: 'archived', cells: 'archived', files: 'archived', results: 'archived', gallery: 'archived' },
        ...{ film: 'archived', retry: 'archived', refetch: 'archived', again: 'wrong_state', byOther: 'not_allowed' },
      });
      await ledger.db.updateTable('rows').set({ state: 'failed' }).where('row_key', '=', 'c').execute();
    });

    test('keeps its rows from being ordered a second time, and is named where one is to be paid again', async () => {
      const { scene } = stage;
      const { ledger } = scene;
      const { files } = await archiveFolder();
      const batchId = await closed(scene);
      await archiveBatch(ledger, keep(batchId, files));
      const rows = ['a', brief('b', { prompt: 'other words' }), brief('z', { prompt: brief('a').prompt })];
      const next = await scene.seal(rows, { settings: { respend: true } });
      expect([(await scene.row(next, 'a')).class, (await scene.row(next, 'z')).class]).toEqual([
        'unchanged',
        'duplicate',
      ]);
      expect(await scene.row(next, 'b')).toMatchObject({ class: 'respend', classDetail: { batchId } });
      expect((await scene.batch(next)).totalMinor).toBe(price);
      const { files: none, reason } = await resultOf(ledger, await scene.row(next, 'a'));
      expect([none, reason]).toEqual([
        [],
        `delivered before, in ${batchId}, which is archived: its files are listed there`,
      ]);
    });

    test('is one that ended before the day, has its reports, and whose gallery nobody has a link to', async () => {
      const { scene } = stage;
      const { ledger } = scene;
      const batchId = await closed(scene);
      const { settledAtMs } = await scene.batch(batchId);
      const found = (beforeMs: number) => batchesToArchive(ledger, { beforeMs, nowMs: scene.nowMs });
      expect(await found(settledAtMs ?? 0)).toEqual([]);
      expect(await found((settledAtMs ?? 0) + 1)).toEqual([batchId]);
      const open = await scene.make(['q'], { campaign: 'summer' });
      expect(await found(scene.nowMs + 1)).not.toContain(open);
      await createShareLink(ledger, { batchId, actor: oli, nowMs: scene.nowMs, untilMs: scene.nowMs + 1_000 });
      expect(await found(scene.nowMs)).toEqual([]);
      scene.nowMs += 2_000;
      expect(await found(scene.nowMs)).toEqual([batchId]);
      await ledger.db.updateTable('batches').set({ reported_revision: 1 }).where('batch_id', '=', batchId).execute();
      expect(await found(scene.nowMs)).toEqual([]);
    });

    test.each(['before the file', 'in the file', 'after the file', 'before the commit'])(
      'ended %s: nothing is lost, and the second run goes on',
      async (step) => {
        const { scene } = stage;
        const { ledger } = scene;
        const { files } = await archiveFolder();
        const batchId = await closed(scene);
        const before = await linesOf(ledger.db);
        const ending: LedgerFiles = {
          ...files,
          async write(of, lines) {
            if (step === 'before the file') throw new Error('ended');
            const written = await files.write(of, step === 'in the file' ? broken(lines) : lines);
            if (step === 'after the file') throw new Error('ended');
            return written;
          },
        };
        const until = step === 'before the commit' ? endedAtCommit(ledger) : ledger;
        await expect(archiveBatch(until, keep(batchId, ending))).rejects.toThrow('ended');
        expect(await linesOf(ledger.db)).toEqual(before);
        expect(await soundWith(ledger, files)).toEqual([]);
        await markReported(ledger, { batchId, revision: (await scene.batch(batchId)).revision });
        await archiveBatch(ledger, keep(batchId, files));
        expect(await everything(ledger, files, batchId)).toHaveLength(12);
        expect(await soundWith(ledger, files)).toEqual([]);
        await restoreBatch(ledger, keep(batchId, files));
        expect(await linesOf(ledger.db)).toEqual(before);
      },
    );

    // SQLite's one connection is taken until the file is there.
    test.skipIf(databases.name === 'SQLite')(
      'a batch that changes while its file is written stays as it is',
      async () => {
        const { scene } = stage;
        const { ledger } = scene;
        const { files } = await archiveFolder();
        const batchId = await closed(scene);
        const meanwhile: LedgerFiles = {
          ...files,
          async write(of, lines) {
            const written = await files.write(of, lines);
            await ledger.db.updateTable('batches').set({ revision: 999 }).where('batch_id', '=', of).execute();
            return written;
          },
        };
        expect(await codeOf(() => archiveBatch(ledger, keep(batchId, meanwhile)))).toBe('wrong_state');
        expect((await scene.batch(batchId)).archivedAtMs).toBeNull();
      },
    );

    test('says what the database says where that fails while lines are put back or compared, and blames no file', async () => {
      const { scene } = stage;
      const { ledger } = scene;
      const { files } = await archiveFolder();
      const batchId = await closed(scene);
      const [line] = await ledger.db.selectFrom('files').selectAll().where('batch_id', '=', batchId).execute();
      await archiveBatch(ledger, keep(batchId, files));
      if (line) await ledger.db.insertInto('files').values(line).execute();
      const before = await linesOf(ledger.db);
      await expect(restoreBatch(ledger, keep(batchId, files))).rejects.toThrow(/unique/i);
      expect(await linesOf(ledger.db)).toEqual(before);

      let isAway = false;
      const db = ledger.db.withPlugin({
        transformQuery({ node }) {
          if (isAway) throw new Error('the connection was lost');
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const read: LedgerFiles['read'] = (path) => {
        isAway = true;
        return files.read(path);
      };
      await expect(checkArchived(db, { files: { read }, certificates: [] })).rejects.toThrow('was lost');

      await ledger.db.deleteFrom('files').where('batch_id', '=', batchId).execute();
      await restoreBatch(ledger, keep(batchId, files));
    });

    test('is found out where its file, its line or its record was changed, and is not restored from such a file', async () => {
      const { scene } = stage;
      const { ledger } = scene;
      const { folder, files } = await archiveFolder();
      const batchId = await closed(scene);
      const { path } = await archiveBatch(ledger, keep(batchId, files));
      const kinds = async () => (await soundWith(ledger, files)).map(({ kind }) => kind);
      const whole = await readFile(join(folder, path));
      await truncate(join(folder, path), whole.length - 12);
      expect(await kinds()).toEqual(['archived_file']);
      expect(await codeOf(() => restoreBatch(ledger, keep(batchId, files)))).toBe('corrupt_books');
      await rm(join(folder, path));
      expect(await kinds()).toEqual(['archived_file']);
      expect(await codeOf(() => restoreBatch(ledger, keep(batchId, files)))).toBe('corrupt_books');
      await writeFile(join(folder, path), whole);
      expect(await kinds()).toEqual([]);

      const digest = (await readRow(ledger, batchId, 'a')).contentDigest;
      const setDigest = (content_digest: string) =>
        ledger.db.updateTable('rows').set({ content_digest }).where('row_key', '=', 'a').execute();
      await setDigest('0'.repeat(64));
      expect(await kinds()).toContain('brief_changed');
      await setDigest(digest);
      await ledger.db
        .updateTable('archived_batches')
        .set({ sha256: '0'.repeat(64) })
        .execute();
      expect(await kinds()).toEqual(['archived_changed', 'archived_file']);
      await ledger.db.deleteFrom('archived_batches').execute();
      expect(await kinds()).toContain('archived_missing');
      stage.leavesFaults(
        'archived_missing',
        'brief_changed',
        'order_without_send',
        'delivered_without_files',
        'sends_cut',
      );
    });
  });
}

async function* broken(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    yield line;
    throw new Error('ended');
  }
}

/** Its transactions do all their work, and are undone. */
function endedAtCommit(ledger: Ledger): Ledger {
  return {
    ...ledger,
    write: (work, options) =>
      ledger.write(async (tx) => {
        await work(tx);
        throw new Error('ended');
      }, options),
  };
}
