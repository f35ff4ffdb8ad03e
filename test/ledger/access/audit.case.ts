import { setImmediate as turn } from 'node:timers/promises';
import { type Compilable, CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { recordsOf } from '../../../ledger/access/audit-filter.js';
import { appendAudit, listAudit, verifyAudit } from '../../../ledger/access/audit.js';
import type { Ledger } from '../../../ledger/ledger.js';
import { auditCounters } from '../../../ledger/verification/counter-check.js';
import type { Databases } from '../databases.js';
import type { Scene } from '../scene.js';
import { suite } from '../suite.js';

export function auditCases(databases: Databases): void {
  suite('the audit', databases, (stage) => {
    test('names the first link that was changed, taken out or added', async () => {
      const { scene } = stage;
      await scene.make(['a']);
      const { ledger } = scene;
      expect(await verifyAudit(ledger)).toMatchObject({ ok: true, length: 5 });
      const whole = await ledger.db.selectFrom('audit').selectAll().orderBy('seq').execute();
      const [, , third] = whole;
      if (!third) throw new Error('five events were recorded');
      await withoutGuards(scene, async () => {
        await ledger.db.updateTable('audit').set({ actor: 'mallory' }).where('seq', '=', 3).execute();
        expect(await verifyAudit(ledger)).toEqual({ ok: false, brokenAt: 3 });
        await ledger.db
          .updateTable('audit')
          .set({ actor: third.actor, at_ms: third.at_ms + 1 })
          .where('seq', '=', 3)
          .execute();
        expect(await verifyAudit(ledger)).toEqual({ ok: false, brokenAt: 3 });
        await ledger.db.deleteFrom('audit').where('seq', '=', 3).execute();
        expect(await verifyAudit(ledger)).toEqual({ ok: false, brokenAt: 3 });
        await ledger.db.insertInto('audit').values(third).execute();
        expect(await verifyAudit(ledger)).toMatchObject({ ok: true });
        await ledger.db.deleteFrom('audit').where('seq', '=', 5).execute();
        expect(await verifyAudit(ledger)).toEqual({ ok: false, brokenAt: 5 });
        await ledger.db.insertInto('audit').values(whole.slice(4)).execute();
      });
    });

    test('and the entries cannot be changed through any connection', async () => {
      const { scene } = stage;
      await scene.make(['a']);
      const { db } = scene.ledger;
      await expect(db.deleteFrom('audit').execute()).rejects.toThrow('append-only');
      await expect(db.updateTable('audit').set({ actor: 'x' }).execute()).rejects.toThrow('append-only');
      await expect(db.deleteFrom('entries').execute()).rejects.toThrow('append-only');
      await expect(db.updateTable('entries').set({ amount_minor: 0 }).execute()).rejects.toThrow('append-only');
    });

    test('and the counters are compared at one moment, while orders go on', async () => {
      const { scene } = stage;
      const keys = Array.from({ length: 400 }, (_, index) => `row-${index}`);
      const batchId = await scene.make(keys);
      let isOver = false;
      const ordering = Promise.all(keys.map((key) => scene.order(batchId, key))).finally(() => {
        isOver = true;
      });
      let looks = 0;
      while (!isOver) {
        expect(await auditCounters(scene.ledger)).toEqual([]);
        looks += 1;
        await turn();
      }
      await ordering;
      expect(looks).toBeGreaterThan(1);
    });

    test('is read newest first, by pages and by object', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const acts = (await listAudit(scene.ledger, { object: batchId, limit: 10 })).map(({ act }) => act);
      expect(acts).toEqual(['approve', 'seal', 'submit']);
      const page = await listAudit(scene.ledger, { limit: 2, before: 4 });
      expect(page.map(({ seq }) => seq)).toEqual([3, 2]);
    });

    test('and that of one object is read without the rest', async () => {
      const { ledger } = stage.scene;
      const actor = { name: 'ada', channel: 'terminal' } as const;
      await ledger.write(async (tx) => {
        for (let one = 0; one < 300; one += 1) {
          await appendAudit(tx, { atMs: one, actor, act: 'tried', object: `thing-${one % 100}`, detail: {} });
        }
      });
      const plan = await planOf(ledger, recordsOf(ledger.db, { object: 'thing-1' }).orderBy('seq', 'desc').limit(50));
      expect(plan).toContain('audit_object');
      expect(plan).not.toMatch(/seq scan|filter/i);
    });
  });
}

/** How the database would answer, as it says so itself. */
async function planOf({ db, dialect }: Ledger, query: Compilable): Promise<string> {
  const { sql: text, parameters } = query.compile();
  return db.connection().execute(async (one) => {
    if (dialect === 'sqlite') {
      return JSON.stringify(await one.executeQuery(CompiledQuery.raw(`explain query plan ${text}`, [...parameters])));
    }
    await sql`analyze audit`.execute(one);
    return JSON.stringify(await one.executeQuery(CompiledQuery.raw(`explain ${text}`, [...parameters])));
  });
}

/** Somebody with the rights of the database's owner. */
async function withoutGuards({ ledger }: Scene, work: () => Promise<void>): Promise<void> {
  const off =
    ledger.dialect === 'sqlite'
      ? ['drop trigger audit_no_update', 'drop trigger audit_no_delete']
      : ['alter table audit disable trigger audit_append_only'];
  const on = ledger.dialect === 'sqlite' ? [] : ['alter table audit enable trigger audit_append_only'];
  for (const statement of off) await sql.raw(statement).execute(ledger.db);
  try {
    await work();
  } finally {
    for (const statement of on) await sql.raw(statement).execute(ledger.db);
  }
}
