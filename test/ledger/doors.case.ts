import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Act, type Actor, type Role, roles, rolesFor } from '../../domain/roles.js';
import { listAudit, verifyAudit } from '../../ledger/audit.js';
import { createBatch } from '../../ledger/batches.js';
import { setBudget, showBudget, startBudget, stopBudget } from '../../ledger/budgets.js';
import { requestCancel } from '../../ledger/cancels.js';
import { approveBatch, rejectBatch } from '../../ledger/decisions.js';
import { reconcileInvoice } from '../../ledger/invoices.js';
import { addPerson, authenticate, listPeople, removePerson } from '../../ledger/people.js';
import { setPolicy, spendingRules } from '../../ledger/policies.js';
import { checkArchiveMark, ledgerMark, reconcileRestored } from '../../ledger/restored.js';
import { refetchRows, retryRows } from '../../ledger/retries.js';
import { continueBatch, pauseBatch, resumeBatch } from '../../ledger/stops.js';
import { resolveUnknown } from '../../ledger/unknowns.js';
import type { Databases } from './databases.js';
import { ada, brief, fay, pages, plainSettings, type Scene, studio } from './scene.js';
import { suite } from './suite.js';

/** Every door to a change that a person may make, on a batch in the making. */
const doors: Readonly<
  Record<
    string,
    { readonly act: Act; readonly open: (scene: Scene, actor: Actor, batchId: string) => Promise<unknown> }
  >
> = {
  submit: {
    act: 'submit',
    open: (scene, actor) =>
      createBatch(scene.ledger, {
        ...{ service: studio, campaign: 'other', actor, nowMs: scene.nowMs, settings: plainSettings },
        ...{ manifest: { name: 'x.csv', columns: [] }, rows: pages([brief('x')]) },
      }),
  },
  approve: {
    act: 'approve',
    open: ({ ledger, nowMs }, actor, batchId) => approveBatch(ledger, { batchId, actor, nowMs }),
  },
  reject: {
    act: 'reject',
    open: ({ ledger, nowMs }, actor, batchId) => rejectBatch(ledger, { batchId, actor, reason: 'r', nowMs }),
  },
  cancel: {
    act: 'cancel',
    open: ({ ledger, nowMs }, actor, batchId) =>
      requestCancel(ledger, { batchId, rowKeys: 'all', actor, reason: 'r', nowMs }),
  },
  pause: { act: 'pause', open: ({ ledger, nowMs }, actor, batchId) => pauseBatch(ledger, { batchId, actor, nowMs }) },
  resume: {
    act: 'resume',
    open: ({ ledger, nowMs }, actor, batchId) => resumeBatch(ledger, { batchId, actor, nowMs }),
  },
  continue: {
    act: 'continue',
    open: ({ ledger, nowMs }, actor, batchId) => continueBatch(ledger, { batchId, actor, nowMs }),
  },
  retry: {
    act: 'retry',
    open: ({ ledger, nowMs }, actor, batchId) => retryRows(ledger, { batchId, rowKeys: 'all', actor, nowMs }),
  },
  refetch: {
    act: 'refetch',
    open: ({ ledger, nowMs }, actor, batchId) => refetchRows(ledger, { batchId, rowKeys: 'all', actor, nowMs }),
  },
  'resolve unknown': {
    act: 'resolve',
    open: ({ ledger, nowMs }, actor, batchId) =>
      resolveUnknown(ledger, { batchId, rowKey: 'a', resolution: { kind: 'resend' }, actor, nowMs }),
  },
  'budget set': {
    act: 'budget',
    open: ({ ledger, nowMs }, actor) =>
      setBudget(ledger, { path: 'acme', limitMinor: 5, currency: 'USD', actor, nowMs }),
  },
  'budget stop': {
    act: 'budget',
    open: ({ ledger, nowMs }, actor) => stopBudget(ledger, { path: 'acme', actor, nowMs }),
  },
  'budget start': {
    act: 'budget',
    open: ({ ledger, nowMs }, actor) => startBudget(ledger, { path: 'acme', actor, nowMs }),
  },
  'reconcile invoice': {
    act: 'reconcile',
    open: ({ ledger, nowMs }, actor) =>
      reconcileInvoice(ledger, { service: studio, name: 'i', lines: [], actor, nowMs }),
  },
  'reconcile restored': {
    act: 'reconcile',
    open: ({ ledger, nowMs }, actor) => reconcileRestored(ledger, { actor, reason: 'r', nowMs }),
  },
  'people add': {
    act: 'people',
    open: ({ ledger, nowMs }, actor) => addPerson(ledger, { name: 'new', roles: ['admin'], actor, nowMs }),
  },
  'policy set': { act: 'policy', open: ({ ledger, nowMs }, actor) => setPolicy(ledger, { change: {}, actor, nowMs }) },
};

export function doorsCases(databases: Databases): void {
  suite('doors', databases, (stage) => {
    const all = Object.entries(doors).flatMap(([name, door]) => roles.map((role) => ({ name, role, ...door })));

    test.each(all)('$name, $role', async ({ role, act, open }) => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const actor: Actor = { name: 'ana', roles: [role], channel: 'web' };
      const allowed = rolesFor(act).includes(role);
      const outcome = await open(scene, actor, batchId).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );
      expect(outcome === 'not_allowed').toBe(!allowed);
      const [last] = await listAudit(scene.ledger, { limit: 1 });
      const refused = {
        act: `${act}_refused`,
        actor: { name: 'ana', channel: 'web' },
        detail: { code: 'not_allowed' },
      };
      if (allowed) expect(last).not.toMatchObject(refused);
      else expect(last).toMatchObject(refused);
    });

    test('four eyes at every door that releases money: whoever asked does not open it', async () => {
      const { scene } = stage;
      const everybody: Actor = { name: 'sam', roles, channel: 'terminal' };
      const waiting = await scene.seal(['a'], { actor: everybody });
      await expect(
        approveBatch(scene.ledger, { batchId: waiting, actor: everybody, nowMs: scene.nowMs }),
      ).rejects.toMatchObject({
        code: 'not_allowed',
      });
      const making = await scene.make(['b'], { campaign: 'winter' });
      await scene.admit(making, 'b');
      await scene.answer(making, 'b', { kind: 'broken' });
      const request = {
        batchId: making,
        rowKey: 'b',
        resolution: { kind: 'resend' },
        actor: everybody,
        nowMs: scene.nowMs,
      } as const;
      for (let time = 0; time < 3; time += 1) {
        expect(await resolveUnknown(scene.ledger, request)).toEqual({ state: 'proposed', by: 'sam' });
      }
      expect(await scene.row(making, 'b')).toMatchObject({ state: 'unknown' });
    });
  });

  suite('people', databases, (stage) => {
    const add = (name: string, given: readonly Role[], actor: Actor = ada) =>
      addPerson(stage.scene.ledger, { name, roles: given, actor, nowMs: stage.scene.nowMs });

    test('are known by a token that the books do not have', async () => {
      const { scene } = stage;
      const { token } = await add('ada', ['admin']);
      expect(token).toMatch(/^glt_[A-Za-z0-9_-]{32}$/);
      expect(await authenticate(scene.ledger, token)).toEqual({ name: 'ada', roles: ['admin'] });
      expect(await authenticate(scene.ledger, `${token}x`)).toBeNull();
      const stored = await scene.ledger.db.selectFrom('people').selectAll().execute();
      expect(JSON.stringify(stored)).not.toContain(token);
      expect(JSON.stringify(await listAudit(scene.ledger, { limit: 100 }))).not.toContain(token);
    });

    test('the first is an admin', async () => {
      await expect(add('fay', ['finance'])).rejects.toMatchObject({ code: 'bad_argument' });
      await add('ada', ['admin']);
      await add('fay', ['finance', 'auditor']);
      expect(await listPeople(stage.scene.ledger)).toMatchObject([
        { name: 'ada', roles: ['admin'] },
        { name: 'fay', roles: ['finance', 'auditor'] },
      ]);
    });

    test('are removed at once, and their names stay theirs', async () => {
      const { scene } = stage;
      await add('ada', ['admin']);
      const { token } = await add('fay', ['finance']);
      await removePerson(scene.ledger, { name: 'fay', actor: ada, nowMs: scene.nowMs });
      expect(await authenticate(scene.ledger, token)).toBeNull();
      await expect(add('fay', ['finance'])).rejects.toMatchObject({ code: 'bad_argument' });
      await expect(removePerson(scene.ledger, { name: 'fay', actor: ada, nowMs: scene.nowMs })).rejects.toMatchObject({
        code: 'unknown_person',
      });
    });

    test('the last admin stays while there are others', async () => {
      const { scene } = stage;
      await add('ada', ['admin']);
      await add('fay', ['finance']);
      const remove = (name: string) => removePerson(scene.ledger, { name, actor: ada, nowMs: scene.nowMs });
      await expect(remove('ada')).rejects.toMatchObject({ code: 'wrong_state' });
      await remove('fay');
      await remove('ada');
    });

    test.each([['policy'], ['Greenlight'], ['a b'], ['']])('"%s" is no name for a person', async (name) => {
      await expect(add(name, ['admin'])).rejects.toMatchObject({ code: 'bad_argument' });
    });
  });

  suite('working alone', databases, (stage) => {
    test('is for an embedded ledger where nobody is registered', async () => {
      const { scene } = stage;
      const change = { solo: true };
      const set = () => setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
      if (scene.ledger.dialect === 'postgres') {
        await expect(set()).rejects.toMatchObject({ code: 'wrong_state' });
        return;
      }
      await set();
      const everybody: Actor = { name: 'sam', roles, channel: 'terminal' };
      const batchId = await scene.seal(['a'], { actor: everybody });
      await expect(
        approveBatch(scene.ledger, { batchId, actor: { ...everybody, channel: 'web' }, nowMs: scene.nowMs }),
      ).rejects.toMatchObject({ code: 'not_allowed' });
      expect(await approveBatch(scene.ledger, { batchId, actor: everybody, nowMs: scene.nowMs })).toMatchObject({
        ...{ by: 'sam', selfApproved: true },
      });
      await addPerson(scene.ledger, { name: 'ada', roles: ['admin'], actor: everybody, nowMs: scene.nowMs });
      expect(await spendingRules(scene.ledger.db)).toEqual({ solo: false });
      const next = await scene.seal(['b'], { actor: everybody });
      await expect(
        approveBatch(scene.ledger, { batchId: next, actor: everybody, nowMs: scene.nowMs }),
      ).rejects.toMatchObject({
        code: 'not_allowed',
      });
      await expect(set()).rejects.toMatchObject({ code: 'wrong_state' });
    });
  });

  suite('budgets', databases, (stage) => {
    test('a limit below what is bound stops new approvals and cancels nothing', async () => {
      const { scene } = stage;
      const first = await scene.make(['a', 'b']);
      await scene.order(first, 'a');
      await scene.fund('acme', 50);
      expect(await scene.admit(first, 'b')).toMatchObject({ kind: 'send' });
      const second = await scene.seal(['c']);
      await expect(
        approveBatch(scene.ledger, { batchId: second, actor: fay, nowMs: scene.nowMs }),
      ).rejects.toMatchObject({
        ...{ code: 'no_room', message: expect.stringContaining('budget acme has room for -1.50 USD') },
      });
    });

    test('one path has one currency', async () => {
      const { scene } = stage;
      const set = (path: string, currency: string) =>
        setBudget(scene.ledger, { path, limitMinor: 10, currency, actor: fay, nowMs: scene.nowMs });
      await expect(set('acme/spring/ads', 'EUR')).rejects.toMatchObject({ code: 'bad_argument' });
      await expect(set('acme', 'EUR')).rejects.toMatchObject({ code: 'bad_argument' });
      await set('other', 'EUR');
      await set('acme_spring', 'EUR');
      await expect(set('acme', 'usd')).rejects.toMatchObject({ code: 'bad_argument' });
      expect(await showBudget(scene.ledger, 'other')).toMatchObject({ currency: 'EUR' });
    });

    test.each([-1, 1.5, Number.NaN, 2 ** 60])('%d is no limit', async (limitMinor) => {
      const { scene } = stage;
      const change = { path: 'acme', limitMinor, currency: 'USD', actor: fay, nowMs: scene.nowMs };
      await expect(setBudget(scene.ledger, change)).rejects.toMatchObject({ code: 'bad_argument' });
    });

    test('what is not defined is named', async () => {
      const { scene } = stage;
      await expect(showBudget(scene.ledger, 'nobody')).rejects.toMatchObject({ code: 'unknown_budget' });
      await expect(stopBudget(scene.ledger, { path: 'nobody', actor: fay, nowMs: scene.nowMs })).rejects.toMatchObject({
        code: 'unknown_budget',
      });
    });
  });

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

    test('is read newest first, by pages and by object', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const acts = (await listAudit(scene.ledger, { object: batchId, limit: 10 })).map(({ act }) => act);
      expect(acts).toEqual(['approve', 'seal', 'submit']);
      const page = await listAudit(scene.ledger, { limit: 2, before: 4 });
      expect(page.map(({ seq }) => seq)).toEqual([3, 2]);
    });
  });

  suite('a restored ledger', databases, (stage) => {
    const order = async (scene: Scene) => {
      const batchId = await scene.make(['a']);
      return { batchId, admission: await scene.admit(batchId, 'a') };
    };

    test('the archive of this ledger, or of an earlier moment, is fine', async () => {
      const { scene } = stage;
      const mark = await ledgerMark(scene.ledger);
      await order(scene);
      expect((await ledgerMark(scene.ledger)).sequence).toBeGreaterThan(mark.sequence);
      expect(await checkArchiveMark(scene.ledger, { mark, nowMs: scene.nowMs })).toBeNull();
    });

    test('an archive that is ahead stops all orders until a person has looked', async () => {
      const { scene } = stage;
      const mark = await ledgerMark(scene.ledger);
      const ahead = { ...mark, sequence: mark.sequence + 7 };
      expect(await checkArchiveMark(scene.ledger, { mark: ahead, nowMs: scene.nowMs })).toContain(
        'ahead of this ledger by 7',
      );
      const { batchId, admission } = await order(scene);
      expect(admission).toEqual({ kind: 'blocked', reason: 'restored' });
      expect((await scene.batch(batchId)).stops).toMatchObject([
        { kind: 'restored', command: 'greenlight reconcile restored' },
      ]);
      await reconcileRestored(scene.ledger, { actor: fay, reason: 'compared', nowMs: scene.nowMs });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
    });

    test("another ledger's archive does, too, and no repeat leaves either", async () => {
      const { scene } = stage;
      const { batchId } = await order(scene);
      await scene.answer(batchId, 'a', { kind: 'lost' });
      const mark = { ledgerId: 'another', sequence: 0 };
      expect(await checkArchiveMark(scene.ledger, { mark, nowMs: scene.nowMs })).toContain('another ledger');
      scene.nowMs += 60_000;
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'blocked', reason: 'restored' });
    });
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
