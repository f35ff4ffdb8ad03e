import { expect, test } from 'vitest';
import { type Actor, type Role, roles } from '../../../domain/roles.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { addPerson, authenticate, listPeople, removePerson } from '../../../ledger/access/people.js';
import { setPolicy, spendingRules } from '../../../ledger/access/policies.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import type { Databases } from '../databases.js';
import { ada } from '../scene.js';
import { suite } from '../suite.js';

export function peopleCases(databases: Databases): void {
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
}
