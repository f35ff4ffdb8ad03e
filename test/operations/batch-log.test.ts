import { afterEach, beforeEach, expect, test } from 'vitest';
import { approveBatch } from '../../ledger/plan/decisions.js';
import { pauseBatch } from '../../ledger/stops/stops.js';
import { BatchLog, newestEvents } from '../../operations/batch/batch-log.js';
import { eventWords } from '../../reports/wording/work-event.js';
import { fay, oli, sam } from '../ledger/scene.js';
import { type Office, openOffice } from './office.js';

let office: Office;
beforeEach(async () => {
  office = await openOffice();
  await office.scene.fund('acme', 10_000);
});
afterEach(() => office.close());

async function story(): Promise<string> {
  const { scene } = office;
  const batchId = await scene.make(['a', 'b'], { actor: sam });
  const step = () => {
    scene.nowMs += 1_000;
  };
  step();
  await scene.admit(batchId, 'a');
  await scene.answer(batchId, 'a', { kind: 'not_connected' });
  step();
  await scene.deliver(batchId, 'b');
  step();
  await pauseBatch(office.deps.ledger, { batchId, actor: oli, reason: 'wrong logo', nowMs: scene.nowMs });
  return batchId;
}

test('a log says in order what people did, what the service answered and how rows ended', async () => {
  const batchId = await story();
  const words = (await newestEvents(office.deps, { batchId, actor: fay, limit: 100 })).map(eventWords);
  expect(words.slice(0, 2)).toEqual(['spring-1 submit by sam', 'spring-1 seal by greenlight']);
  expect(words.slice(-4)).toEqual([
    'spring-1 a the service could not be reached; nothing left',
    expect.stringMatching(/^spring-1 b ordered: accepted as movie_/),
    expect.stringMatching(/^spring-1 b delivered: /),
    'spring-1 pause by oli: wrong logo',
  ]);
  const [newest] = await newestEvents(office.deps, { batchId, actor: fay, limit: 1 });
  expect(newest?.detail).toContain('wrong logo');
});

test('what was refused is said once, and not as if the person had refused it', async () => {
  const batchId = await office.scene.seal(['a']);
  const { nowMs } = office.scene;
  await expect(approveBatch(office.deps.ledger, { batchId, actor: oli, nowMs })).rejects.toThrow('Cannot approve');
  await expect(pauseBatch(office.deps.ledger, { batchId, actor: oli, reason: '', nowMs })).rejects.toThrow('Cannot');
  const words = (await newestEvents(office.deps, { batchId, actor: fay, limit: 2 })).map(eventWords);
  expect(words).toEqual([
    'spring-1 approve by oli refused: oli does not have the finance role',
    'spring-1 pause by oli refused: it is waiting; only a batch in progress places orders',
  ]);
});

test('who follows is told everything once, also what becomes visible later with an earlier time', async () => {
  const batchId = await story();
  const log = new BatchLog(office.deps, { batchId, actor: fay });
  const told = [...(await log.next())];
  expect(await log.next()).toEqual([]);
  office.scene.nowMs -= 500;
  await office.scene.answer(batchId, 'a', { kind: 'movie', movieId: 'movie_late', echo: 'matches' }).catch(() => null);
  await office.scene.admit(batchId, 'a');
  const late = await log.next();
  const all = [...told, ...late].map(({ atMs, rowKey, kind, detail }) => JSON.stringify([atMs, rowKey, kind, detail]));
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(
    (await newestEvents(office.deps, { batchId, actor: fay, limit: 100 })).length,
  );
});

test('only who sees the batch sees its log', async () => {
  const batchId = await story();
  const stranger = { ...sam, name: 'eve' };
  await expect(newestEvents(office.deps, { batchId, actor: stranger, limit: 5 })).rejects.toThrow(
    'Cannot show spring-1',
  );
  await expect(new BatchLog(office.deps, { batchId, actor: stranger }).next()).rejects.toThrow('Cannot show spring-1');
});
