import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Actor } from '../../domain/roles.js';
import { resolveUnknown } from '../../ledger/orders/resolve-unknown.js';
import { approveBatch } from '../../ledger/plan/decisions.js';
import { requestCancel } from '../../ledger/progress/cancels.js';
import { limitBatch } from '../../ledger/progress/limits.js';
import { watchActs } from '../../worker/act-watcher.js';
import { fay } from '../ledger/scene.js';
import { everybody, type Office, openOffice } from '../operations/office.js';

let office: Office;
let stop: () => void = () => undefined;
beforeEach(async () => {
  office = await openOffice();
  await office.scene.fund('spring', 100_000);
});
afterEach(async () => {
  stop();
  await office.close();
});

function watch(): void {
  stop = watchActs(office.deps);
}

const settings = { budgetPath: 'spring' };
const soon = { timeout: 5_000 };

describe('what was decided while nobody could tell the workers', () => {
  test('is told at the start, and what is decided later within a look', async () => {
    const batchId = await office.scene.seal(['a', 'b'], { settings });
    await approveBatch(office.deps.ledger, { batchId, actor: everybody, nowMs: office.scene.nowMs });
    watch();
    await vi.waitFor(() => expect(office.told).toEqual([`start ${batchId}`, `nudge ${batchId}`]), soon);
    // Nothing happens, and nobody is woken.
    await sleep(2_500);
    expect(office.told).toHaveLength(2);
    const cancel = { batchId, rowKeys: ['a'], actor: everybody, reason: 'not needed', nowMs: office.scene.nowMs };
    await requestCancel(office.deps.ledger, cancel);
    await vi.waitFor(() => expect(office.told.slice(2)).toEqual([`start ${batchId}`, `nudge ${batchId}`]), soon);
  });

  test('what the workers did themselves wakes nobody', async () => {
    const batchId = await office.scene.seal(['a', 'b'], { settings });
    await approveBatch(office.deps.ledger, { batchId, actor: everybody, nowMs: office.scene.nowMs });
    watch();
    await vi.waitFor(() => expect(office.told).toHaveLength(2), soon);
    const system: Actor = { name: 'worker', roles: everybody.roles, channel: 'system' };
    const cancel = { batchId, actor: system, reason: 'not needed', nowMs: office.scene.nowMs };
    await requestCancel(office.deps.ledger, { ...cancel, rowKeys: ['a'] });
    // A person's act on another batch is seen at a later look: by then the system's was passed over.
    const other = await office.scene.seal(['c'], { settings, campaign: 'autumn' });
    await approveBatch(office.deps.ledger, { batchId: other, actor: everybody, nowMs: office.scene.nowMs });
    await vi.waitFor(() => expect(office.told).toContain(`nudge ${other}`), soon);
    expect(office.told.slice(2)).not.toContain(`nudge ${batchId}`);
  });

  test('rows that come back to life by a person’s word are taken up', async () => {
    const { scene } = office;
    const batchId = await scene.make(['a', 'b'], { settings });
    await scene.admit(batchId, 'a');
    await scene.answer(batchId, 'a', { kind: 'broken' });
    watch();
    await vi.waitFor(() => expect(office.told).toHaveLength(2), soon);
    const resolution = { kind: 'resend' } as const;
    await resolveUnknown(office.deps.ledger, { batchId, rowKey: 'a', resolution, actor: fay, nowMs: scene.nowMs });
    await vi.waitFor(() => expect(office.told.slice(2)).toEqual([`take up ${batchId}`, `nudge ${batchId}`]), soon);
  });

  test('a batch whose limit was changed asks how many may be in progress', async () => {
    const { scene } = office;
    const batchId = await scene.make(['a', 'b'], { settings });
    watch();
    await vi.waitFor(() => expect(office.told).toHaveLength(2), soon);
    await limitBatch(office.deps.ledger, { batchId, maxInFlight: 1, actor: everybody, nowMs: scene.nowMs });
    const told = [`start ${batchId}`, `resize ${batchId}`, `nudge ${batchId}`];
    await vi.waitFor(() => expect(office.told.slice(2)).toEqual(told), soon);
  });

  test('what concerns every batch wakes every one', async () => {
    const batchId = await office.scene.seal(['a'], { settings });
    watch();
    await vi.waitFor(() => expect(office.told).toHaveLength(2), soon);
    await office.scene.fund('spring', 200_000);
    await vi.waitFor(() => expect(office.told.slice(2)).toEqual([`start ${batchId}`, `nudge ${batchId}`]), soon);
  });

  test('it is tried again while Temporal is away', async () => {
    await office.scene.seal(['a'], { settings });
    office.tellNobody();
    watch();
    await vi.waitFor(
      () => expect(office.told.filter((word) => word.startsWith('start')).length).toBeGreaterThan(1),
      soon,
    );
  });
});
