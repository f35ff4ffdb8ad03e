import { expect, test } from 'vitest';
import type { CreateAnswer } from '../../../domain/answers/create-answer.js';
import { idempotencyModes } from '../../../domain/answers/create-outcome.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import { alarmGroups } from '../../../ledger/batches/alarms.js';
import { listEntries } from '../../../ledger/money/entries.js';
import { recordAnswer } from '../../../ledger/orders/record-answer.js';
import { resolveUnknown } from '../../../ledger/orders/resolve-unknown.js';
import { ledgerFaults } from '../../../ledger/progress/orphans.js';
import { retryRows } from '../../../ledger/progress/retries.js';
import { resumeBatch } from '../../../ledger/stops/stops.js';
import type { Databases } from '../databases.js';
import { ada, fay, movieId, oli, type Scene } from '../scene.js';
import { suite } from '../suite.js';

const hourMs = 3_600_000;
const refused = (status: number): CreateAnswer => ({
  ...{ kind: 'refused', status, code: 'word', message: 'words', retryAfterMs: null },
});
const answers: Readonly<Record<string, () => CreateAnswer>> = {
  movie: () => ({ kind: 'movie', movieId: movieId(), echo: 'matches' }),
  'other echo': () => ({ kind: 'movie', movieId: movieId(), echo: 'differs' }),
  'no id': () => ({ kind: 'broken' }),
  'not connected': () => ({ kind: 'not_connected' }),
  'held back': () => ({ kind: 'withheld', why: 'ordering was stopped' }),
  '429': () => refused(429),
  '400': () => refused(400),
  '404': () => refused(404),
  '413': () => refused(413),
  '415': () => refused(415),
  '422': () => refused(422),
  '401': () => refused(401),
  '402': () => refused(402),
  '403': () => refused(403),
  '409': () => refused(409),
  lost: () => ({ kind: 'lost' }),
};

interface Cell {
  readonly state: string;
  readonly held: number;
  readonly posted: number;
  readonly stop?: 'credentials';
}
const posted: Cell = { state: 'running', held: 0, posted: 100 };
const unknown: Cell = { state: 'unknown', held: 100, posted: 0 };
const waits: Cell = { state: 'ordering', held: 100, posted: 0 };
const rejected: Cell = { state: 'rejected', held: 0, posted: 0 };
const replanned: Cell = { state: 'blocked', held: 0, posted: 0, stop: 'credentials' };
const stopped: Cell = { ...unknown, stop: 'credentials' };

/** First send, later send, and the first where the service does not replay a key. */
const table: Readonly<Record<string, readonly [first: Cell, later: Cell, withoutReplay: Cell]>> = {
  movie: [posted, posted, posted],
  'other echo': [posted, posted, posted],
  'no id': [unknown, unknown, unknown],
  'not connected': [waits, waits, waits],
  'held back': [waits, waits, waits],
  '429': [waits, waits, waits],
  '400': [rejected, unknown, rejected],
  '404': [rejected, unknown, rejected],
  '413': [rejected, unknown, rejected],
  '415': [rejected, unknown, rejected],
  '422': [rejected, unknown, rejected],
  '401': [replanned, stopped, replanned],
  '402': [replanned, stopped, replanned],
  '403': [replanned, stopped, replanned],
  '409': [waits, waits, unknown],
  lost: [waits, waits, unknown],
};

async function where(scene: Scene, batchId: string): Promise<Cell> {
  const { state } = await scene.row(batchId, 'a');
  const { money, stops } = await scene.batch(batchId);
  const cell = { state, held: money.held, posted: money.posted };
  return stops.some(({ kind }) => kind === 'credentials') ? { ...cell, stop: 'credentials' } : cell;
}

/** Movies that came when their row had gone on, as the audit has them. */
async function lateAnswers(scene: Scene, batchId: string): Promise<readonly unknown[]> {
  const events = await listAudit(scene.ledger, { object: batchId, limit: 50 });
  return events.filter(({ act }) => act === 'late_answer').map(({ detail }) => detail.movie_id);
}

async function setMode(scene: Scene, mode: (typeof idempotencyModes)[number]): Promise<void> {
  await setPolicy(scene.ledger, { change: { idempotency: { mode, windowHours: 24 } }, actor: ada, nowMs: scene.nowMs });
}

export function answersCases(databases: Databases): void {
  suite('the answer to a send', databases, (stage) => {
    const cells = Object.keys(table).flatMap((name) => idempotencyModes.map((mode) => ({ name, mode })));

    test.each(cells)('$name to the first send, $mode', async ({ name, mode }) => {
      const { scene } = stage;
      await setMode(scene, mode);
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', answers[name]?.() ?? { kind: 'lost' });
      const [first, , withoutReplay] = table[name] ?? [];
      expect(await where(scene, batchId)).toEqual(mode === 'replay' ? first : withoutReplay);
    });

    test.each(Object.keys(table))('%s after a send that may have arrived', async (name) => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'lost' });
      scene.nowMs += 1_000;
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send', attempt: 1 });
      await scene.answer(batchId, 'a', answers[name]?.() ?? { kind: 'lost' });
      const [, later] = table[name] ?? [];
      expect(await where(scene, batchId)).toEqual(later);
    });

    test.each(['not connected', 'held back', '429'])('%s leaves the mark of an earlier send', async (name) => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'lost' });
      for (let round = 0; round < 3; round += 1) {
        scene.nowMs += 60_000;
        await scene.admit(batchId, 'a');
        await scene.answer(batchId, 'a', answers[name]?.() ?? { kind: 'lost' });
        const said =
          name === 'held back' ? /^ordering was stopped$/ : new RegExp(`; sent ${round + 2} times, tried again`);
        expect((await scene.row(batchId, 'a')).alarm).toMatch(said);
      }
      scene.nowMs += 60_000;
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', refused(422));
      expect(await where(scene, batchId)).toEqual(unknown);
      // What was held back was none.
      expect((await scene.row(batchId, 'a')).reason).toContain(name === 'held back' ? ' (2 sends)' : ' (5 sends)');
    });

    test('every earlier send proved unsent is as good as none', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      for (const answer of [{ kind: 'not_connected' } as const, refused(429), { kind: 'not_connected' } as const]) {
        await scene.admit(batchId, 'a');
        await scene.answer(batchId, 'a', answer);
        scene.nowMs += 60_000;
      }
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send', attempt: 1 });
      await scene.answer(batchId, 'a', refused(422));
      expect(await where(scene, batchId)).toEqual(rejected);
    });

    test('waits longer from send to send, up to a minute, and says so on the row', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const delays: number[] = [];
      const beganMs = scene.nowMs;
      for (let round = 0; round < 8; round += 1) {
        await scene.admit(batchId, 'a');
        const recorded = await scene.answer(batchId, 'a', { kind: 'not_connected' });
        if (recorded.kind !== 'wait') throw new Error(recorded.kind);
        delays.push(recorded.delayMs);
        scene.nowMs += recorded.delayMs;
      }
      expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
      expect((await scene.row(batchId, 'a')).alarm).toContain('cannot be reached; sent 8 times');
      const since = async () => (await alarmGroups(scene.ledger.db, batchId)).map(({ sinceMs }) => sinceMs);
      expect(await since()).toEqual([beganMs]);
      const otherMs = scene.nowMs;
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', refused(429));
      expect(await since()).toEqual([otherMs]);
    });

    test('our credentials stop the batch and not the row, which is ordered anew once they are good', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.admit(batchId, 'a');
      expect(await scene.answer(batchId, 'a', refused(401))).toEqual({ kind: 'blocked' });
      expect(await scene.admit(batchId, 'b')).toEqual({ kind: 'blocked', reason: 'credentials' });
      expect((await scene.batch(batchId)).stops).toMatchObject([
        { kind: 'credentials', endsBy: 'operator', command: `greenlight resume ${batchId}` },
      ]);
      await resumeBatch(scene.ledger, { batchId, actor: oli, nowMs: scene.nowMs });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send', attempt: 2 });
      await scene.answer(batchId, 'a', { kind: 'movie', movieId: movieId(), echo: 'matches' });
      const entries = (await listEntries(scene.ledger, { batchId, limit: 10 })).map(({ kind, attempt }) => [
        kind,
        attempt,
      ]);
      expect(entries).toEqual([
        ...[
          ['commit', null],
          ['hold', 1],
          ['release', 1],
        ],
        ...[
          ['hold', 2],
          ['post', 2],
        ],
      ]);
    });

    test('a movie with other words than were sent is followed, with an alarm', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'movie', movieId: movieId(), echo: 'differs' });
      expect(await scene.row(batchId, 'a')).toMatchObject({
        ...{ state: 'running', alarm: expect.stringContaining('does not match the order') },
      });
    });

    test('a movie that pays for another order proves nothing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const first = await scene.order(batchId, 'a');
      await scene.admit(batchId, 'b');
      await scene.answer(batchId, 'b', { kind: 'movie', movieId: first, echo: 'matches' });
      expect(await scene.row(batchId, 'b')).toMatchObject({
        ...{ state: 'unknown', money: 'held' },
        reason: `the service answered with movie ${first}, which is another order's (1 send)`,
      });
      expect((await scene.batch(batchId)).stops).toEqual([]);
    });

    test('the window of a key begins with the first send that may have arrived, and a repeat does not begin it anew', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'not_connected' });
      scene.nowMs += 5 * hourMs; // so far nothing has arrived
      const sentMs = scene.nowMs;
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'lost' });
      for (const hours of [10, 20, 23]) {
        scene.nowMs = sentMs + hours * hourMs;
        expect(await scene.admit(batchId, 'a'), `${hours} h`).toMatchObject({ kind: 'send', attempt: 1 });
        await scene.answer(batchId, 'a', { kind: 'lost' });
      }
      scene.nowMs += hourMs;
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', alarm: null });
    });

    test('a lost answer after the window of the key is not repeated, however late its send was', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'lost' });
      scene.nowMs += 23 * hourMs;
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
      scene.nowMs += hourMs;
      await scene.answer(batchId, 'a', { kind: 'lost' });
      expect(await where(scene, batchId)).toEqual(unknown);
    });

    test('the service’s own name of a request is in what the row says', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c', 'd']);
      const answer = async (rowKey: string, said: CreateAnswer) => {
        const admission = await scene.admit(batchId, rowKey);
        if (admission.kind !== 'send') throw new Error(admission.kind);
        const { attempt, send } = admission;
        const of = { batchId, rowKey, attempt, send, requestId: 'req_77', followInMs: 0 };
        await recordAnswer(scene.ledger, { ...of, answer: said });
        const { reason, alarm } = await scene.row(batchId, rowKey);
        return alarm ?? reason;
      };
      expect(await answer('a', refused(422))).toBe('the service answered 422 word: words (request req_77)');
      const answered = { status: 503, code: null, message: 'busy' };
      expect(await answer('b', { kind: 'lost', answered })).toMatch(
        /^the service answered 503: busy;.*\(request req_77\)/,
      );
      expect(await answer('c', { kind: 'broken' })).toContain('(request req_77)');
      await scene.admit(batchId, 'd');
      const movie = { kind: 'movie', movieId: movieId(), echo: 'matches' } as const;
      const accepted = { batchId, rowKey: 'd', attempt: 1, requestId: 'req_77', followInMs: 0, answer: movie };
      expect(await recordAnswer(scene.ledger, accepted)).toMatchObject({ kind: 'running' });
      expect(await scene.row(batchId, 'd')).toMatchObject({ state: 'running', reason: null, alarm: null });
    });

    test('an answer for a row that the batch does not have is refused; the one that comes with it counts', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      const answer = { kind: 'movie', movieId: movieId(), echo: 'matches' } as const;
      const [one, other] = await Promise.allSettled(
        ['z', 'a'].map((rowKey) =>
          recordAnswer(scene.ledger, { batchId, rowKey, attempt: 1, answer, followInMs: 1_000 }),
        ),
      );
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'unknown_row' } });
      expect(other).toMatchObject({ status: 'fulfilled', value: { kind: 'running' } });
    });

    test('the same answer twice posts once', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      const answer = { kind: 'movie', movieId: movieId(), echo: 'matches' } as const;
      expect(await scene.answer(batchId, 'a', answer)).toMatchObject({ kind: 'running' });
      expect(await scene.answer(batchId, 'a', answer)).toEqual({ kind: 'running', soon: false });
      await scene.look(batchId, 'a', 'completed');
      expect(await scene.answer(batchId, 'a', answer)).toEqual({ kind: 'running', soon: false });
      await scene.archive(batchId, 'a');
      expect(await scene.answer(batchId, 'a', answer)).toEqual({ kind: 'settled' });
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 0, posted: 100 });
      expect(await lateAnswers(scene, batchId)).toEqual([]);
    });

    test('two sends under way: the first to be accepted counts, the other answer changes nothing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.admit(batchId, 'a');
      const answer = { kind: 'movie', movieId: movieId(), echo: 'matches' } as const;
      await scene.answer(batchId, 'a', answer);
      expect(await scene.answer(batchId, 'a', refused(422))).toMatchObject({ kind: 'running' });
      expect(await where(scene, batchId)).toEqual(posted);
      expect(await lateAnswers(scene, batchId)).toEqual([]);
    });

    test('an answer that comes after the row was given up as unknown is the proof that it lacked', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      scene.nowMs += 25 * 3_600_000;
      await scene.admit(batchId, 'a');
      expect(await where(scene, batchId)).toEqual(unknown);
      await scene.answer(batchId, 'a', { kind: 'movie', movieId: movieId(), echo: 'matches' });
      expect(await where(scene, batchId)).toEqual(posted);
    });

    test('what was held back is no send, neither in what the row says nor in how long it waits', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      for (const [waitsMs, said] of [
        [1_000, 'sent once, tried again'],
        [2_000, 'sent 2 times, tried again'],
      ] as const) {
        await scene.admit(batchId, 'a');
        await scene.answer(batchId, 'a', { kind: 'withheld', why: 'ordering was stopped' });
        expect((await scene.row(batchId, 'a')).alarm).toBe('ordering was stopped');
        scene.nowMs += 60_000;
        await scene.admit(batchId, 'a');
        const recorded = await scene.answer(batchId, 'a', { kind: 'not_connected' });
        expect(recorded).toMatchObject({ kind: 'wait', delayMs: waitsMs });
        expect((await scene.row(batchId, 'a')).alarm).toContain(said);
        scene.nowMs += 60_000;
      }
    });

    const proofless = Object.keys(table).filter((name) => answers[name]?.().kind !== 'movie');

    test.each(proofless)('%s that comes after the row was given up as unknown decides nothing', async (name) => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      scene.nowMs += 25 * 3_600_000;
      await scene.admit(batchId, 'a');
      const before = await scene.row(batchId, 'a');
      expect(await scene.answer(batchId, 'a', answers[name]?.() ?? { kind: 'lost' })).toEqual({ kind: 'settled' });
      expect(await where(scene, batchId)).toEqual(unknown);
      expect(await scene.row(batchId, 'a')).toEqual(before);
    });

    test('a late answer of an old attempt is not taken for that of the next one, which waits for its own', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', refused(401));
      expect(await scene.row(batchId, 'a')).toMatchObject({ blocked: { reason: 'credentials', sinceMs: scene.nowMs } });
      expect(await scene.answer(batchId, 'a', refused(400), 1)).toEqual({ kind: 'blocked' });
      await resumeBatch(scene.ledger, { batchId, actor: oli, nowMs: scene.nowMs });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send', attempt: 2 });
      expect(await scene.answer(batchId, 'a', refused(400), 1)).toEqual({
        ...{ kind: 'wait', delayMs: 1_000, message: 'another send of the row is under way' },
      });
      expect(await lateAnswers(scene, batchId)).toEqual([]);
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'ordering', attempt: 2, money: 'held' });
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 100, posted: 0 });
    });

    test('a movie of the order of the same name in another campaign is not believed', async () => {
      const { scene } = stage;
      const other = await scene.make(['a'], { campaign: 'winter' });
      const taken = await scene.order(other, 'a');
      const batchId = await scene.make(['a'], { settings: { allowDuplicates: true } });
      const admission = await scene.admit(batchId, 'a');
      if (admission.kind !== 'send') throw new Error('it was not admitted');
      const answer = { kind: 'movie', movieId: taken, echo: 'matches' } as const;
      const { attempt, send } = admission;
      await recordAnswer(scene.ledger, { batchId, rowKey: 'a', attempt, send, answer, followInMs: 0 });
      expect(await scene.row(batchId, 'a')).toMatchObject({
        ...{ state: 'unknown', money: 'held', movieId: null },
        reason: `the service answered with movie ${taken}, which is another order's (1 send)`,
      });
      expect(await scene.row(other, 'a')).toMatchObject({ state: 'running', movieId: taken });
    });

    test('an accepted order is looked at first when its answer says, and nothing is left of why it was unknown', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.order(batchId, 'a');
      const accepted = { state: 'running', serviceStatus: 'queued', reason: null, alarm: null };
      const ofNow = { orderedAtMs: scene.nowMs, nextLookAtMs: scene.nowMs + 1_000 };
      expect(await scene.row(batchId, 'a')).toMatchObject({ ...accepted, ...ofNow });
      await scene.admit(batchId, 'b');
      await scene.answer(batchId, 'b', { kind: 'broken' });
      expect((await scene.row(batchId, 'b')).reason).not.toBeNull();
      await scene.answer(batchId, 'b', { kind: 'movie', movieId: movieId(), echo: 'matches' });
      expect(await scene.row(batchId, 'b')).toMatchObject({ ...accepted, ...ofNow });
    });

    test('an accepted order is an answer to its send, be it named or not', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const named = await scene.order(batchId, 'a');
      await scene.admit(batchId, 'b');
      const unnamed = movieId();
      await scene.answer(batchId, 'b', { kind: 'movie', movieId: unnamed, echo: 'matches' });
      const sends = await scene.ledger.db
        .selectFrom('sends')
        .select(['answered_ms', 'answer'])
        .orderBy('row_key')
        .execute();
      expect(sends).toEqual([
        { answered_ms: scene.nowMs, answer: expect.stringContaining(named) },
        { answered_ms: scene.nowMs, answer: expect.stringContaining(unnamed) },
      ]);
    });

    test('nor is a late movie of an old attempt taken for that of the next one', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const first = await scene.admit(batchId, 'a');
      if (first.kind !== 'send') throw new Error('it was not admitted');
      await scene.answer(batchId, 'a', refused(401));
      await resumeBatch(scene.ledger, { batchId, actor: oli, nowMs: scene.nowMs });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send', attempt: 2 });
      const late = { kind: 'movie', movieId: movieId(), echo: 'matches' } as const;
      await recordAnswer(scene.ledger, {
        ...{ batchId, rowKey: 'a', attempt: first.attempt, send: first.send, answer: late, followInMs: 0 },
      });
      expect(await lateAnswers(scene, batchId)).toEqual([late.movieId]);
      expect(await scene.row(batchId, 'a')).toMatchObject({
        state: 'ordering',
        attempt: 2,
        money: 'held',
        movieId: null,
      });
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 100, posted: 0 });
    });

    test('a late answer of an old attempt is recorded and not applied', async () => {
      const { scene } = stage;
      const first = await scene.make(['a']);
      await scene.admit(first, 'a');
      await scene.answer(first, 'a', { kind: 'broken' });
      const request = { batchId: first, rowKey: 'a', nowMs: scene.nowMs };
      const resolution = { kind: 'not_created', evidence: 'their support says so' } as const;
      for (const name of ['fay', 'flo']) {
        await resolveUnknown(scene.ledger, { ...request, resolution, actor: { ...fay, name } });
      }
      const { batchId: second } = await retryRows(scene.ledger, {
        batchId: first,
        rowKeys: 'all',
        actor: oli,
        nowMs: scene.nowMs,
      });
      const late = movieId();
      await recordAnswer(scene.ledger, {
        ...{ batchId: first, rowKey: 'a', attempt: 1, followInMs: 0 },
        answer: { kind: 'movie', movieId: late, echo: 'matches' },
      });
      expect(await scene.row(first, 'a')).toMatchObject({ state: 'canceled', money: 'released', movieId: null });
      expect((await scene.batch(first)).money).toMatchObject({ posted: 0 });
      expect(await scene.row(second, 'a')).toMatchObject({ state: 'planned' });
      const [event] = await listAudit(scene.ledger, { object: first, limit: 1 });
      expect(event).toMatchObject({ act: 'late_answer', detail: { row: 'a', movie_id: late } });
      expect(await ledgerFaults(scene.ledger)).toMatchObject([{ kind: 'late_movie', batchId: first, rowKey: 'a' }]);
    });
  });
}
