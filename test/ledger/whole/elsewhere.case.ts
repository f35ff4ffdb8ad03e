import { expect, test } from 'vitest';
import { countRows } from '../../../ledger/batches/rows.js';
import { sliceRows } from '../../../ledger/batches/slices.js';
import { openLedger } from '../../../ledger/ledger.js';
import { listEntries } from '../../../ledger/money/entries.js';
import { resolveUnknown } from '../../../ledger/orders/resolve-unknown.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { batchesToStart } from '../../../ledger/progress/orphans.js';
import { retryRows } from '../../../ledger/progress/retries.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { brief, fay, movieId, oli, price, type Scene, setTheScene, studio } from '../scene.js';
import { suite } from '../suite.js';
import { createPretendService } from './pretend-service.js';

const refused = (status: number) =>
  ({ kind: 'refused', status, code: 'word', message: 'words', retryAfterMs: null }) as const;

async function sent(scene: Scene, batchId: string, rowKey = 'a') {
  const admission = await scene.admit(batchId, rowKey);
  if (admission.kind !== 'send') throw new Error(`expected a send, not ${admission.kind}`);
  return admission;
}

async function kinds(scene: Scene, batchId: string): Promise<readonly string[]> {
  return (await listEntries(scene.ledger, { batchId, limit: 1_000 })).map(({ kind }) => kind);
}

/** What other systems were reported for, each as what must be true here. */
export function elsewhereCases(databases: Databases): void {
  suite('reports of other systems', databases, (stage) => {
    test('Comfy-Org/ComfyUI#16204: a create whose answer is lost n times is one movie and one bill', async () => {
      const { scene } = stage;
      const service = createPretendService();
      const batchId = await scene.make(['a']);
      for (let time = 0; time < 5; time += 1) {
        await scene.answer(batchId, 'a', service.send(await sent(scene, batchId), 'answer lost'));
        scene.nowMs += 60_000;
      }
      await scene.answer(batchId, 'a', service.send(await sent(scene, batchId), 'answered'));
      expect(service.created.size).toBe(1);
      expect(await kinds(scene, batchId)).toEqual(['commit', 'hold', 'post']);
    });

    test('apache/airflow#68974, #67118: a worker that dies before, while or after it sends makes one movie, one hold', async () => {
      const { scene } = stage;
      const service = createPretendService();
      const batchId = await scene.make(['a']);
      await sent(scene, batchId); // died before the first byte
      service.send(await sent(scene, batchId), 'answer lost'); // died waiting for the answer
      const last = await sent(scene, batchId); // died with the answer in its hands
      service.send(last, 'answered');
      await scene.answer(batchId, 'a', service.send(await sent(scene, batchId), 'answered'));
      expect([...service.created.keys()]).toEqual([last.idempotencyKey]);
      expect(await kinds(scene, batchId)).toEqual(['commit', 'hold', 'post']);
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'running' });
    });

    test.each([
      ['401', refused(401), 'unknown'],
      ['422', refused(422), 'unknown'],
      ['409', refused(409), 'ordering'],
      ['no connection', { kind: 'not_connected' } as const, 'ordering'],
    ])(
      'our own review: the first create arrived, its answer was lost, the repeat gets %s: the hold stays',
      async (_, answer, state) => {
        const { scene } = stage;
        const batchId = await scene.make(['a']);
        await sent(scene, batchId);
        await scene.answer(batchId, 'a', { kind: 'lost' });
        scene.nowMs += 60_000;
        await sent(scene, batchId);
        await scene.answer(batchId, 'a', answer);
        expect(await scene.row(batchId, 'a')).toMatchObject({ state, money: 'held' });
        scene.nowMs += 25 * 3_600_000;
        await scene.admit(batchId, 'a');
        expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held' });
        expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'unsettled' });
      },
    );

    test('AcademySoftwareFoundation/OpenCue#2438: no retry before the old run is known to be over', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await sent(scene, batchId);
      await scene.answer(batchId, 'a', { kind: 'broken' });
      const retry = () => retryRows(scene.ledger, { batchId, rowKeys: ['a'], actor: oli, nowMs: scene.nowMs });
      await expect(retry()).rejects.toMatchObject({ code: 'wrong_state' });
      const again = await scene.seal(['a'], { settings: { include: ['failed', 'canceled', 'lost'], respend: true } });
      expect(await countRows(scene.ledger, again)).toEqual({ left_out: 1 });
      const resolution = { kind: 'not_created', evidence: 'asked' } as const;
      for (const name of ['fay', 'flo']) {
        const actor = { ...fay, name };
        await resolveUnknown(scene.ledger, { batchId, rowKey: 'a', resolution, actor, nowMs: scene.nowMs });
      }
      const { batchId: second } = await retry();
      // The old answer comes after all, while the new attempt is being prepared.
      await scene.answer(batchId, 'a', { kind: 'movie', movieId: movieId(), echo: 'matches' }, 1);
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'canceled', movieId: null });
      expect(await scene.row(second, 'a')).toMatchObject({ state: 'planned' });
    });

    test('hashicorp/terraform#24078: a plan is applied once, however often it is approved', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a']);
      const approve = () => approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs });
      await Promise.all(Array.from({ length: 50 }, approve));
      await scene.deliver(batchId, 'a');
      await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      expect(await approve()).toMatchObject({ kind: 'approved' });
      expect(await kinds(scene, batchId)).toEqual(['commit', 'hold', 'post']);
    });

    test('runatlantis/atlantis#1508: one word, one byte of a file, a price or a policy later, the approval is of another plan', async () => {
      const { scene } = stage;
      const source = (sha256: string) => ({ kind: 'file', path: 'logo.png', sha256, sizeBytes: 3 }) as const;
      const withFile = (sha256: string) =>
        brief('b', { references: [{ source: source(sha256), role: 'product', description: null }] });
      const [same, other] = ['ab'.repeat(32), 'cd'.repeat(32)];
      const read = await scene.batch(await scene.seal(['a', withFile(same)]));
      const digest = read.planDigest ?? '';
      const changed = [
        await scene.seal([brief('a', { prompt: 'A runner at dawn, take A' }), withFile(same)]),
        await scene.seal(['a', withFile(other)]),
        await scene.seal(['a', withFile(same)], { amountMinor: price + 1 }),
        await scene.seal(['a', withFile(same)], { settings: { budgetPath: 'acme' } }),
      ];
      for (const batchId of changed) {
        const approval = { batchId, digest, actor: fay, nowMs: scene.nowMs };
        await expect(approveBatch(scene.ledger, approval)).rejects.toMatchObject({ code: 'other_plan' });
      }
      await scene.fund('acme/spring', 150);
      const sorted = await scene.seal([withFile(same), 'a']);
      const approval = { batchId: sorted, digest, actor: fay, nowMs: scene.nowMs };
      await expect(approveBatch(scene.ledger, approval)).rejects.toMatchObject({ code: 'no_room' });
      await scene.fund('acme/spring', 1_000);
      expect(await approveBatch(scene.ledger, approval)).toMatchObject({ kind: 'approved' });
    });

    test('LeanerCloud/CUDly#372: a crash between approval and start leaves a batch that is found and started', async () => {
      const { scene, url } = stage;
      const batchId = await scene.seal(['a', 'b']);
      await approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs });
      const other = await openLedger({ url });
      try {
        expect(await batchesToStart(other, { service: studio })).toEqual([{ batchId, state: 'making' }]);
        const after = setTheScene(other);
        for (const rowKey of ['a', 'b']) await after.deliver(batchId, rowKey);
        await settleBatch(other, { batchId, nowMs: scene.nowMs });
        expect(await batchesToStart(other, { service: studio })).toEqual([]);
      } finally {
        await other.close();
      }
    });

    test('BerriAI/litellm#33923: no price, no order', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a'], { amountMinor: 0 });
      expect(await scene.batch(batchId)).toMatchObject({ state: 'refused', money: { approved: 0 } });
      await expect(scene.admit(batchId, 'a')).rejects.toMatchObject({ code: 'wrong_state' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'planned', attempt: null });
    });

    test('BerriAI/litellm#27639: a cancel leaks no hold, wherever an order stands', async () => {
      const { scene } = stage;
      const service = createPretendService();
      const stops: Readonly<Record<string, (batchId: string) => Promise<unknown>>> = {
        'before it is admitted': async () => undefined,
        'when it is admitted': (batchId) => sent(scene, batchId),
        'when it could not be sent': async (batchId) => {
          await scene.answer(batchId, 'a', service.send(await sent(scene, batchId), 'not connected'));
        },
        'when it is refused for now': async (batchId) => {
          await scene.answer(batchId, 'a', service.send(await sent(scene, batchId), '429'));
        },
        'when its answer is lost': async (batchId) => {
          await scene.answer(batchId, 'a', service.send(await sent(scene, batchId), 'answer lost'));
        },
        'when it runs': async (batchId) => {
          await scene.answer(batchId, 'a', service.send(await sent(scene, batchId), 'answered'));
        },
      };
      for (const [where, stop] of Object.entries(stops)) {
        scene.nowMs += 60_000;
        const campaign = `c-${where.replaceAll(' ', '-')}`;
        const batchId = await scene.make(['a'], { campaign, settings: { allowDuplicates: true } });
        await stop(batchId);
        await requestCancel(scene.ledger, { batchId, rowKeys: 'all', actor: oli, reason: 'no', nowMs: scene.nowMs });
        await scene.admit(batchId, 'a');
        const row = await scene.row(batchId, 'a');
        if (row.state === 'running') await scene.look(batchId, 'a', 'canceled', { cancelSent: true });
        await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
        const { money } = await scene.batch(batchId);
        // What stays held is named as unknown; everything else is spent or given back.
        expect(money.held, where).toBe(money.unknown);
        expect(money.posted + money.returned + money.held, where).toBe(money.approved);
      }
    });

    test('BerriAI/litellm#37205: canceled work that was finished and paid is kept, and booked once', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      await requestCancel(scene.ledger, { batchId, rowKeys: 'all', actor: oli, reason: 'no', nowMs: scene.nowMs });
      await scene.look(batchId, 'a', 'completed', { cancelSent: true });
      await scene.archive(batchId, 'a');
      await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'delivered', files: [{ type: 'final_video' }] });
      expect(await kinds(scene, batchId)).toEqual(['commit', 'hold', 'post']);
    });

    test('apache/airflow#72725: rows inserted, deleted and sorted between runs inherit nothing from each other', async () => {
      const { scene } = stage;
      const first = await scene.make(['a', 'b', 'c']);
      const movies = new Map<string, string>();
      for (const rowKey of ['a', 'b', 'c']) movies.set(rowKey, await scene.deliver(first, rowKey));
      const second = await scene.make(['d', 'c', 'a']);
      expect(await countRows(scene.ledger, second)).toEqual({ planned: 1, unchanged: 2 });
      expect(await scene.row(second, 'd')).toMatchObject({ position: 0, class: 'new', movieId: null });
      await scene.deliver(second, 'd');
      for (const [rowKey, id] of movies) expect((await scene.row(first, rowKey)).movieId).toBe(id);
    });

    test('nextflow-io/nextflow#1448: killed while movies finish, the same batch goes on and orders nothing again', async () => {
      const { scene, url } = stage;
      const batchId = await scene.make(['a', 'b', 'c']);
      await scene.deliver(batchId, 'a');
      await scene.order(batchId, 'b');
      await scene.order(batchId, 'c');
      await scene.look(batchId, 'c', 'completed');
      const other = await openLedger({ url });
      try {
        const after = setTheScene(other);
        expect(await sliceRows(other, { batchId, slice: 0 })).toMatchObject({ rowKeys: ['b', 'c'] });
        for (const rowKey of ['b', 'c']) expect(await after.admit(batchId, rowKey)).toMatchObject({ kind: 'running' });
        await after.look(batchId, 'b', 'completed');
        for (const rowKey of ['b', 'c']) await after.archive(batchId, rowKey);
        expect(await settleBatch(other, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'closed' });
      } finally {
        await other.close();
      }
      expect((await kinds(scene, batchId)).filter((kind) => kind === 'hold')).toHaveLength(3);
    });

    test('snakemake/snakemake#1694: a file that was only saved again is an empty plan', async () => {
      const { scene } = stage;
      const first = await scene.make(['a', 'b']);
      for (const rowKey of ['a', 'b']) await scene.deliver(first, rowKey);
      const again = await scene.batch(await scene.seal(['b', 'a'], { manifest: 'spring (1).csv' }));
      expect(again).toMatchObject({ state: 'closed', rowsToOrder: 0, totalMinor: 0, decision: null });
    });

    test('dagster-io/dagster#15013: after a cancel in the middle of many rows not one more is begun', async () => {
      const { scene } = stage;
      const keys = Array.from({ length: 200 }, (_, index) => `row-${index}`);
      const batchId = await scene.make(keys);
      const lanes = keys.map((rowKey, index) => async () => {
        if (index !== 90) return (await scene.admit(batchId, rowKey)).kind;
        await requestCancel(scene.ledger, { batchId, rowKeys: 'all', actor: oli, reason: 'no', nowMs: scene.nowMs });
        return 'cancel';
      });
      const done = await Promise.all(lanes.map((lane) => lane()));
      const [cancel] = (
        await scene.ledger.db.selectFrom('audit').selectAll().where('act', '=', 'cancel').execute()
      ).map(({ after_entry, after_send }) => ({ after_entry, after_send }));
      const holds = await listEntries(scene.ledger, { batchId, after: cancel?.after_entry ?? 0, limit: 1_000 });
      expect(holds.filter(({ kind }) => kind === 'hold')).toEqual([]);
      const sends = await scene.ledger.db.selectFrom('sends').selectAll().execute();
      expect(sends.filter(({ send_id }) => send_id > (cancel?.after_send ?? 0))).toEqual([]);
      const { canceled = 0, ordering = 0 } = await countRows(scene.ledger, batchId);
      expect(canceled + ordering).toBe(200);
      expect(done.filter((kind) => kind === 'send')).toHaveLength(ordering);
    });

    test('several video tools: a batch is not done while one file is missing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.deliver(batchId, 'a');
      await scene.order(batchId, 'b');
      for (const status of ['rendering', 'completed']) {
        await scene.look(batchId, 'b', status);
        expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'making' });
      }
      await scene.archive(batchId, 'b');
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'closed' });
    });
  });
}
