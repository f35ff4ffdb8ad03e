import { expect, test } from 'vitest';
import type { Actor } from '../../../domain/roles.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { addPerson, removePerson } from '../../../ledger/access/people.js';
import { reviewAsGuest, reviewMovie } from '../../../ledger/movie-reviews/reviews.js';
import {
  createShareLink,
  findShareLink,
  listShareLinks,
  revokeShareLink,
} from '../../../ledger/movie-reviews/share-links.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import { sealBatch } from '../../../ledger/plan/seal.js';
import { retryRows } from '../../../ledger/progress/retries.js';
import type { Databases } from '../databases.js';
import { ada, fay, oli, type Scene, sam } from '../scene.js';
import { suite } from '../suite.js';

async function delivered(scene: Scene): Promise<string> {
  const batchId = await scene.make(['a', 'b', 'c']);
  for (const key of ['a', 'b']) await scene.deliver(batchId, key);
  await scene.order(batchId, 'c');
  await scene.look(batchId, 'c', 'failed');
  return batchId;
}

const by = (scene: Scene, batchId: string, actor: Actor = oli) => ({ batchId, actor, nowMs: scene.nowMs });

const redo = (scene: Scene, batchId: string, rowKey = 'a', note: string | null = 'the logo is cut') =>
  reviewMovie(scene.ledger, { ...by(scene, batchId), rowKey, verdict: 'redo', note });

async function planned(scene: Scene, batchId: string, rowKeys: 'redo' | readonly string[] = 'redo'): Promise<string> {
  const { batchId: again } = await retryRows(scene.ledger, { ...by(scene, batchId), rowKeys });
  await scene.price(again);
  await sealBatch(scene.ledger, { batchId: again });
  return again;
}

const codeOf = (deed: Promise<unknown>) =>
  deed.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  );

export function reviewsCases(databases: Databases): void {
  suite('a review', databases, (stage) => {
    test('is kept with who said it and when, audited, and changed by the next one', async () => {
      const { scene } = stage;
      const batchId = await delivered(scene);
      const said = await redo(scene, batchId);
      expect(said).toEqual({ verdict: 'redo', note: 'the logo is cut', by: 'oli', atMs: scene.nowMs });
      scene.nowMs += 1_000;
      expect(await redo(scene, batchId)).toEqual(said);
      await reviewMovie(scene.ledger, { ...by(scene, batchId), rowKey: 'a', verdict: 'ok', note: null });
      const records = await listAudit(scene.ledger, { object: batchId, limit: 2 });
      expect(records.map(({ act, detail }) => [act, detail.verdict, detail.before])).toEqual([
        ['review', 'ok', 'redo'],
        ['review', 'redo', null],
      ]);
    });

    test('orders nothing by itself, and moves no money', async () => {
      const { scene } = stage;
      const batchId = await delivered(scene);
      const before = await scene.batch(batchId);
      await redo(scene, batchId);
      expect(await scene.batch(batchId)).toEqual(before);
      const next = await scene.seal(['a', 'b', 'c']);
      expect(await scene.row(next, 'a')).toMatchObject({ class: 'unchanged', ordered: false });
    });

    test('of a row without a movie, and a redo that does not say why, are refused', async () => {
      const { scene } = stage;
      const batchId = await delivered(scene);
      expect(await codeOf(redo(scene, batchId, 'c'))).toBe('wrong_state');
      expect(await codeOf(redo(scene, batchId, 'x'))).toBe('unknown_row');
      expect(await codeOf(redo(scene, batchId, 'a', ' '))).toBe('bad_argument');
    });

    test('of an unchanged row is of the batch that delivered it', async () => {
      const { scene } = stage;
      const batchId = await delivered(scene);
      const next = await scene.seal(['a', 'd']);
      await redo(scene, next, 'a');
      const kept = await scene.ledger.db.selectFrom('reviews').selectAll().execute();
      expect(kept.map(({ batch_id, row_key }) => [batch_id, row_key])).toEqual([[batchId, 'a']]);
    });
  });

  suite('a movie marked redo', databases, (stage) => {
    test('is ordered again by a plan with its price, approved by somebody else, once', async () => {
      const { scene } = stage;
      const batchId = await delivered(scene);
      await redo(scene, batchId);
      const again = await planned(scene, batchId);
      expect(await scene.row(again, 'a')).toMatchObject({ class: 'redo', ordered: true, amountMinor: 100 });
      expect(await scene.batch(again)).toMatchObject({ state: 'waiting', totalMinor: 100, rowsToOrder: 1 });
      expect(await codeOf(approveBatch(scene.ledger, { ...by(scene, again), actor: oli }))).toBe('not_allowed');
      expect(await codeOf(scene.admit(again, 'a'))).toBe('wrong_state');
      await approveBatch(scene.ledger, by(scene, again, fay));
      expect((await scene.row(batchId, 'a')).attempt).toBe(1);
      await scene.deliver(again, 'a');
      expect((await scene.row(again, 'a')).attempt).toBe(2);
      expect(await codeOf(planned(scene, batchId))).toBe('wrong_state');
      const next = await scene.seal(['a'], { settings: { include: ['redo', 'failed'] } });
      expect(await scene.row(next, 'a')).toMatchObject({ class: 'unchanged', ordered: false });
    });

    test('planned twice is ordered by the plan that is approved first', async () => {
      const { scene } = stage;
      const batchId = await delivered(scene);
      await redo(scene, batchId);
      const [one, other] = [await planned(scene, batchId), await planned(scene, batchId)];
      await approveBatch(scene.ledger, by(scene, one, fay));
      expect(await codeOf(approveBatch(scene.ledger, by(scene, other, fay)))).toBe('stale_plan');
      expect(await scene.row(other, 'a')).toMatchObject({ class: 'open', ordered: false });
      expect(await codeOf(redo(scene, batchId, 'a', 'once more'))).toBe('wrong_state');
    });

    test('that is good after all is not ordered by a plan from before', async () => {
      const { scene } = stage;
      const batchId = await delivered(scene);
      await redo(scene, batchId);
      const again = await planned(scene, batchId);
      await reviewMovie(scene.ledger, { ...by(scene, batchId), rowKey: 'a', verdict: 'ok', note: null });
      expect(await codeOf(approveBatch(scene.ledger, by(scene, again, fay)))).toBe('stale_plan');
      expect(await scene.row(again, 'a')).toMatchObject({ class: 'unchanged', ordered: false });
    });

    test('is the only delivered one that can be retried; what failed again is retried from its own batch', async () => {
      const { scene } = stage;
      const batchId = await delivered(scene);
      await redo(scene, batchId);
      expect(await codeOf(planned(scene, batchId, ['b']))).toBe('wrong_state');
      const again = await planned(scene, batchId, ['a', 'c']);
      expect((await scene.batch(again)).rowsToOrder).toBe(2);
      await approveBatch(scene.ledger, by(scene, again, fay));
      await scene.order(again, 'a');
      await scene.look(again, 'a', 'failed');
      expect(await codeOf(planned(scene, batchId))).toBe('wrong_state');
      const third = await planned(scene, again, ['a']);
      expect(await scene.row(third, 'a')).toMatchObject({ class: 'failed_before', ordered: true });
    });
  });

  suite('a share link', databases, (stage) => {
    const open = ({ ledger, nowMs }: Scene, token: string) => findShareLink(ledger.db, { token, nowMs });

    test('opens one batch until its time, or until it is revoked; its token is nowhere in the books', async () => {
      const { scene } = stage;
      const batchId = await delivered(scene);
      const untilMs = scene.nowMs + 60_000;
      const { token, link } = await createShareLink(scene.ledger, { ...by(scene, batchId), untilMs });
      expect(await open(scene, token)).toEqual(link);
      expect(await open(scene, `${token}x`)).toBeNull();
      const everything = await Promise.all(
        (['share_links', 'audit'] as const).map((name) => scene.ledger.db.selectFrom(name).selectAll().execute()),
      );
      expect(JSON.stringify(everything)).not.toContain(token.slice(4));
      await revokeShareLink(scene.ledger, { ...by(scene, batchId), linkId: link.linkId });
      expect(await open(scene, token)).toBeNull();
      expect(await listShareLinks(scene.ledger, batchId)).toMatchObject([{ revokedAtMs: scene.nowMs }]);
      const second = await createShareLink(scene.ledger, { ...by(scene, batchId), untilMs });
      scene.nowMs = untilMs;
      expect(await open(scene, second.token)).toBeNull();
    });

    test('ends with the person who gave it', async () => {
      const { scene } = stage;
      const batchId = await delivered(scene);
      const { nowMs } = scene;
      await addPerson(scene.ledger, { name: 'ada', roles: ['admin'], actor: ada, nowMs });
      await addPerson(scene.ledger, { name: 'oli', roles: ['operator'], actor: ada, nowMs });
      const { token } = await createShareLink(scene.ledger, { ...by(scene, batchId), untilMs: nowMs + 60_000 });
      await removePerson(scene.ledger, { name: 'oli', actor: ada, nowMs });
      expect(await open(scene, token)).toBeNull();
    });

    test('lets a guest review, by a name that is nobody else’s, and no longer than it is open', async () => {
      const { scene } = stage;
      const batchId = await delivered(scene);
      const { token } = await createShareLink(scene.ledger, { ...by(scene, batchId), untilMs: scene.nowMs + 60_000 });
      const guest = { token, guest: 'fay) <b>', rowKey: 'a', verdict: 'redo', note: 'shorter' } as const;
      expect(await reviewAsGuest(scene.ledger, { ...guest, nowMs: scene.nowMs })).toMatchObject({
        by: 'fay b (link of oli)',
      });
      scene.nowMs += 60_000;
      expect(await codeOf(reviewAsGuest(scene.ledger, { ...guest, nowMs: scene.nowMs }))).toBe('not_allowed');
    });

    test('of a submitter is to what they submitted, and for 90 days at most', async () => {
      const { scene } = stage;
      const batchId = await delivered(scene);
      const untilMs = scene.nowMs + 60_000;
      const share = (actor: Actor, until = untilMs) =>
        codeOf(createShareLink(scene.ledger, { ...by(scene, batchId, actor), untilMs: until }));
      expect(await share(sam)).toBe('done');
      expect(await share({ ...sam, name: 'ole' })).toBe('not_allowed');
      expect(await share(oli, scene.nowMs)).toBe('bad_argument');
      expect(await share(oli, scene.nowMs + 91 * 24 * 60 * 60 * 1_000)).toBe('bad_argument');
    });
  });
}
