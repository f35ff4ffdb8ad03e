import { expect, test } from 'vitest';
import { type Act, type Actor, type Role, roles, rolesFor } from '../../../domain/roles.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { addPerson, removePerson, renewToken } from '../../../ledger/access/people.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import { giveSignInCode } from '../../../ledger/access/sign-in.js';
import { archiveBatch, type LedgerFiles, restoreBatch } from '../../../ledger/archived/archived-batches.js';
import { setBudget, startBudget, stopBudget } from '../../../ledger/money/budgets.js';
import { previewInvoice, reconcileInvoice } from '../../../ledger/money/invoices.js';
import { reviewMovie } from '../../../ledger/movie-reviews/reviews.js';
import { createShareLink, revokeShareLink } from '../../../ledger/movie-reviews/share-links.js';
import { turnOnChannel } from '../../../ledger/notices/turn-on.js';
import { resolveUnknown } from '../../../ledger/orders/resolve-unknown.js';
import { createBatch } from '../../../ledger/plan/create-batch.js';
import { approveBatch, rejectBatch } from '../../../ledger/plan/decisions.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { useArchive } from '../../../ledger/progress/ledger-archive.js';
import { limitBatch } from '../../../ledger/progress/limits.js';
import { refetchRows, retryRows } from '../../../ledger/progress/retries.js';
import { continueBatch, pauseBatch, resumeBatch } from '../../../ledger/stops/stops.js';
import { reconcileRestored } from '../../../ledger/verification/restored-ledger.js';
import { terminalActor } from '../../../operations/terminal-actor.js';
import type { Databases } from '../databases.js';
import { ada, brief, pages, plainSettings, type Scene, sam, studio } from '../scene.js';
import { suite } from '../suite.js';
import { removeEverybody } from './remove-everybody.js';

const noFiles: LedgerFiles = {
  write: async () => ({ path: 'ledger/x', sha256: '', sizeBytes: 0 }),
  read: async () => null,
  hash: async () => null,
};

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
  limits: {
    act: 'limits',
    open: ({ ledger, nowMs }, actor, batchId) => limitBatch(ledger, { batchId, maxInFlight: 7, actor, nowMs }),
  },
  retry: {
    act: 'retry',
    open: ({ ledger, nowMs }, actor, batchId) => retryRows(ledger, { batchId, rowKeys: 'all', actor, nowMs }),
  },
  refetch: {
    act: 'refetch',
    open: ({ ledger, nowMs }, actor, batchId) => refetchRows(ledger, { batchId, rowKeys: 'all', actor, nowMs }),
  },
  review: {
    act: 'review',
    open: ({ ledger, nowMs }, actor, batchId) =>
      reviewMovie(ledger, { batchId, rowKey: 'a', verdict: 'ok', note: null, actor, nowMs }),
  },
  share: {
    act: 'share',
    open: ({ ledger, nowMs }, actor, batchId) => createShareLink(ledger, { batchId, untilMs: nowMs + 1, actor, nowMs }),
  },
  'share revoke': {
    act: 'share',
    open: ({ ledger, nowMs }, actor, batchId) => revokeShareLink(ledger, { batchId, linkId: 'x', actor, nowMs }),
  },
  'archive-batches': {
    act: 'archive',
    open: ({ ledger, nowMs }, actor, batchId) => archiveBatch(ledger, { batchId, files: noFiles, actor, nowMs }),
  },
  'archive-batches --restore': {
    act: 'archive',
    open: ({ ledger, nowMs }, actor, batchId) => restoreBatch(ledger, { batchId, files: noFiles, actor, nowMs }),
  },
  'resolve unknown': {
    act: 'resolve',
    open: ({ ledger, nowMs }, actor, batchId) =>
      resolveUnknown(ledger, { batchId, rowKey: 'a', resolution: { kind: 'resend' }, actor, nowMs }),
  },
  'budget set': {
    act: 'budget',
    open: ({ ledger, nowMs }, actor) =>
      setBudget(ledger, { rehearsal: true, path: 'acme', limitMinor: 5, currency: 'USD', actor, nowMs }),
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
  'ledger use-archive': {
    act: 'reconcile',
    open: ({ ledger, nowMs }, actor) =>
      useArchive(ledger, { archive: { id: 'a', url: 'file:///a' }, actor, reason: 'r', nowMs }),
  },
  'notices on': {
    act: 'resume',
    open: ({ ledger, nowMs }, actor) => turnOnChannel(ledger, { channel: 'https://chat.example', actor, nowMs }),
  },
  'people remove': {
    act: 'people',
    open: ({ ledger, nowMs }, actor) => removePerson(ledger, { name: 'nobody', actor, nowMs }),
  },
  'people token': {
    act: 'people',
    open: ({ ledger, nowMs }, actor) => renewToken(ledger, { name: 'nobody', tokenExpiresAtMs: null, actor, nowMs }),
  },
  'people code': {
    act: 'people',
    open: ({ ledger, nowMs }, actor) => giveSignInCode(ledger, { name: 'nobody', actor, nowMs }),
  },
  'policy set': { act: 'policy', open: ({ ledger, nowMs }, actor) => setPolicy(ledger, { change: {}, actor, nowMs }) },
  // Last: it ends working alone.
  'people add': {
    act: 'people',
    open: ({ ledger, nowMs }, actor) => addPerson(ledger, { name: 'new', roles: ['admin'], actor, nowMs }),
  },
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
        () => ({ code: 'done', message: '' }),
        (error: { code?: string; message: string }) => error,
      );
      expect(outcome.code === 'not_allowed').toBe(!allowed);
      // A refusal names what was tried by a verb, not by the act's name in the audit.
      expect(outcome.message).not.toMatch(/^Cannot (?:limits|people|policy|budget|archive-batches|notices|unknown)\b/);
      const [last] = await listAudit(scene.ledger, { limit: 1 });
      const refused = {
        act: `${act}_refused`,
        actor: { name: 'ana', channel: 'web' },
        detail: { code: 'not_allowed' },
      };
      if (allowed) expect(last).not.toMatchObject(refused);
      else expect(last).toMatchObject(refused);
    });

    const outcomeOf = (deed: Promise<unknown>) =>
      deed.then(
        () => 'done',
        (error: { code?: string }) => error.code ?? 'broken',
      );

    test.each(['alone', 'nobody', 'people'] as const)('every door and person where there is: %s', async (state) => {
      const { scene } = stage;
      if (state === 'alone' && scene.ledger.dialect === 'postgres') return; // a shared ledger is never one person's
      const batchId = await scene.make(['a']);
      const tokens = await registered(scene, state);
      const come = (token?: string) =>
        terminalActor({ ledger: scene.ledger, clock: () => scene.nowMs }, { token, loginName: 'lea' });
      const before: Actor = { name: 'lea', roles, channel: 'terminal', alone: true };
      const wrong: string[] = [];
      const tried = async (who: string, actor: () => Promise<Actor>, mayOpen: (name: string, act: Act) => boolean) => {
        for (const [name, { act, open }] of Object.entries(doors)) {
          const outcome = await outcomeOf(actor().then((one) => open(scene, one, batchId)));
          const isOpen = outcome !== 'not_allowed' && outcome !== 'broken';
          if (isOpen !== mayOpen(name, act)) wrong.push(`${who}, ${name}: ${outcome}`);
        }
      };
      const never = () => false;
      // The one who has no token comes last: where nobody is registered, they register the first.
      await tried('a wrong token', () => come('glt_wrong'), never);
      for (const role of roles) {
        const token = tokens.get(role);
        if (token === undefined) continue;
        await tried(
          role,
          () => come(token),
          (_, act) => rolesFor(act).includes(role),
        );
      }
      for (const gone of ['removed', 'expired']) {
        if (tokens.has(gone)) await tried(gone, () => come(tokens.get(gone)), never);
      }
      if (state !== 'alone') await tried('somebody from before', async () => before, never);
      await tried(
        'no token',
        () => come(),
        (name) => state === 'alone' || (state === 'nobody' && name === 'people add'),
      );
      expect(wrong).toEqual([]);
    });

    test('a submitter may cancel, pause, review and share their own batch, and no other one', async () => {
      const { scene } = stage;
      const own = await scene.make(['a']);
      const submitter: Actor = { ...sam, channel: 'web' };
      const other = await scene.make(['b'], { campaign: 'winter', actor: { ...sam, name: 'ole' } });
      const allowed: string[] = [];
      for (const [name, { act, open }] of Object.entries(doors)) {
        for (const batchId of [own, other]) {
          if (rolesFor(act).includes('submitter')) continue;
          if ((await outcomeOf(open(scene, submitter, batchId))) !== 'not_allowed') allowed.push(`${name} ${batchId}`);
        }
      }
      const theirs = ['cancel', 'pause', 'review', 'share', 'share revoke'];
      expect(allowed).toEqual(theirs.map((name) => `${name} ${own}`));
      await expect(doors.cancel?.open(scene, submitter, other)).rejects.toMatchObject({
        message: `Cannot cancel ${other}: sam does not have the operator role, and did not submit it`,
      });
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

/** One person of each role, one who was removed and one whose token has ended; none of them where there is nobody. */
async function registered(scene: Scene, state: 'alone' | 'nobody' | 'people'): Promise<ReadonlyMap<string, string>> {
  const { ledger, nowMs } = scene;
  const tokens = new Map<string, string>();
  if (state === 'alone' || (state === 'nobody' && ledger.dialect === 'postgres')) return tokens;
  const add = async (name: string, given: readonly Role[], tokenExpiresAtMs: number | null = null) => {
    const { token } = await addPerson(ledger, { name, roles: given, tokenExpiresAtMs, actor: ada, nowMs });
    tokens.set(name, token);
  };
  await add('admin', ['admin']);
  if (state === 'people') {
    for (const role of roles) if (role !== 'admin') await add(role, [role]);
    await add('expired', roles, nowMs);
  }
  await add('removed', roles);
  await removePerson(ledger, { name: 'removed', actor: ada, nowMs });
  if (state === 'people') return tokens;
  await removeEverybody(scene);
  return new Map([['removed', tokens.get('removed') ?? '']]);
}
