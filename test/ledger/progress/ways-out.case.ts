import { expect, test } from 'vitest';
import { isTerminal, type RowState } from '../../../domain/row-state.js';
import { LedgerError } from '../../../ledger/ledger.js';
import type { Resolution } from '../../../ledger/orders/proposals.js';
import { resolveUnknown } from '../../../ledger/orders/resolve-unknown.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { recordArchiveAlarm, recordLost } from '../../../ledger/progress/deliveries.js';
import { refetchRows, retryRows } from '../../../ledger/progress/retries.js';
import { continueBatch, pauseBatch, resumeBatch } from '../../../ledger/stops/stops.js';
import type { Databases } from '../databases.js';
import { fay, movieId, oli, type Scene } from '../scene.js';
import { suite } from '../suite.js';

const refused = { kind: 'refused', status: 400, code: 'no', message: 'no', retryAfterMs: null } as const;
const by = (scene: Scene, batchId: string) => ({ batchId, actor: oli, nowMs: scene.nowMs });

/** How row `a` of a batch gets into each state, beside a row that keeps the batch in the making where it can. */
const situations = {
  planned: async () => undefined,
  blocked: async (scene, batchId) => {
    await pauseBatch(scene.ledger, by(scene, batchId));
    await scene.admit(batchId, 'a');
  },
  'ordering, nothing sent': async (scene, batchId) => {
    await scene.admit(batchId, 'a');
    await scene.answer(batchId, 'a', { kind: 'not_connected' });
  },
  'ordering, answer lost': async (scene, batchId) => {
    await scene.admit(batchId, 'a');
    await scene.answer(batchId, 'a', { kind: 'lost' });
  },
  'ordering, answer lost, stopped': async (scene, batchId) => {
    await situations['ordering, answer lost'](scene, batchId);
    await pauseBatch(scene.ledger, by(scene, batchId));
  },
  unknown: async (scene, batchId) => {
    await scene.admit(batchId, 'a');
    await scene.answer(batchId, 'a', { kind: 'broken' });
  },
  'unknown, canceled': async (scene, batchId) => {
    await situations.unknown(scene, batchId);
    await requestCancel(scene.ledger, { ...by(scene, batchId), rowKeys: ['a'], reason: 'no' });
  },
  running: async (scene, batchId) => void (await scene.order(batchId, 'a')),
  'running a movie that a person named': async (scene, batchId) => {
    await situations.unknown(scene, batchId);
    await resolve(scene, batchId, { kind: 'created', movieId: movieId() });
  },
  'overdue, 404 for ever': async (scene, batchId) => {
    await scene.order(batchId, 'a');
    scene.nowMs += 24 * 3_600_000;
    await scene.look(batchId, 'a', '', { kind: 'unanswered', alarm: 'the service answered 404' });
  },
  'archiving, files that cannot be had': async (scene, batchId) => {
    await scene.order(batchId, 'a');
    await scene.look(batchId, 'a', 'completed');
    await recordArchiveAlarm(scene.ledger, {
      batchId,
      rowKey: 'a',
      message: 'the service answered 500',
      nowMs: scene.nowMs,
    });
  },
  delivered: async (scene, batchId) => void (await scene.deliver(batchId, 'a')),
  rejected: async (scene, batchId) => {
    await scene.admit(batchId, 'a');
    await scene.answer(batchId, 'a', refused);
  },
  failed: async (scene, batchId) => {
    await scene.order(batchId, 'a');
    await scene.look(batchId, 'a', 'failed');
  },
  canceled: async (scene, batchId) => {
    await requestCancel(scene.ledger, { ...by(scene, batchId), rowKeys: ['a'], reason: 'no' });
  },
  lost: async (scene, batchId) => {
    await scene.order(batchId, 'a');
    await scene.look(batchId, 'a', 'completed');
    await recordLost(scene.ledger, { batchId, rowKey: 'a', reason: 'gone', nowMs: scene.nowMs });
  },
} satisfies Record<string, (scene: Scene, batchId: string) => Promise<void>>;

async function resolve(scene: Scene, batchId: string, resolution: Resolution): Promise<void> {
  for (const name of ['fay', 'flo']) {
    const request = { batchId, rowKey: 'a', resolution, movie: {}, nowMs: scene.nowMs };
    await resolveUnknown(scene.ledger, { ...request, actor: { ...fay, name } });
  }
}

const evidence = 'their support says so';

/** Everything that a person may do about a row. */
const acts = {
  cancel: (scene, batchId) => requestCancel(scene.ledger, { ...by(scene, batchId), rowKeys: ['a'], reason: 'a test' }),
  created: (scene, batchId) => resolve(scene, batchId, { kind: 'created', movieId: movieId() }),
  'not created': (scene, batchId) => resolve(scene, batchId, { kind: 'not_created', evidence }),
  lost: (scene, batchId) => resolve(scene, batchId, { kind: 'lost', evidence }),
  resend: (scene, batchId) => resolve(scene, batchId, { kind: 'resend' }),
  retry: (scene, batchId) => retryRows(scene.ledger, { ...by(scene, batchId), rowKeys: ['a'] }),
  refetch: (scene, batchId) => refetchRows(scene.ledger, { ...by(scene, batchId), rowKeys: ['a'] }),
  pause: (scene, batchId) => pauseBatch(scene.ledger, by(scene, batchId)),
  resume: (scene, batchId) => resumeBatch(scene.ledger, by(scene, batchId)),
  continue: (scene, batchId) => continueBatch(scene.ledger, by(scene, batchId)),
} satisfies Record<string, (scene: Scene, batchId: string) => Promise<unknown>>;

/** `no`: refused, and nothing changed. `–`: nothing to do. `marked`: canceled as soon as its outcome is known. */
const heads = [
  'cancel',
  'created',
  'not created',
  'lost',
  'resend',
  'retry',
  'refetch',
  'pause',
  'resume',
  'continue',
] as const;
const table: Readonly<Record<keyof typeof situations, string>> = {
  planned: 'canceled no no no no no no – – –',
  blocked: 'canceled no no no no no no – – –',
  'ordering, nothing sent': 'canceled no no no no no no – – –',
  'ordering, answer lost': 'marked no no no no no no – – –',
  'ordering, answer lost, stopped': 'marked no no no no no no – – –',
  unknown: 'marked running canceled no ordering no no – – –',
  'unknown, canceled': '– running canceled no no no no – – –',
  running: 'marked no no no no no no – – –',
  'running a movie that a person named': 'marked running no no no no no – – –',
  'overdue, 404 for ever': 'marked no canceled lost no no no – – –',
  'archiving, files that cannot be had': '– no no lost no no no – – –',
  delivered: '– no no no no no no – – –',
  rejected: '– no no no no no no – – –',
  failed: '– no no no no again no – – –',
  canceled: '– no no no no again no – – –',
  lost: '– no no no no again archiving – – –',
};

async function outcome(scene: Scene, batchId: string, act: (typeof heads)[number]): Promise<string> {
  const before = await scene.row(batchId, 'a');
  const answer = await acts[act](scene, batchId).catch((error: unknown) => error);
  if (answer instanceof Error && !(answer instanceof LedgerError)) throw answer;
  const after = await scene.row(batchId, 'a');
  if (answer instanceof LedgerError) {
    expect({ ...after }, `${act} was refused`).toEqual(before);
    return 'no';
  }
  if (act === 'retry') return 'again';
  if (after.state !== before.state || after.movieId !== before.movieId) return after.state;
  return after.cancelRequested && !before.cancelRequested ? 'marked' : '–';
}

let campaigns = 0;

export function waysOutCases(databases: Databases): void {
  suite('a way out', databases, (stage) => {
    const names = Object.keys(situations) as (keyof typeof situations)[];

    test.each(names)('%s: what each act of a person does', async (name) => {
      const { scene } = stage;
      const found: string[] = [];
      for (const act of heads) {
        campaigns += 1;
        const settings = { allowDuplicates: true };
        const batchId = await scene.make(['a', 'b'], { campaign: `way-${campaigns}`, settings });
        await scene.order(batchId, 'b');
        await situations[name](scene, batchId);
        expect(name).toContain((await scene.row(batchId, 'a')).state);
        found.push(await outcome(scene, batchId, act));
      }
      expect(found.join(' ')).toBe(table[name]);
    });

    test('every state that is no end has an act that leads out, and every end after money a way to try again', () => {
      for (const name of names) {
        const [state = ''] = name.split(/[ ,]/);
        const leads = table[name].split(' ').filter((cell) => cell !== 'no' && cell !== '–');
        const needsNone = state === 'delivered' || state === 'rejected';
        expect(leads.length > 0 || needsNone, name).toBe(true);
        if (!isTerminal(state as RowState)) expect(leads, name).not.toEqual(['again']);
      }
    });

    test('a cancel that is marked ends the row as soon as the outcome is known', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await situations['ordering, answer lost'](scene, batchId);
      await acts.cancel(scene, batchId);
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held' });
      await acts['not created'](scene, batchId);
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'canceled', money: 'released' });
    });

    test('a stuck movie alarms by the policy’s deadline, and keeps its alarm whatever a look shows', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.order(batchId, 'a');
      scene.nowMs += 24 * 3_600_000 - 1;
      await scene.look(batchId, 'a', 'rendering');
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'running', alarm: null });
      scene.nowMs += 1;
      await scene.look(batchId, 'a', 'rendering');
      await scene.look(batchId, 'a', 'rendering');
      expect(await scene.row(batchId, 'a')).toMatchObject({
        ...{ state: 'overdue', alarm: 'not finished by its deadline' },
      });
      await scene.look(batchId, 'a', '', { kind: 'unanswered', alarm: 'the service answered 404' });
      expect((await scene.row(batchId, 'a')).alarm).toBe('not finished by its deadline; the service answered 404');
      await scene.look(batchId, 'a', 'completed');
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'archiving', alarm: null });
    });

    test('money of an overdue movie that was never made comes back; of one that is given up it stays paid', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await situations['overdue, 404 for ever'](scene, batchId);
      await acts['not created'](scene, batchId);
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 100, refunded: 100, held: 0 });
      const other = await scene.make(['a', 'b'], { campaign: 'other', settings: { allowDuplicates: true } });
      await situations['overdue, 404 for ever'](scene, other);
      await acts.lost(scene, other);
      expect(await scene.row(other, 'a')).toMatchObject({ reason: `given up: ${evidence}` });
      expect((await scene.batch(other)).money).toMatchObject({ posted: 100, refunded: 0, held: 0 });
    });

    test('a row whose brief was changed behind our back says so, is never sent, and can be canceled', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await situations.blocked(scene, batchId);
      await resumeBatch(scene.ledger, by(scene, batchId));
      const row = scene.ledger.db.updateTable('rows').where('batch_id', '=', batchId).where('row_key', '=', 'a');
      const { brief } = await scene.row(batchId, 'a');
      await row.set({ brief: JSON.stringify({ ...brief, prompt: 'Another prompt' }) }).execute();
      await expect(scene.admit(batchId, 'a')).rejects.toMatchObject({ code: 'corrupt_books' });
      expect(await scene.row(batchId, 'a')).toMatchObject({
        ...{ state: 'planned', blocked: null, alarm: expect.stringContaining('its brief is not the one that was') },
      });
      await acts.cancel(scene, batchId);
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'canceled', alarm: null });
      await row.set({ brief: JSON.stringify(brief) }).execute();
    });

    test.each(['cancel', 'retry', 'refetch'] as const)('%s of a row that is not there does nothing', async (act) => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.deliver(batchId, 'a');
      const request = { ...by(scene, batchId), rowKeys: ['a', 'nope'], reason: 'a test' };
      const asked = { cancel: requestCancel, retry: retryRows, refetch: refetchRows }[act];
      await expect(asked(scene.ledger, request)).rejects.toMatchObject({ code: 'unknown_row' });
    });
  });
}
