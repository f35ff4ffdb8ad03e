import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileStore } from '../../../archive/folder/file-store.js';
import { readText } from '../../../archive/read-text.js';
import { verifyAudit } from '../../../ledger/access/audit.js';
import { addPerson } from '../../../ledger/access/people.js';
import type { Tables } from '../../../ledger/database/tables.js';
import { entryHash } from '../../../ledger/money/entry-chain.js';
import { reconcileInvoice } from '../../../ledger/money/invoices.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { checkBooks } from '../../../ledger/verification/check-books.js';
import { auditCounters } from '../../../ledger/verification/counter-check.js';
import type { OutsideProofs } from '../../../ledger/verification/outside-check.js';
import { ledgerMark } from '../../../ledger/verification/restored-ledger.js';
import { readCertificates } from '../../../reports/read-certificates.js';
import { createReportFolder } from '../../../reports/report-folder.js';
import { writeReports } from '../../../reports/write-reports.js';
import type { Databases } from '../databases.js';
import { ada, fay, type Scene, studio } from '../scene.js';
import { suite } from '../suite.js';

type Db = Kysely<Tables>;

interface Tampering {
  readonly what: string;
  readonly tamper: (db: Db) => Promise<unknown>;
  /** A fault that must be among those named, and what it is about. */
  readonly named: readonly [kind: string, of: string];
}

/** The batch `spring-1` made a, b and c for 1.00 each; an invoice charged b with 1.30. */
const tamperings: readonly Tampering[] = [
  {
    what: 'a paid movie is deleted everywhere, and every counter put right',
    tamper: (db) => deleteMovie(db),
    named: ['entry_chain', 'spring-1'],
  },
  {
    what: 'a paid movie is deleted everywhere, counters put right, and the chain of entries computed again',
    tamper: async (db) => {
      await deleteMovie(db);
      await chainAgain(db);
    },
    named: ['entries_replaced', 'spring-1'],
  },
  {
    what: 'the tail of the audit is cut and its head reset',
    tamper: async (db) => {
      const { audit_length: length } = await db.selectFrom('ledger').select('audit_length').executeTakeFirstOrThrow();
      await db.deleteFrom('audit').where('seq', '=', length).execute();
      const last = await db
        .selectFrom('audit')
        .select('hash')
        .where('seq', '=', length - 1)
        .executeTakeFirstOrThrow();
      await db
        .updateTable('ledger')
        .set({ audit_length: length - 1, audit_head: last.hash })
        .execute();
    },
    named: ['audit_cut', 'audit'],
  },
  {
    what: 'who decided is rewritten',
    tamper: (db) => db.updateTable('decisions').set({ by_name: 'sam' }).execute(),
    named: ['decision_changed', 'spring-1'],
  },
  {
    what: 'who submitted is rewritten',
    tamper: (db) => db.updateTable('batches').set({ submitted_by: 'fay' }).execute(),
    named: ['submission_changed', 'spring-1'],
  },
  {
    what: 'a decision is taken away',
    tamper: (db) => db.deleteFrom('decisions').execute(),
    named: ['decision_missing', 'spring-1'],
  },
  {
    what: 'a brief is changed',
    tamper: (db) =>
      db
        .updateTable('rows')
        .set({ brief: sql`replace(brief, 'dawn', 'dusk')` })
        .where('row_key', '=', 'c')
        .execute(),
    named: ['brief_changed', 'spring-1'],
  },
  {
    what: 'a brief is changed together with its digest',
    tamper: async (db) => {
      const { brief } = await db
        .selectFrom('rows')
        .select('brief')
        .where('row_key', '=', 'c')
        .executeTakeFirstOrThrow();
      const other = { ...JSON.parse(brief), prompt: 'Something else at dusk' };
      const { contentDigest } = await import('../../../domain/digests/content-digest.js');
      const set = { brief: JSON.stringify(other), content_digest: contentDigest(other) ?? '' };
      await db.updateTable('rows').set(set).where('row_key', '=', 'c').execute();
    },
    named: ['plan_digest', 'spring-1'],
  },
  {
    what: 'the amount of an entry is changed',
    tamper: (db) =>
      db
        .updateTable('entries')
        .set({ amount_minor: 90 })
        .where('kind', '=', 'post')
        .where('row_key', '=', 'a')
        .execute(),
    named: ['entry_chain', 'spring-1'],
  },
  {
    what: 'a correction is made up, its place in the chain computed and the counters put right',
    tamper: async (db) => {
      const last = await db
        .selectFrom('entries')
        .selectAll()
        .where('batch_id', '=', 'spring-1')
        .orderBy('batch_seq', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      const { entry_id: _, hash, ...rest } = last;
      const entry = {
        ...rest,
        ...{ batch_seq: last.batch_seq + 1, kind: 'correction' as const, row_key: 'a', attempt: 1, amount_minor: -100 },
        ...{ overrun_minor: 0, note: 'invoice 2026-12' },
      };
      await db
        .insertInto('entries')
        .values({ ...entry, hash: entryHash(entry, hash) })
        .execute();
      await db
        .updateTable('batches')
        .set({ refunded_minor: sql`refunded_minor + 100` })
        .execute();
      await db
        .updateTable('budgets')
        .set({ spent_minor: sql`spent_minor - 100` })
        .execute();
    },
    named: ['correction_without_invoice', 'spring-1'],
  },
  {
    what: 'a limit is raised past the door',
    tamper: (db) =>
      db.updateTable('budgets').set({ limit_minor: 99_999_999 }).where('path', '=', 'acme/spring').execute(),
    named: ['budget_changed', 'rehearsal budget acme/spring'],
  },
  {
    what: 'somebody is given a role',
    tamper: (db) => db.updateTable('people').set({ roles: '["admin","finance"]' }).execute(),
    named: ['person_changed', 'person ann'],
  },
  {
    what: 'the policy is changed',
    tamper: (db) =>
      db
        .updateTable('ledger')
        .set({ policy: sql`replace(policy, '"failed":"charged"', '"failed":"refunded"')`, policy_version: 7 })
        .execute(),
    named: ['policy_changed', 'policy'],
  },
  {
    what: 'the line of an invoice is changed',
    tamper: (db) => db.updateTable('invoice_lines').set({ amount_minor: 100 }).execute(),
    named: ['invoice_changed', 'invoice 2026-11'],
  },
  {
    what: 'a movie is put in the place of another one, in the order too',
    tamper: async (db) => {
      await db.updateTable('orders').set({ movie_id: 'movie_other' }).where('row_key', '=', 'a').execute();
      await db.updateTable('rows').set({ movie_id: 'movie_other' }).where('row_key', '=', 'a').execute();
    },
    named: ['movie_changed', 'spring-1'],
  },
  {
    what: 'a delivered row is called failed',
    tamper: (db) => db.updateTable('rows').set({ state: 'failed' }).where('row_key', '=', 'c').execute(),
    named: ['end_without_record', 'spring-1'],
  },
  {
    what: 'that an order was sent is taken away',
    tamper: (db) => db.deleteFrom('sends').where('row_key', '=', 'b').execute(),
    named: ['order_without_send', 'spring-1'],
  },
  {
    what: 'the last sends are taken away',
    tamper: (db) => db.deleteFrom('sends').execute(),
    named: ['sends_cut', 'sends'],
  },
  {
    what: 'the ledger is given another name, so that its proofs seem to be of another one',
    tamper: (db) => db.updateTable('ledger').set({ ledger_id: 'another' }).execute(),
    named: ['ledger_changed', 'spring-1'],
  },
  {
    what: 'the hash of a file is changed',
    tamper: (db) =>
      db
        .updateTable('files')
        .set({ sha256: 'cd'.repeat(32) })
        .where('row_key', '=', 'b')
        .execute(),
    named: ['file_changed', 'spring-1'],
  },
];

export function tamperingCases(databases: Databases): void {
  suite('books that were tampered with', databases, (stage) => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'greenlight-proofs-'));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    test('untouched books have no fault', async () => {
      const outside = await aYear(stage.scene, folder);
      expect(outside).toMatchObject({ certificates: [{ batchId: 'spring-1', decidedBy: 'fay' }], marks: [{}] });
      expect(await checkBooks(stage.scene.ledger.db, outside)).toEqual([]);
    });

    test.each(tamperings)('are found out: $what', async ({ tamper, named: [kind, of] }) => {
      const { scene } = stage;
      const outside = await aYear(scene, folder);
      await undone(scene, async (db) => {
        await tamper(db);
        const faults = await checkBooks(db, outside);
        expect(faults.map((one) => [one.kind, one.of])).toContainEqual([kind, of]);
        // The chain of the audit alone says that all is well.
        expect(await verifyAudit({ db })).toMatchObject({ ok: true });
      });
      expect(await auditCounters(scene.ledger)).toEqual([]);
    });

    test('only what is outside tells of a whole batch that was taken out with its records', async () => {
      const { scene } = stage;
      const outside = await aYear(scene, folder);
      await undone(scene, async (db) => {
        for (const table of [
          'batches',
          'decisions',
          'rows',
          'orders',
          'sends',
          'entries',
          'files',
          'slices',
        ] as const) {
          await db.deleteFrom(table).execute();
        }
        await db.updateTable('budgets').set({ committed_minor: 0, spent_minor: 0, overrun_minor: 0 }).execute();
        await db.deleteFrom('audit').where('seq', '>', 3).execute();
        const last = await db.selectFrom('audit').select('hash').where('seq', '=', 3).executeTakeFirstOrThrow();
        await db.updateTable('ledger').set({ audit_length: 3, audit_head: last.hash }).execute();
        await db.deleteFrom('invoices').execute();
        await db.deleteFrom('invoice_lines').execute();
        expect(await checkBooks(db, null)).toEqual([]);
        const kinds = (await checkBooks(db, outside)).map(({ kind }) => kind);
        expect(new Set(kinds)).toEqual(new Set(['entries_cut', 'audit_cut', 'batch_missing']));
      });
    });
  });
}

/** A batch that was made, delivered, closed and invoiced, with its certificate and the mark of its archive. */
async function aYear(scene: Scene, folder: string): Promise<OutsideProofs> {
  const { ledger, nowMs } = scene;
  await addPerson(ledger, { name: 'ann', roles: ['admin'], actor: ada, nowMs });
  const batchId = await scene.make(['a', 'b', 'c']);
  for (const key of ['a', 'b', 'c']) await scene.deliver(batchId, key);
  await settleBatch(ledger, { batchId, nowMs });
  const { movieId } = await scene.row(batchId, 'b');
  const line = { movieId, idempotencyKey: null, amountMinor: 130, currency: 'USD', description: null };
  const lines = [{ ...line, invoice: null, row: 2 }];
  await reconcileInvoice(ledger, { service: studio, name: '2026-11', lines, actor: fay, nowMs });
  await writeReports({ ledger, target: createReportFolder(join(folder, batchId)), batchId, nowMs });
  const { audit } = await ledgerMark(ledger);
  const store = await createFileStore(folder);
  const { certificates } = await readCertificates({
    folders: () => store.folders(),
    read: (path) => readText(store, path),
  });
  return { certificates, marks: audit ? [{ ...audit, from: 'the mark of the archive' }] : [] };
}

/** Without the guards of the tables, as whoever owns the database; nothing of it stays. */
async function undone(scene: Scene, work: (db: Db) => Promise<void>): Promise<void> {
  const undo = new Error('undo');
  const trying = scene.ledger.write(async (tx) => {
    await withoutGuards(tx, scene.ledger.dialect);
    await work(tx);
    throw undo;
  });
  await expect(trying).rejects.toBe(undo);
}

async function withoutGuards(db: Db, dialect: 'sqlite' | 'postgres'): Promise<void> {
  if (dialect === 'postgres') return void (await sql.raw('set local session_replication_role = replica').execute(db));
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'trigger'`.execute(db);
  for (const { name } of rows) await sql.raw(`drop trigger ${name}`).execute(db);
}

async function deleteMovie(db: Db): Promise<void> {
  for (const table of ['orders', 'sends', 'files', 'entries', 'rows'] as const) {
    await db.deleteFrom(table).where('row_key', '=', 'a').execute();
  }
  const less = (column: string) => sql<number>`${sql.ref(column)} - 100`;
  await db
    .updateTable('batches')
    .set({ posted_minor: less('posted_minor'), returned_minor: sql<number>`returned_minor + 100` })
    .set({ rows_in_sheet: sql<number>`rows_in_sheet - 1`, rows_to_order: sql<number>`rows_to_order - 1` })
    .execute();
  const uncommit = { at_ms: 1, kind: 'uncommit' as const, batch_id: 'spring-1', amount_minor: 100, currency: 'USD' };
  await db
    .insertInto('entries')
    .values({ ...uncommit, batch_seq: 99, hash: '' })
    .execute();
  await db
    .updateTable('budgets')
    .set({ spent_minor: less('spent_minor') })
    .execute();
}

async function chainAgain(db: Db): Promise<void> {
  const entries = await db
    .selectFrom('entries')
    .selectAll()
    .where('batch_id', '=', 'spring-1')
    .orderBy('entry_id')
    .execute();
  await db
    .updateTable('entries')
    .set({ batch_seq: sql`batch_seq + 1000` })
    .execute();
  let head = '';
  for (const [index, entry] of entries.entries()) {
    const chained = { ...entry, batch_seq: index + 1 };
    head = entryHash(chained, head);
    const set = { batch_seq: index + 1, hash: head };
    await db.updateTable('entries').set(set).where('entry_id', '=', entry.entry_id).execute();
  }
}
