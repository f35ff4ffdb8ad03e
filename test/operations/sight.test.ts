import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Actor, Role } from '../../domain/roles.js';
import { addPerson } from '../../ledger/access/people.js';
import { eachAudit, listAudit, verifyBooks } from '../../operations/audit.js';
import { type BatchLook, eachRow, listBatches, listRows, readBatch } from '../../operations/batches.js';
import { previewCancel } from '../../operations/cancels.js';
import { listBudgets, showBudget } from '../../operations/money/budgets.js';
import { eachMovement, spendByDay } from '../../operations/money/spend.js';
import { showPolicy } from '../../operations/people.js';
import { writeReports } from '../../operations/reports.js';
import { countPrices, readPlan } from '../../operations/stored-plan.js';
import { listUnknowns } from '../../operations/unknowns.js';
import { createReportFolder } from '../../reports/report-folder.js';
import { type Office, openOffice } from './office.js';

let office: Office;
let own: string;
let other: string;
beforeEach(async () => {
  office = await openOffice();
  const { scene } = office;
  for (const path of ['acme', 'acme/spring', 'zeta']) await scene.fund(path, 10_000);
  const ole: Actor = { name: 'ole', roles: ['submitter'], channel: 'terminal' };
  own = await unknownIn('spring', { actor: sam });
  other = await unknownIn('winter', { actor: ole, settings: { budgetPath: 'zeta' } });
  const add = (name: string, roles: readonly Role[]) =>
    addPerson(office.deps.ledger, { name, roles, actor: admin, nowMs: scene.nowMs });
  await add('ada', ['admin']);
  await add('sam', ['submitter']);
});
afterEach(() => office.close());

const admin: Actor = { name: 'ada', roles: ['admin'], channel: 'terminal' };
const sam: Actor = { name: 'sam', roles: ['submitter'], channel: 'terminal' };

/** A batch with one movie that was made and one order whose answer never came. */
async function unknownIn(campaign: string, submission: Parameters<Office['scene']['make']>[1]): Promise<string> {
  const { scene } = office;
  const batchId = await scene.make([`${campaign}-a`, `${campaign}-b`], { campaign, ...submission });
  await scene.deliver(batchId, `${campaign}-a`);
  await scene.admit(batchId, `${campaign}-b`);
  await scene.answer(batchId, `${campaign}-b`, { kind: 'broken' });
  return batchId;
}

/** Every look at one batch. */
const batchLooks: Readonly<Record<string, (look: BatchLook) => Promise<unknown>>> = {
  'the batch': (look) => readBatch(office.deps, look),
  'its rows': (look) => listRows(office.deps, { ...look, limit: 5 }),
  'each row': (look) => all(eachRow(office.deps, look)),
  'its plan': (look) => readPlan(office.deps, look),
  'its prices': (look) => countPrices(office.deps, look),
  'its unknown orders': (look) => listUnknowns(office.deps, look),
  'what a cancel would do': (look) => previewCancel(office.deps, { ...look, rowKeys: 'all' }),
  'its records': ({ batchId, actor }) => listAudit(office.deps, { actor, object: batchId, limit: 5 }),
  'each record': ({ batchId, actor }) => all(eachAudit(office.deps, { actor, object: batchId })),
  'its reports': (look) =>
    writeReports(office.deps, { ...look, target: createReportFolder(`${office.folder}/${look.batchId}`) }),
};

/** Every look at the whole ledger, as the names of batches and budgets that it shows. */
const wholeLooks: Readonly<Record<string, (actor: Actor) => Promise<readonly string[]>>> = {
  batches: async (actor) => (await listBatches(office.deps, { actor, limit: 10 })).map(({ batch }) => batch.batchId),
  'unknown orders': async (actor) => (await listUnknowns(office.deps, { actor })).map(({ batchId }) => batchId),
  spending: async (actor) => (await spendByDay(office.deps, { actor })).map(({ batchId }) => batchId),
  movements: async (actor) => (await all(eachMovement(office.deps, { actor }))).map(({ batchId }) => batchId),
  budgets: async (actor) =>
    (await listBudgets(office.deps, { actor })).map(({ path }) => (path === 'zeta' ? other : own)),
};

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function codeOf(look: Promise<unknown>): Promise<string> {
  return look.then(
    () => 'seen',
    (error: { code?: string }) => error.code ?? String(error),
  );
}

const person = (role: Role): Actor => ({ name: `a ${role}`, roles: [role], channel: 'terminal' });

describe('what a person sees', () => {
  test.each(['operator', 'finance', 'auditor'] as const)('%s: every campaign, at every door', async (role) => {
    for (const [name, look] of Object.entries(batchLooks)) {
      expect(await codeOf(look({ batchId: other, actor: person(role) })), name).toBe('seen');
    }
    for (const [name, look] of Object.entries(wholeLooks)) {
      expect([...new Set(await look(person(role)))].sort(), name).toEqual([own, other]);
    }
    expect(await codeOf(listAudit(office.deps, { actor: person(role), limit: 5 }))).toBe('seen');
    expect(await codeOf(showBudget(office.deps, { actor: person(role), path: 'zeta' }))).toBe('seen');
  });

  test('a submitter: the campaigns in which they submitted, and nothing of another, at every door', async () => {
    for (const [name, look] of Object.entries(batchLooks)) {
      expect(await codeOf(look({ batchId: own, actor: sam })), name).toBe('seen');
      expect(await codeOf(look({ batchId: other, actor: sam })), name).toBe('not_allowed');
    }
    for (const [name, look] of Object.entries(wholeLooks)) {
      expect([...new Set(await look(sam))], name).toEqual([own]);
    }
    expect(await codeOf(listAudit(office.deps, { actor: sam, limit: 5 }))).toBe('not_allowed');
    expect(await codeOf(showBudget(office.deps, { actor: sam, path: 'acme' }))).toBe('seen');
    expect(await codeOf(showBudget(office.deps, { actor: sam, path: 'zeta' }))).toBe('not_allowed');
  });

  test('an admin: people and rules, and no campaign by that role', async () => {
    for (const [name, look] of Object.entries(batchLooks)) {
      expect(await codeOf(look({ batchId: own, actor: admin })), name).toBe('not_allowed');
    }
    for (const [name, look] of Object.entries(wholeLooks)) expect(await look(admin), name).toEqual([]);
    expect(await codeOf(showPolicy(office.deps, { actor: admin }))).toBe('seen');
    expect(await codeOf(verifyBooks(office.deps, { actor: admin, archive: null }))).toBe('seen');
    expect(await codeOf(verifyBooks(office.deps, { actor: sam, archive: null }))).toBe('not_allowed');
  });

  test('another batch of a campaign in which they submitted is theirs to see, too', async () => {
    const { scene } = office;
    const next = await scene.seal(['x'], { campaign: 'spring', actor: { ...sam, name: 'ole' } });
    expect(await codeOf(readBatch(office.deps, { batchId: next, actor: sam }))).toBe('seen');
  });

  test('who worked alone until people were registered sees nothing any more, at any door', async () => {
    const before: Actor = { ...person('auditor'), name: 'lea', alone: true };
    for (const [name, look] of Object.entries(batchLooks)) {
      expect(await codeOf(look({ batchId: own, actor: before })), name).toBe('not_allowed');
    }
    for (const [name, look] of Object.entries(wholeLooks)) {
      expect(await codeOf(look(before)), name).toBe('not_allowed');
    }
  });

  test('an id that no batch has is said to be none', async () => {
    for (const actor of [sam, person('operator')]) {
      expect(await codeOf(readBatch(office.deps, { batchId: 'spring-99', actor }))).toBe('unknown_batch');
    }
  });
});
