import { expect, test } from 'vitest';
import { type Act, type Actor, roles, rolesFor } from '../../../domain/roles.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { addPerson, removePerson } from '../../../ledger/access/people.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import { setBudget, startBudget, stopBudget } from '../../../ledger/money/budgets.js';
import { previewInvoice, reconcileInvoice } from '../../../ledger/money/invoices.js';
import { resolveUnknown } from '../../../ledger/orders/unknowns.js';
import { createBatch } from '../../../ledger/plan/create-batch.js';
import { approveBatch, rejectBatch } from '../../../ledger/plan/decisions.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { reconcileRestored } from '../../../ledger/progress/restored-ledger.js';
import { refetchRows, retryRows } from '../../../ledger/progress/retries.js';
import { continueBatch, pauseBatch, resumeBatch } from '../../../ledger/progress/stops.js';
import type { Databases } from '../databases.js';
import { brief, pages, plainSettings, type Scene, studio } from '../scene.js';
import { suite } from '../suite.js';

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
        ...{ manifest: { name: 'x.csv', columns: [] }, rows: () => pages([brief('x')]) },
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
  'preview invoice': {
    act: 'reconcile',
    open: ({ ledger, nowMs }, actor) => previewInvoice(ledger, { service: studio, name: 'i', lines: [], actor, nowMs }),
  },
  'reconcile restored': {
    act: 'reconcile',
    open: ({ ledger, nowMs }, actor) => reconcileRestored(ledger, { actor, reason: 'r', nowMs }),
  },
  'people add': {
    act: 'people',
    open: ({ ledger, nowMs }, actor) => addPerson(ledger, { name: 'new', roles: ['admin'], actor, nowMs }),
  },
  'people remove': {
    act: 'people',
    open: ({ ledger, nowMs }, actor) => removePerson(ledger, { name: 'nobody', actor, nowMs }),
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

    test('LeanerCloud/CUDly#1500: four eyes at every door that releases money: whoever asked does not open it', async () => {
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
}
