import { afterEach, beforeEach, expect, test } from 'vitest';
import { removePerson } from '../../../ledger/access/people.js';
import { pauseBatch } from '../../../ledger/stops/stops.js';
import { ada, oli } from '../../ledger/scene.js';
import { openDesk, type TestDesk } from '../desk/desk.js';

let desk: TestDesk;
beforeEach(async () => {
  desk = await openDesk();
  await desk.scene.fund('acme', 10_000);
});
afterEach(async () => {
  expect(desk.faults).toEqual([]);
  await desk.close();
});

/** Reads a stream until it says something, and leaves it. */
async function until(answer: Response, word: string): Promise<string> {
  let said = '';
  for await (const piece of answer.body ?? []) {
    said += Buffer.from(piece).toString();
    if (said.includes(word)) return said;
  }
  return said;
}

test('says that a batch changed, and nothing of it', async () => {
  const batchId = await desk.scene.make(['a']);
  const answer = await (await desk.browser()).get('/stream');
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(answer.headers.get('cache-control')).toBe('no-cache, no-transform');
  const reading = until(answer, batchId);
  const { nowMs, ledger } = desk.scene;
  const changes: Promise<unknown>[] = [];
  const pause = () => changes.push(pauseBatch(ledger, { batchId, actor: { ...oli, alone: true }, nowMs }));
  const change = setInterval(pause, 50);
  const said = await reading;
  clearInterval(change);
  await Promise.all(changes); // one may be under way, and the ledger is closed next
  expect(said).toBe(`retry: 2000\nevent: open\ndata:\n\ndata: ["${batchId}"]\n\n`);
});

test('is for who is signed in', async () => {
  expect((await desk.stranger().get('/stream')).status).toBe(303);
  await desk.person('ada');
  await desk.person('oli', 'operator');
  const browser = await desk.browser('oli');
  await removePerson(desk.deps.ledger, { name: 'oli', actor: ada, nowMs: desk.scene.nowMs });
  expect((await browser.get('/stream')).status).toBe(303);
});
