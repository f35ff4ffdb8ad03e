import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Actor } from '../../../domain/roles.js';
import { addPerson } from '../../../ledger/access/people.js';
import { pauseBatch } from '../../../ledger/stops/stops.js';
import { type ChangeListener, type Changes, createChanges } from '../../../operations/live/changes.js';
import { ada, oli, sam } from '../../ledger/scene.js';
import { type Office, openOffice } from '../office.js';

let office: Office;
let changes: Changes;
let listening: ChangeListener[];
beforeEach(async () => {
  office = await openOffice();
  await office.scene.fund('acme', 100_000);
  listening = [];
  changes = createChanges(office.deps, { lookMs: 5, quietMs: 200 });
});
afterEach(async () => {
  for (const listener of listening) listener.close();
  await office.close();
});

async function listen(actor: Actor): Promise<ChangeListener> {
  const listener = await changes.listen(actor);
  listening.push(listener);
  return listener;
}

/** What a listener hears first that is not quiet. */
async function heard(listener: ChangeListener): Promise<readonly string[]> {
  for (;;) {
    const batches = await listener.next();
    if (batches.length > 0) return batches;
  }
}

const pause = (batchId: string) => pauseBatch(office.deps.ledger, { batchId, actor: oli, nowMs: office.scene.nowMs });

test('a listener hears of a batch that changed, of one that is new, and of quiet', async () => {
  const { scene } = office;
  const batchId = await scene.make(['a', 'b']);
  const listener = await listen(oli);
  expect(await listener.next()).toEqual([]); // whatever was before is no news
  await pause(batchId);
  expect(await heard(listener)).toEqual([batchId]);
  const next = await scene.seal(['x'], { campaign: 'winter' });
  expect(await heard(listener)).toEqual([next]);
});

test('a listener that does not read keeps the ids of the batches, however much happens', async () => {
  const { scene } = office;
  const rows = Array.from({ length: 40 }, (_, index) => `r${index}`);
  const batchId = await scene.make(rows);
  const slow = await Promise.all(Array.from({ length: 200 }, () => listen(oli)));
  const fast = await listen(oli);
  await fast.next();
  for (const row of rows) {
    await scene.order(batchId, row);
    if (row.endsWith('9')) await heard(fast);
  }
  for (const listener of slow) expect(await listener.next()).toEqual([batchId]);
  expect(changes.listeners).toBe(201);
});

test('a submitter hears of the campaigns in which they submitted', async () => {
  const { deps, scene } = office;
  for (const [name, role] of [
    ['ada', 'admin'],
    ['sam', 'submitter'],
  ] as const) {
    await addPerson(deps.ledger, { name, roles: [role], actor: ada, nowMs: scene.nowMs });
  }
  const own = await scene.make(['a'], { campaign: 'spring' });
  const other = await scene.make(['a'], {
    campaign: 'winter',
    actor: { ...sam, name: 'ole' },
    settings: { allowDuplicates: true },
  });
  const listener = await listen(sam);
  const seesAll = await listen(oli);
  await listener.next();
  await pause(other);
  await heard(seesAll);
  await pause(own);
  expect(await heard(listener)).toEqual([own]);
});

test('nobody listens any more: the ledger is not looked at', async () => {
  const listener = await listen(oli);
  const waiting = listener.next();
  listener.close();
  expect(await waiting).toEqual([]);
  expect(changes.listeners).toBe(0);
});
