import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settleBatch } from '../../ledger/progress/settle.js';
import { cancel, previewCancel } from '../../operations/cancels.js';
import { approve, reject } from '../../operations/decisions.js';
import { setBudget, startBudget, stopBudget } from '../../operations/money/budgets.js';
import { addPerson } from '../../operations/people.js';
import { refetch, retry } from '../../operations/retries.js';
import { goOn, pause, resume } from '../../operations/stops.js';
import { terminalActor } from '../../operations/terminal-actor.js';
import { everybody, type Office, openOffice } from './office.js';

let office: Office;
beforeEach(async () => {
  office = await openOffice();
  await office.scene.fund('acme', 10_000);
});
afterEach(() => office.close());

describe('after a decision is committed, the workers are told', () => {
  test('of an approval: the workflow is started, should it be missing, and looks at once', async () => {
    const batchId = await office.scene.seal(['a']);
    const { decision, told } = await approve(office.deps, { batchId, actor: everybody });
    expect(decision).toMatchObject({ kind: 'approved', by: 'sam', selfApproved: true });
    expect(told).toBe(true);
    expect(office.told).toEqual([`start ${batchId}`, `nudge ${batchId}`]);
  });

  test('of an approval that is repeated: while there is something to make, and no longer', async () => {
    const batchId = await office.scene.seal(['a']);
    const once = () => approve(office.deps, { batchId, actor: everybody });
    await once();
    expect(await once()).toMatchObject({ isRepeat: true, told: true });
    const twice = [`start ${batchId}`, `nudge ${batchId}`, `start ${batchId}`, `nudge ${batchId}`];
    expect(office.told).toEqual(twice);
    await office.scene.deliver(batchId, 'a');
    await settleBatch(office.scene.ledger, { batchId, nowMs: office.scene.nowMs });
    expect(await once()).toMatchObject({ isRepeat: true, told: true });
    expect(office.told).toEqual(twice);
  });

  test.each([
    ['reject', (batchId: string) => reject(office.deps, { batchId, actor: everybody, reason: 'no' })],
    ['cancel', (batchId: string) => cancel(office.deps, { batchId, rowKeys: 'all', actor: everybody, reason: 'no' })],
  ])('of a %s', async (_act, act) => {
    const batchId = await office.scene.seal(['a']);
    await act(batchId);
    expect(office.told).toEqual([`nudge ${batchId}`]);
  });

  test.each([
    ['pause', pause],
    ['resume', resume],
    ['continue', goOn],
  ])('of a %s', async (_act, act) => {
    const batchId = await office.scene.make(['a']);
    expect(await act(office.deps, { batchId, actor: everybody })).toEqual({ told: true });
    expect(office.told).toEqual([`nudge ${batchId}`]);
  });

  test('of a budget stop: the batches under it, and no others', async () => {
    const batchId = await office.scene.make(['a']);
    await office.scene.fund('other', 10_000);
    await office.scene.make(['w'], { campaign: 'winter', settings: { budgetPath: 'other' } });
    await stopBudget(office.deps, { path: 'acme', actor: everybody });
    expect(await office.scene.admit(batchId, 'a')).toMatchObject({ kind: 'blocked', reason: 'budget' });
    await startBudget(office.deps, { path: 'acme', actor: everybody });
    expect(office.told).toEqual([`nudge ${batchId}`, `nudge ${batchId}`]);
    expect(await office.scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
  });

  test('of a retry: the new batch is started', async () => {
    const batchId = await office.scene.make(['a']);
    await cancel(office.deps, { batchId, rowKeys: ['a'], actor: everybody, reason: 'wrong logo' });
    const retried = await retry(office.deps, { batchId, rowKeys: ['a'], actor: everybody });
    expect(retried).toEqual({ batchId: 'spring-2', told: true });
    expect(office.told.at(-1)).toBe('start spring-2');
    expect(await refetch(office.deps, { batchId, rowKeys: 'all', actor: everybody })).toMatchObject({ rows: 0 });
  });

  test('and what is refused tells nobody', async () => {
    const batchId = await office.scene.seal(['a']);
    const actor = { name: 'aud', roles: ['auditor'], channel: 'web' } as const;
    await expect(approve(office.deps, { batchId, actor })).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(pause(office.deps, { batchId, actor })).rejects.toMatchObject({ code: 'not_allowed' });
    const limit = { path: 'acme', limitMinor: 1, currency: 'USD', actor };
    await expect(setBudget(office.deps, limit)).rejects.toMatchObject({ code: 'not_allowed' });
    expect(office.told).toEqual([]);
  });
});

test('an approval whose estimates grew too old is refused, and its workflow hears that it has to ask again', async () => {
  const batchId = await office.scene.seal(['a']);
  office.scene.nowMs += 25 * 3_600_000;
  await expect(approve(office.deps, { batchId, actor: everybody })).rejects.toMatchObject({ code: 'stale_estimates' });
  expect(office.told).toEqual([`nudge ${batchId}`]);
  expect((await office.scene.batch(batchId)).state).toBe('preparing');
});

test('a preview of a cancel changes nothing and tells nobody', async () => {
  const batchId = await office.scene.make(['a', 'b']);
  const preview = await previewCancel(office.deps, { batchId, rowKeys: 'all', actor: everybody });
  expect(preview.not_spent).toEqual({ rows: 2, amountMinor: 200 });
  expect((await office.scene.row(batchId, 'a')).state).toBe('planned');
  expect(office.told).toEqual([]);
});

describe('who acts at a terminal', () => {
  test('is the account of the machine, with every role, while nobody is registered', async () => {
    const actor = await terminalActor(office.deps, { token: undefined, loginName: 'lea' });
    expect(actor).toMatchObject({ name: 'lea', channel: 'terminal' });
    expect(actor.roles).toHaveLength(5);
  });

  test('is a registered person by their token, with their roles only', async () => {
    const { token } = await addPerson(office.deps, { name: 'ada', roles: ['admin'], actor: everybody });
    const at = (given: string | undefined) => terminalActor(office.deps, { token: given, loginName: 'lea' });
    expect(await at(token)).toEqual({ name: 'ada', roles: ['admin'], channel: 'terminal' });
    await expect(at(undefined)).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(at('glt_other')).rejects.toMatchObject({ code: 'not_allowed' });
  });
});
