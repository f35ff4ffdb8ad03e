import { expect, test } from 'vitest';
import { type Actor, type Role, roles } from '../../../domain/roles.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { addPerson, listPeople, removePerson, renewToken } from '../../../ledger/access/people.js';
import { setPolicy, spendingRules } from '../../../ledger/access/policies.js';
import { registrationOf } from '../../../ledger/access/registration.js';
import { holderOf, recordRefusedToken } from '../../../ledger/access/tokens.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import type { Databases } from '../databases.js';
import { ada } from '../scene.js';
import { suite } from '../suite.js';
import { removeEverybody } from './remove-everybody.js';

const stranger: Actor = { name: 'root', roles: [], channel: 'terminal' };
const dayMs = 86_400_000;

export function peopleCases(databases: Databases): void {
  suite('people', databases, (stage) => {
    const add = (name: string, given: readonly Role[], over: { actor?: Actor; tokenExpiresAtMs?: number } = {}) =>
      addPerson(stage.scene.ledger, { name, roles: given, actor: ada, nowMs: stage.scene.nowMs, ...over });
    const remove = (name: string, actor: Actor = ada) =>
      removePerson(stage.scene.ledger, { name, actor, nowMs: stage.scene.nowMs });
    const renew = (name: string, actor: Actor, tokenExpiresAtMs: number | null = null) =>
      renewToken(stage.scene.ledger, { name, actor, tokenExpiresAtMs, nowMs: stage.scene.nowMs });
    const holder = (token: string) => holderOf(stage.scene.ledger, token, stage.scene.nowMs);

    test('are known by a token that the books do not have', async () => {
      const { scene } = stage;
      const { token } = await add('ada', ['admin']);
      expect(token).toMatch(/^glt_[A-Za-z0-9_-]{32}$/);
      expect(await holder(token)).toEqual({ kind: 'person', name: 'ada', roles: ['admin'], expiresAtMs: null });
      expect(await holder(`${token}x`)).toEqual({ kind: 'nobody' });
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

    test('are removed at once, and their names stay theirs, however they are written', async () => {
      await add('ada', ['admin']);
      const { token } = await add('fay', ['finance']);
      await remove('fay');
      expect(await holder(token)).toEqual({ kind: 'removed', name: 'fay' });
      await expect(add('fay', ['finance'])).rejects.toMatchObject({ code: 'bad_argument' });
      await expect(add('Fay', ['finance'])).rejects.toMatchObject({ code: 'bad_argument' });
      await expect(remove('fay')).rejects.toMatchObject({ code: 'unknown_person' });
    });

    test('the last admin stays, also when nobody else is there', async () => {
      await add('ada', ['admin']);
      await add('fay', ['finance']);
      await expect(remove('ada')).rejects.toMatchObject({ code: 'wrong_state' });
      await remove('fay');
      await expect(remove('ada')).rejects.toMatchObject({ code: 'wrong_state' });
      await add('ben', ['admin']);
      await remove('ada');
    });

    test('who was removed does nothing more, with whatever roles they come', async () => {
      await add('ada', ['admin']);
      await add('ben', ['admin']);
      await remove('ada');
      await expect(add('cat', ['finance'])).rejects.toMatchObject({
        ...{ code: 'not_allowed', message: 'Cannot add cat: ada does not have the admin role; ben may' },
      });
    });

    test.each([['policy'], ['Greenlight'], ['a b'], ['']])('"%s" is no name for a person', async (name) => {
      await expect(add(name, ['admin'])).rejects.toMatchObject({ code: 'bad_argument' });
    });

    test('a token ends when it says so, and an admin without one that does not end always stays', async () => {
      const { scene } = stage;
      await expect(add('ada', ['admin'], { tokenExpiresAtMs: scene.nowMs + dayMs })).rejects.toMatchObject({
        code: 'wrong_state',
      });
      await add('ada', ['admin']);
      const { token } = await add('fay', ['finance'], { tokenExpiresAtMs: scene.nowMs + dayMs });
      await expect(renew('ada', ada, scene.nowMs + dayMs)).rejects.toMatchObject({ code: 'wrong_state' });
      scene.nowMs += dayMs - 1;
      expect(await holder(token)).toMatchObject({ kind: 'person', name: 'fay' });
      scene.nowMs += 1;
      expect(await holder(token)).toEqual({ kind: 'expired', name: 'fay' });
    });

    test('renew their own token, an admin anybody’s, and the one before opens nothing', async () => {
      const { scene } = stage;
      await add('ada', ['admin']);
      const fay: Actor = { name: 'fay', roles: ['finance'], channel: 'terminal' };
      const { token: first } = await add('fay', ['finance']);
      const { token: second } = await renew('fay', fay);
      expect(await holder(first)).toEqual({ kind: 'nobody' });
      expect(await holder(second)).toMatchObject({ kind: 'person', name: 'fay' });
      await expect(renew('ada', fay)).rejects.toMatchObject({ code: 'not_allowed' });
      const { token: third } = await renew('fay', ada, scene.nowMs + dayMs);
      expect(await holder(third)).toMatchObject({ name: 'fay', expiresAtMs: scene.nowMs + dayMs });
      await remove('fay');
      await expect(renew('fay', fay)).rejects.toMatchObject({ code: 'not_allowed' });
      await expect(renew('fay', ada)).rejects.toMatchObject({ code: 'unknown_person' });
    });

    test('of two strangers at once one is the first', async () => {
      const { scene } = stage;
      // The table has nobody, and on an embedded ledger it had somebody.
      if (scene.ledger.dialect === 'sqlite') await everybodyWasRemoved();
      const tries = await Promise.allSettled(
        ['ada', 'ben', 'cat', 'dan'].map((name) => add(name, ['admin'], { actor: stranger })),
      );
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await listPeople(scene.ledger)).toHaveLength(1);
    });

    async function everybodyWasRemoved(): Promise<void> {
      const { scene } = stage;
      await add('old', ['admin']);
      await removeEverybody(scene);
    }

    test('a wrong token is audited, and a flood of them once a minute with its number', async () => {
      const { scene } = stage;
      const knock = (holder: Parameters<typeof recordRefusedToken>[1]['holder']) =>
        recordRefusedToken(scene.ledger, { holder, account: 'lea', nowMs: scene.nowMs });
      const records = async () =>
        (await listAudit(scene.ledger, { limit: 100 })).filter(({ act }) => act === 'token_refused').reverse();
      for (let tries = 0; tries < 40; tries += 1) await knock({ kind: 'nobody' });
      await knock({ kind: 'expired', name: 'fay' });
      expect(await records()).toMatchObject([
        { object: 'token', detail: { token: 'unknown', account: 'lea', tries: 1 } },
        { object: 'fay', detail: { token: 'expired', tries: 1 } },
      ]);
      scene.nowMs += 60_000;
      await Promise.all([knock({ kind: 'nobody' }), knock({ kind: 'nobody' })]);
      expect((await records()).slice(2)).toMatchObject([{ object: 'token', detail: { tries: 40 } }]);
    });
  });

  suite('working alone', databases, (stage) => {
    test('is for an embedded ledger where nobody was ever registered', async () => {
      const { scene } = stage;
      const change = { solo: true };
      const alone: Actor = { name: 'sam', roles, channel: 'terminal', alone: true };
      const set = () => setPolicy(scene.ledger, { change, actor: alone, nowMs: scene.nowMs });
      if (scene.ledger.dialect === 'postgres') {
        await expect(set()).rejects.toMatchObject({ code: 'not_allowed' });
        return;
      }
      await set();
      const approve = (batchId: string, actor: Actor) =>
        approveBatch(scene.ledger, { batchId, actor, nowMs: scene.nowMs });
      const batchId = await scene.seal(['a'], { actor: alone });
      await expect(approve(batchId, { name: 'sam', roles, channel: 'web' })).rejects.toMatchObject({
        code: 'not_allowed',
      });
      expect(await approve(batchId, alone)).toMatchObject({ by: 'sam', selfApproved: true });
      const onPage = await scene.seal(['p'], { actor: alone, campaign: 'page' });
      expect(await approve(onPage, { ...alone, channel: 'web' })).toMatchObject({ channel: 'web', selfApproved: true });
      const next = await scene.seal(['b'], { actor: alone });
      await addPerson(scene.ledger, { name: 'ada', roles: ['admin'], actor: alone, nowMs: scene.nowMs });
      expect(await spendingRules(scene.ledger.db)).toMatchObject({ solo: false });
      await expect(approve(next, alone)).rejects.toMatchObject({
        ...{ code: 'not_allowed', message: expect.stringContaining('set GREENLIGHT_TOKEN') },
      });
      await expect(
        setPolicy(scene.ledger, { change, actor: { ...ada, name: 'ada' }, nowMs: scene.nowMs }),
      ).rejects.toMatchObject({ code: 'wrong_state' });
    });

    test('does not come back when everybody was removed: only a first admin can be registered', async () => {
      const { scene } = stage;
      await addPerson(scene.ledger, { name: 'ada', roles: ['admin'], actor: ada, nowMs: scene.nowMs });
      await removeEverybody(scene);
      expect(await registrationOf(scene.ledger.db)).toBe('nobody');
      expect(await spendingRules(scene.ledger.db)).toMatchObject({ solo: false });
      const add = (given: readonly Role[], actor: Actor) =>
        addPerson(scene.ledger, { name: 'new', roles: given, actor, nowMs: scene.nowMs });
      await expect(setPolicy(scene.ledger, { change: {}, actor: stranger, nowMs: scene.nowMs })).rejects.toMatchObject({
        ...{ code: 'not_allowed', message: expect.stringContaining('greenlight people add <name> --role admin') },
      });
      await expect(add(['finance'], stranger)).rejects.toMatchObject({ code: 'bad_argument' });
      await expect(add(['admin'], { ...stranger, channel: 'web' })).rejects.toMatchObject({ code: 'not_allowed' });
      await add(['admin'], stranger);
      expect(await registrationOf(scene.ledger.db)).toBe('people');
    });
  });
}
