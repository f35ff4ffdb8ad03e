import { DefaultQueryExecutor } from 'kysely';
import { expect, test } from 'vitest';
import type { CreateAnswer } from '../../../domain/answers/create-answer.js';
import { type Admission, admitRow } from '../../../ledger/orders/admission.js';
import { recordAnswer } from '../../../ledger/orders/record-answer.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { recordPolls } from '../../../ledger/progress/polls.js';
import type { Databases } from '../databases.js';
import { movieId, oli, type Scene, studio } from '../scene.js';
import { suite } from '../suite.js';

const keysOf = (count: number, prefix = 'row') => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
const accepted = (id = movieId()): CreateAnswer => ({ kind: 'movie', movieId: id, echo: 'matches' });

/** What becomes of rows that are asked for at one moment. */
async function admitAll(scene: Scene, batchId: string, rowKeys: readonly string[]): Promise<readonly Admission[]> {
  return Promise.all(rowKeys.map((rowKey) => admitRow(scene.ledger, { batchId, rowKey, service: studio })));
}

/** The first answer to each of them, at one moment. */
async function answerAll(scene: Scene, batchId: string, answers: Readonly<Record<string, CreateAnswer>>) {
  const admissions = await admitAll(scene, batchId, Object.keys(answers));
  return Promise.all(
    Object.entries(answers).map(([rowKey, answer], index) => {
      const admission = admissions[index];
      if (admission?.kind !== 'send') throw new Error(`Cannot answer ${rowKey}: it is ${admission?.kind}`);
      const { attempt, send } = admission;
      return recordAnswer(scene.ledger, { batchId, rowKey, attempt, send, answer, followInMs: 1_000 });
    }),
  );
}

/** Statements that the work runs, without the begin and the end of transactions. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const { executeQuery } = DefaultQueryExecutor.prototype;
  let statements = 0;
  DefaultQueryExecutor.prototype.executeQuery = function (this: DefaultQueryExecutor, ...args) {
    // The clock of the ledger measures the server's now and then.
    if (!args[0].sql.includes('clock_timestamp')) statements += 1;
    return executeQuery.apply(this, args);
  } as typeof executeQuery;
  try {
    await work();
  } finally {
    DefaultQueryExecutor.prototype.executeQuery = executeQuery;
  }
  return statements;
}

/** Statements of each step in the books of movies that take it at one moment. */
async function stepsOf(scene: Scene, batchId: string, rowKeys: readonly string[]): Promise<readonly number[]> {
  const movies = new Map(rowKeys.map((rowKey) => [rowKey, movieId()]));
  let admissions: readonly Admission[] = [];
  const admitting = await statementsOf(async () => {
    admissions = await admitAll(scene, batchId, rowKeys);
  });
  const answering = await statementsOf(() =>
    Promise.all(
      rowKeys.map((rowKey, index) => {
        const admission = admissions[index];
        if (admission?.kind !== 'send') throw new Error(`Cannot go on: ${rowKey} is ${admission?.kind}`);
        const { attempt, send } = admission;
        const answer = accepted(movies.get(rowKey));
        return recordAnswer(scene.ledger, { batchId, rowKey, attempt, send, answer, followInMs: 0 });
      }),
    ),
  );
  const looks = rowKeys.map((rowKey) => ({
    ...({ kind: 'answered', status: 'completed', percent: 100, stage: null, error: null } as const),
    ...{ rowKey, movieId: movies.get(rowKey) ?? '', cancelSent: false, followAtMs: scene.nowMs },
  }));
  const ending = await statementsOf(() => recordPolls(scene.ledger, { batchId, polls: looks }));
  const delivering = await statementsOf(() => Promise.all(rowKeys.map((rowKey) => scene.archive(batchId, rowKey))));
  return [admitting, answering, ending, delivering];
}

export function groupsCases(databases: Databases): void {
  suite('rows that come at one moment', databases, (stage) => {
    test('sixteen take as many statements as one: at the admission, the answer, the end and the delivery', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['alone', ...keysOf(16)]);
      const one = await stepsOf(scene, batchId, ['alone']);
      expect(await stepsOf(scene, batchId, keysOf(16))).toEqual(one);
      expect(Math.max(...one)).toBeLessThanOrEqual(15);
      expect((await scene.batch(batchId)).money).toMatchObject({ approved: 1_700, held: 0, posted: 1_700 });
    });

    test('within a limit of six, six of ten are sent and the others say why not', async () => {
      const { scene } = stage;
      const batchId = await scene.make(keysOf(10), { settings: { maxInFlight: 6 } });
      const admissions = await admitAll(scene, batchId, keysOf(10));
      expect(admissions.filter(({ kind }) => kind === 'send')).toHaveLength(6);
      expect(admissions.filter((one) => one.kind === 'blocked' && one.reason === 'in_flight')).toHaveLength(4);
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 600 });
    });

    test('a canary of three lets three of eight through, and stops the batch once', async () => {
      const { scene } = stage;
      const batchId = await scene.make(keysOf(8), { settings: { canary: 3 } });
      const admissions = await admitAll(scene, batchId, keysOf(8));
      expect(admissions.filter(({ kind }) => kind === 'send')).toHaveLength(3);
      expect(admissions.filter((one) => one.kind === 'blocked' && one.reason === 'canary')).toHaveLength(5);
      expect((await scene.batch(batchId)).stops.map(({ kind }) => kind)).toEqual(['canary']);
    });

    test('each goes its own way: sent, sent again, running, and one that is over', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['first', 'again', 'running', 'over']);
      await scene.admit(batchId, 'again');
      await scene.order(batchId, 'running');
      await requestCancel(scene.ledger, { batchId, rowKeys: ['over'], actor: oli, reason: 'no', nowMs: scene.nowMs });
      const admissions = await admitAll(scene, batchId, ['first', 'again', 'running', 'over']);
      expect(admissions).toMatchObject([
        { kind: 'send', attempt: 1 },
        { kind: 'send', attempt: 1 },
        { kind: 'running' },
        { kind: 'settled' },
      ]);
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 200, posted: 100 });
    });

    test('each answer is its own: accepted, refused, lost, and a movie that is another order’s', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['before', 'good', 'fine', 'refused', 'lost', 'stolen', 'twin', 'other twin']);
      const taken = await scene.order(batchId, 'before');
      const twins = movieId();
      const refused = { kind: 'refused', status: 400, code: 'no', message: 'no', retryAfterMs: null } as const;
      await answerAll(scene, batchId, {
        ...{ good: accepted(), fine: accepted(), refused, lost: { kind: 'lost' } },
        ...{ stolen: accepted(taken), twin: accepted(twins), 'other twin': accepted(twins) },
      });
      const state = async (rowKey: string) => (await scene.row(batchId, rowKey)).state;
      expect(await state('good')).toBe('running');
      expect(await state('fine')).toBe('running');
      expect(await state('refused')).toBe('rejected');
      expect(await state('lost')).toBe('ordering');
      expect(await state('stolen')).toBe('unknown');
      expect([await state('twin'), await state('other twin')].sort()).toEqual(['running', 'unknown']);
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 300, posted: 400 });
    });
  });
}
