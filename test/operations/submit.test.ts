import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sliceBatch } from '../../ledger/batches/slices.js';
import { sealBatch } from '../../ledger/plan/seal.js';
import { settleBatch } from '../../ledger/progress/settle.js';
import { approve } from '../../operations/decisions.js';
import { submit } from '../../operations/submit.js';
import { everybody, type Office, openOffice } from './office.js';

const sheet = 'id,prompt,duration\na,A runner at dawn,5\nb,A runner at dusk,6\n';

let office: Office;
beforeEach(async () => {
  office = await openOffice();
  await office.scene.fund('spring', 10_000);
});
afterEach(() => office.close());

describe('submit', () => {
  test('stores the rows and has the batch prepared', async () => {
    const manifest = await office.manifest(sheet);
    const found = await submit(office.deps, { manifest, actor: everybody, otherBatch: 'in the way' });
    expect(found).toEqual({ kind: 'submitted', batchId: 'spring-1', told: true });
    expect(office.told).toEqual(['start spring-1']);
    const batch = await office.scene.batch('spring-1');
    expect(batch).toMatchObject({ state: 'preparing', rowsInSheet: 2, rowsToOrder: 2, submittedBy: 'sam' });
  });

  test('keeps the priority of the manifest, and that of a flag before it', async () => {
    const text = 'priority: 2\nmovies: [{ id: a, prompt: A runner at dawn }]\n';
    const read = async (flags: Parameters<Office['manifest']>[1]) =>
      (await office.manifest(text, { name: 'spring.yaml', ...flags })).settings.priority;
    expect([await read({}), await read({ priority: 5 })]).toEqual([2, 5]);
    const manifest = await office.manifest(text, { name: 'spring.yaml' });
    await submit(office.deps, { manifest, actor: everybody, otherBatch: 'in the way' });
    expect((await office.scene.batch('spring-1')).settings.priority).toBe(2);
  });

  test('the same rows, saved again in another order, join their open batch', async () => {
    await submitted(sheet);
    const shuffled = 'prompt;id;duration\nA runner at dusk;b;6\nA runner at dawn;a;5\n';
    expect(await submitted(shuffled)).toEqual({ kind: 'attached', batchId: 'spring-1', told: true });
    await office.scene.price('spring-1');
    expect(await submitted(sheet)).toMatchObject({ kind: 'attached' });
  });

  test.each([
    ['a word', 'id,prompt,duration\na,A runner at noon,5\nb,A runner at dusk,6\n', {}],
    ['a row more', `${sheet}c,A runner at noon,5\n`, {}],
    ['a flag that changes the plan', sheet, { respend: true }],
    ['another budget', sheet, { budgetPath: 'spring/de' }],
  ])('with %s changed, an open batch is in the way, and named', async (_what, text, flags) => {
    await submitted(sheet);
    const found = await submitted(text, flags);
    expect(found).toMatchObject({ kind: 'in the way', batch: { batchId: 'spring-1', state: 'preparing' } });
    expect(office.told).toEqual(['start spring-1']);
  });

  test('beside an open batch is possible where that is asked for', async () => {
    await submitted(sheet);
    const manifest = await office.manifest(`${sheet}c,A runner at noon,5\n`);
    const found = await submit(office.deps, { manifest, actor: everybody, otherBatch: 'beside' });
    expect(found).toMatchObject({ kind: 'submitted', batchId: 'spring-2' });
  });

  test('a closed batch is in nobody’s way, and its delivered rows are unchanged', async () => {
    const first = await office.manifest('id,prompt,duration\na,A runner at dawn,5\n');
    await submit(office.deps, { manifest: first, actor: everybody, otherBatch: 'in the way' });
    await office.scene.price('spring-1');
    await sealBatch(office.deps.ledger, { batchId: 'spring-1' });
    await approve(office.deps, { batchId: 'spring-1', actor: everybody });
    await sliceBatch(office.deps.ledger, { batchId: 'spring-1', sliceRows: 100 });
    await office.scene.deliver('spring-1', 'a');
    await settleBatch(office.deps.ledger, { batchId: 'spring-1', nowMs: office.scene.nowMs });
    expect(await submitted(sheet)).toMatchObject({ kind: 'submitted', batchId: 'spring-2' });
    expect((await office.scene.row('spring-2', 'a')).state).toBe('unchanged');
  });

  test('is recorded also while Temporal is away', async () => {
    office.tellNobody();
    expect(await submitted(sheet)).toEqual({ kind: 'submitted', batchId: 'spring-1', told: false });
    expect((await office.scene.batch('spring-1')).state).toBe('preparing');
  });

  test('without a budget on the path is refused, naming the path', async () => {
    await expect(submitted(sheet, { budgetPath: 'acme/emea' })).rejects.toMatchObject({
      code: 'no_budget',
      message: expect.stringContaining('acme/emea'),
    });
  });

  test('a manifest with errors stores nothing and has every finding', async () => {
    const bad = office.manifest('id,prompt\na,short\na,A runner at dawn\n');
    await expect(bad).rejects.toMatchObject({
      name: 'ManifestError',
      findings: [expect.objectContaining({ row: 2 }), expect.objectContaining({ row: 3 })],
    });
  });

  test('flags win over what the manifest says', async () => {
    const yaml =
      'campaign: spring\nbudget: acme/emea\ncanary: 3\ntolerance: 2\nmovies: [{ id: a, prompt: A runner at dawn }]\n';
    const plain = await office.manifest(yaml, { name: 'x.yaml' });
    expect(plain.settings).toMatchObject({ budgetPath: 'acme/emea', canary: 3, tolerance: 2 });
    const three = yaml.replace(
      'dawn }]',
      'dawn }, { id: b, prompt: A boat at sea }, { id: c, prompt: A bell at noon }]',
    );
    const share = async (percent: number) =>
      (await office.manifest(three, { name: 'x.yaml', tolerance: { percent } })).settings.tolerance;
    expect([await share(5), await share(40), await share(100)]).toEqual([0, 1, 3]);
    const flagged = await office.manifest(yaml, { name: 'x.yaml', budgetPath: 'spring', canary: 1 });
    expect(flagged.settings).toMatchObject({ budgetPath: 'spring', canary: 1, tolerance: 2 });
  });
});

async function submitted(text: string, flags: Parameters<Office['manifest']>[1] = {}) {
  const manifest = await office.manifest(text, flags);
  return submit(office.deps, { manifest, actor: everybody, otherBatch: 'in the way' });
}
