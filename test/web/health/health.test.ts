import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { channelHealth, messageFailed, nextMessage } from '../../../ledger/notices/outbox.js';
import { alarmHelp, allAlarmHelp } from '../../../reports/wording/alarm-help.js';
import { sam } from '../../ledger/scene.js';
import { openDesk, type TestDesk } from '../desk/desk.js';

let desk: TestDesk;
afterEach(() => desk.close());

const part = (ok: boolean, words: string) => ({ part: 'archive', ok, words });

test('what fails comes first, with what to do; a pause that somebody wanted is no trouble', async () => {
  desk = await openDesk({ deps: { diagnose: async () => [part(false, 'Cannot save: its disk is full')] } });
  const { scene } = desk;
  await scene.fund('acme', 1_000_000);
  const batchId = await scene.make(['one', 'two']);
  await scene.order(batchId, 'two');
  await scene.admit(batchId, 'one');
  await scene.answer(batchId, 'one', { kind: 'broken' });
  await desk.deps.ledger.db.updateTable('rows').set({ state: 'unknown' }).where('row_key', '=', 'one').execute();
  await desk.person('oli', 'operator');
  const oli = await desk.browser('oli');
  const page = await oli.text('/health');
  expect(page).toContain('2 things to do');
  expect(page).toContain('Cannot save: its disk is full');
  expect(page).toContain('It means: it cannot be learned whether a create was accepted');
  expect(page).toMatch(/In progress<\/h2><span class="end soft small">1/);
  await oli.send(`/batches/${batchId}/pause`, { reason: 'lunch' });
  expect(await oli.text('/health')).toContain('2 things to do');
});

test('all is well where every part answers, and the parts are not asked again for each look', async () => {
  let asked = 0;
  const diagnose = async () => {
    asked += 1;
    return [part(true, '12.3 GB free')];
  };
  desk = await openDesk({ deps: { diagnose } });
  await desk.person('oli', 'operator');
  const oli = await desk.browser('oli');
  expect(await oli.text('/health')).toContain('Nothing to do');
  await oli.text('/health');
  expect(asked).toBe(1);
  desk.scene.nowMs += 15_001;
  await oli.text('/health');
  expect(asked).toBe(2);
});

test('a channel of notices that takes nothing is told here, with what waits for it', async () => {
  desk = await openDesk({ deps: { diagnose: async () => [part(true, 'fine')] } });
  const { ledger } = desk.deps;
  const at = { channel: 'chat', nowMs: desk.scene.nowMs };
  const pace = { leaseMs: 1_000, digestMs: 1_000 };
  await nextMessage(ledger, { ...at, ...pace }); // begins with what happens from now on
  await desk.scene.fund('acme', 1_000_000);
  await desk.scene.seal(['one'], { actor: sam });
  expect((await channelHealth(ledger))[0]?.waiting).toBe(1);
  await nextMessage(ledger, { ...at, ...pace });
  expect((await channelHealth(ledger))[0]?.waiting).toBe(1);
  const failed = { ...at, notBeforeMs: at.nowMs + 60_000, error: '<b>no such host</b>' };
  await messageFailed(ledger, { ...failed, offIfSinceMs: null });
  await desk.person('oli', 'operator');
  const page = await (await desk.browser('oli')).text('/health');
  expect(page).toContain('<b>chat</b>: 1 to send');
  expect(page).toContain('1 try: &lt;b&gt;no such host&lt;/b&gt;');
  expect(page).toContain('it is tried again.');
  await messageFailed(ledger, { ...failed, offIfSinceMs: at.nowMs });
  expect(await (await desk.browser('oli')).text('/health')).toContain('greenlight notices on chat</code>');
});

test('what an alarm means, and what to do, is as docs/operating.md has it', () => {
  const lines = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8').split('\n');
  const table = lines.map((line) =>
    line
      .replaceAll(/[`_]/g, '')
      .split('|')
      .map((cell) => cell.trim()),
  );
  for (const { means, todo } of allAlarmHelp) {
    expect(table.find((cells) => cells[2] === means)?.[3], means).toBe(todo);
  }
  expect(alarmHelp({ kind: 'alarm', what: 'books contradict; cancel it, and submit again' })?.todo).toContain(
    'submit again',
  );
  expect(alarmHelp({ kind: 'turn', what: 'its turn' })).toBeNull();
});

test('the workers that ask for work, and what all of them did in the last hour', async () => {
  const workers = [
    { name: '7@a', queues: ['making', 'orders'], build: '0.2.0-1a2b', isAlive: true },
    { name: `8@${'b'.repeat(60)}<i>`, queues: ['making'], build: null, isAlive: false },
  ] as const;
  let asked: number | null = 0;
  const listWorkers = async () => {
    if (asked === null) return null;
    asked += 1;
    return workers.map((worker) => ({ ...worker, lastSeenMs: desk.scene.nowMs }));
  };
  desk = await openDesk({ deps: { diagnose: async () => [part(true, 'fine')], listWorkers } });
  const { scene } = desk;
  await scene.fund('acme', 1_000_000);
  const batchId = await scene.make(['one', 'two', 'three']);
  await scene.deliver(batchId, 'one');
  scene.nowMs += 3_600_001;
  await desk.person('oli', 'operator');
  const oli = await desk.browser('oli');
  const before = await oli.text('/health');
  expect(before).toContain('Nothing was ordered, and nothing ended.');
  expect(before).toMatch(/>7@a<span class="sub">making, orders at a rate<\/span>[\s\S]*>0\.2\.0-1a2b</);
  expect(before).toMatch(/b&lt;i&gt;<span class="sub">making<\/span>[\s\S]*>not told<[\s\S]*no longer asks/);
  await scene.deliver(batchId, 'two');
  await scene.order(batchId, 'three');
  const after = await oli.text('/health');
  expect(after).toMatch(/Orders accepted<\/th><td class="n">2</);
  expect(after).toMatch(/Rows delivered<\/th><td class="n">1</);
  expect(after).not.toContain('Rows failed');
  expect(asked).toBe(1); // no more often than the parts
  asked = null;
  scene.nowMs += 15_001;
  expect(await oli.text('/health')).toContain('Temporal does not answer');
});
