import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nextApproval } from '../../../cli/session/next-approval.js';
import { storedPlan } from '../../../cli/views/load-plan.js';
import { planLines } from '../../../cli/views/plan-view.js';
import { type Actor, type Role, roles } from '../../../domain/roles.js';
import { addPerson } from '../../../ledger/access/people.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import { createBatch } from '../../../ledger/plan/create-batch.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { readBatch } from '../../../operations/batches.js';
import { ada, brief, fay, pages, plainSettings, sam, studio } from '../../ledger/scene.js';
import { openPlace, type Place } from '../terminal.js';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
  await place.scene.fund('acme', 1_000);
});
afterEach(() => place.close());

const wide = { columns: 300 };

describe('amounts that are typed', () => {
  test.each([
    ['5XYZ', 'XYZ is not a currency code of ISO 4217, e.g. USD, EUR or JPY'],
    ['5', 'it must name its currency, e.g. 500USD'],
    ['much', 'it must be an amount with its currency, e.g. 500USD'],
    ['1.50JPY', 'it must be an amount in JPY, which has 0 decimals, e.g. 500JPY'],
  ])('%s is refused with what would be right', async (limit, words) => {
    const { err, code } = await place.run(['budget', 'set', 'other', limit], wide);
    expect(err).toContain(`Cannot use "${limit}" for <limit>: ${words}`);
    expect(err).not.toContain('command-argument');
    expect(code).toBe(2);
    const { err: forRun } = await place.run(['run', 'x.csv', '--budget', limit === 'much' ? '5XYZ' : limit], wide);
    expect(forRun).toContain(`Cannot use "${limit === 'much' ? '5XYZ' : limit}" for --budget <amount or path>: `);
  });

  test('a code in small letters is the same currency', async () => {
    expect((await place.run(['budget', 'set', 'other', '5.50 eur'], wide)).out).toContain('5.50 EUR');
  });
});

describe('the next step', () => {
  test('run without a budget says so before anything is started', async () => {
    await writeFile(join(place.folder, 'zeta.csv'), 'id,prompt\na,A runner at dawn\n');
    const { err, code } = await place.run(['run', 'zeta.csv'], wide);
    expect(err).toContain('Cannot run zeta.csv: no budget is defined on the path zeta; add --budget 500USD');
    expect(code).toBe(3);
    await expect(access(join(place.folder, 'home', 'temporal.db'))).rejects.toThrow();
    const elsewhere = { ...wide, env: { GREENLIGHT_HOME: join(place.folder, 'new') } };
    expect((await place.run(['run', 'zeta.csv'], elsewhere)).err).toContain('add --budget 500USD');
    await expect(access(join(place.folder, 'new'))).rejects.toThrow();
  });

  test('after a sealed plan names who may approve it, and the digest', async () => {
    const batch = await place.scene.batch(await place.scene.seal(['a']));
    const command = `greenlight approve spring-1 --digest ${batch.planDigest?.slice(0, 12)}`;
    const next = (actor: Actor) => nextApproval({ ledger: place.ledger }, batch, actor);
    const add = (name: string, given: readonly Role[]) =>
      addPerson(place.ledger, { name, roles: given, actor: ada, nowMs: place.scene.nowMs });
    expect(await next({ name: 'sam', roles, channel: 'terminal', alone: true })).toBe(`Next: ${command}`);
    await add('ada', ['admin']);
    await add('sam', ['submitter', 'finance']);
    expect(await next(sam)).toContain('greenlight people add <name> --role finance');
    await add('lee', ['finance']);
    await add('fay', ['finance']);
    expect(await next(sam)).toBe(`Next, by fay or lee (finance): ${command}`);
    const lee: Actor = { name: 'lee', roles: ['finance'], channel: 'terminal' };
    expect(await next(lee)).toBe(`Next: ${command}`);
    await place.scene.fund('acme', 50);
    expect(await next(lee)).toBe(`Next: greenlight budget set acme <limit>, then ${command}`);
    expect(await next(sam)).toBe(`Next, by fay or lee (finance): greenlight budget set acme <limit>, then ${command}`);
  });

  test('after a limit that a plan waits for is that plan', async () => {
    const set = async (path: string) =>
      (await place.run(['budget', 'set', path, '10USD'], { ...wide, tty: true })).err.trim();
    expect(await set('acme')).toBe('Next: greenlight submit <manifest> --budget acme');
    const batchId = await place.scene.seal(['a']);
    expect(await set('acme')).toBe(`Next: greenlight status ${batchId}`);
    expect(await set('acm')).toBe('Next: greenlight submit <manifest> --budget acm');
  });

  test('a level, one that is stopped, and one that is started again name what may come next', async () => {
    const next = async (...args: string[]) => (await place.run(args, { ...wide, tty: true })).err.trim();
    expect(await next('budget', 'show', 'acme')).toBe('Next: greenlight submit <manifest> --budget acme');
    const batchId = await place.scene.seal(['a']);
    expect(await next('budget', 'show', 'acme')).toBe(`Next: greenlight status ${batchId}`);
    expect(await next('budget', 'stop', 'acme')).toBe('Next: greenlight budget start acme');
    expect(await next('budget', 'start', 'acme')).toBe('Next: greenlight budget show acme');
    expect(await next('budget', 'show', 'acme', '--json')).toBe('');
  });

  test('a preview of what leaves the ledger names the command that moves it', async () => {
    const next = async (...args: string[]) => (await place.run(args, { ...wide, tty: true })).err.trim();
    expect(await next('archive-batches', '--before', '2099-06-30', '--preview')).toBe('');
    const batchId = await place.scene.make(['a']);
    await place.scene.deliver(batchId, 'a');
    await settleBatch(place.ledger, { batchId, nowMs: place.scene.nowMs });
    const reported = place.ledger.db.updateTable('batches').set((eb) => ({ reported_revision: eb.ref('revision') }));
    await reported.where('batch_id', '=', batchId).execute();
    expect(await next('archive-batches', '--before', '2099-06-30', '--preview')).toBe(
      'Next: greenlight archive-batches --before 2099-06-30',
    );
  });

  test('somebody whose yes would not count is asked for no amount, and told whose does', async () => {
    const batchId = await place.scene.seal(['a']);
    const { planDigest } = await place.scene.batch(batchId);
    const add = (name: string, given: readonly Role[]) =>
      addPerson(place.ledger, { name, roles: given, actor: ada, nowMs: place.scene.nowMs });
    await add('ada', ['admin']);
    const { token } = await add('oli', ['operator']);
    await add('fay', ['finance']);
    const ofOli = { ...wide, tty: true, types: ['1.00'], env: { GREENLIGHT_TOKEN: token } };
    const { out, err, code } = await place.run(['approve', batchId], ofOli);
    expect(out + err).not.toContain('Type the amount');
    expect(err).toContain(
      `oli may not approve it. spring-1 waits. Next, by fay (finance): greenlight approve spring-1 --digest ${planDigest?.slice(0, 12)}\n`,
    );
    expect(code).toBe(3);
    expect((await place.scene.batch(batchId)).state).toBe('waiting');
  });

  test('a list of batches that wait for nothing names one to look at', async () => {
    const batchId = await place.scene.make(['a']);
    expect((await place.run(['status'], wide)).out).not.toContain('next: greenlight status');
    await place.scene.deliver(batchId, 'a');
    await settleBatch(place.ledger, { batchId, nowMs: place.scene.nowMs });
    expect((await place.run(['status'], wide)).out).toMatch(/^next: greenlight status spring-1$/m);
    const again = await place.scene.seal(['a']);
    expect((await place.run(['status', again], wide)).out).toContain('all films of spring: greenlight bundle spring');
    expect((await place.run(['show', again, 'a'], wide)).out).toMatch(/next +greenlight open spring-1$/m);
  });

  test('an approval that nobody hears names the command of a worker', async () => {
    const batchId = await place.scene.seal(['a']);
    expect((await place.run(['approve', batchId, '--yes'], wide)).err).toContain('Next: greenlight worker');
  });
});

test('a decision that is repeated reads so, with the first one’s person and reason', async () => {
  const first = await place.scene.seal(['a']);
  expect((await place.run(['approve', first, '--yes'], wide)).out).toMatch(/^spring-1 approved 1\.00 USD by /);
  expect((await place.run(['approve', first, '--yes'], wide)).out).toMatch(
    /^spring-1 was approved already: 1\.00 USD by \S+ at 20\S+; in progress: 0 of 1 row delivered, 1 waiting\n$/,
  );
  const second = await place.scene.seal(['b']);
  await place.run(['reject', second, '--reason', 'wrong logo'], wide);
  const again = await place.run(['reject', second, '--reason', 'too dear'], wide);
  expect(again.out).toMatch(/^spring-2 was rejected already by \S+: wrong logo\n$/);
  expect(JSON.parse((await place.run(['approve', first, '--yes', '--json'], wide)).out)).toMatchObject({
    repeated: true,
  });
});

test('an approval of a batch that has ended is one line: by whom, when, how it ended, and the next step', async () => {
  const batchId = await place.scene.make(['a']);
  await place.scene.deliver(batchId, 'a');
  await settleBatch(place.ledger, { batchId, nowMs: place.scene.nowMs });
  for (const flags of [[], ['--yes']]) {
    const { out, err, code } = await place.run(['approve', batchId, ...flags], { ...wide, tty: true });
    expect([err, code]).toEqual(['', 0]);
    const [said, next, ...rest] = out.split('\n');
    expect(said).toMatch(
      /^spring-1 was approved already: 1\.00 USD by fay at 20\S+; finished in .*: 1 of 1 row delivered$/,
    );
    expect([next, ...rest]).toEqual(['next: greenlight open spring-1, or greenlight bundle spring-1 --zip', '']);
  }
});

test('reports in another folder say how to hand the films over too', async () => {
  const batchId = await place.scene.make(['a']);
  await place.scene.deliver(batchId, 'a');
  await settleBatch(place.ledger, { batchId, nowMs: place.scene.nowMs });
  const elsewhere = await place.run(['results', batchId, '--out', 'reports'], wide);
  expect(elsewhere.err).toBe('the films stay where they are; with them: greenlight bundle spring-1\n');
  expect(elsewhere.out.trim().split('\n').sort()).toEqual(
    ['certificate.json', 'gallery.html', 'results.csv', 'results.jsonl'].map((name) => `reports/${name}`),
  );
  expect((await place.run(['results', batchId], wide)).err).not.toContain('greenlight bundle');
});

test('before it is priced, an approval shows no amount and says what it waits for', async () => {
  const { batchId } = await createBatch(place.ledger, {
    ...{ service: studio, campaign: 'spring', actor: sam, nowMs: place.scene.nowMs, settings: plainSettings },
    manifest: { name: 'spring.csv', columns: ['id', 'prompt'] },
    rows: () => pages([brief('a')]),
  });
  const { out, err, code } = await place.run(['approve', batchId, '--yes'], wide);
  expect(err).toBe(`Cannot approve ${batchId}: it is preparing; wait until it is priced\n`);
  expect(out).toBe('');
  expect(code).toBe(3);
});

test('an approval of a batch that has ended asks for no worker', async () => {
  const batchId = await place.scene.make(['a']);
  await place.scene.deliver(batchId, 'a');
  await settleBatch(place.ledger, { batchId, nowMs: place.scene.nowMs });
  const { out, err } = await place.run(['approve', batchId, '--yes'], wide);
  expect(out).toContain('was approved already');
  expect(out).toContain('next: greenlight open spring-1, or greenlight bundle spring-1 --zip');
  expect(out).not.toContain('--watch');
  expect(err).not.toContain('greenlight worker');
});

test('status says that a budget or a limit is in the way, and not finance or the queue', async () => {
  await place.scene.seal(['a', 'b']);
  const waitingFor = async () => (await place.run(['status'], wide)).out;
  expect(await waitingFor()).toMatch(/spring-1 .*\n {2}finance approval/);
  await place.scene.fund('acme', 150);
  expect(await waitingFor()).toContain(
    'budget acme has 1.50 USD, the plan needs 2.00 USD; next: greenlight budget set acme <limit>',
  );
  expect((await place.run(['status', 'spring-1'], wide)).out).toMatch(/waits for +budget acme has 1\.50 USD/);
  await place.scene.fund('acme', 1_000);
  await setPolicy(place.ledger, { change: { maxInFlight: 1 }, actor: ada, nowMs: place.scene.nowMs });
  const batchId = await place.scene.make(['c', 'd']);
  await place.scene.order(batchId, 'c');
  const { heldUpBy } = await readBatch({ ledger: place.ledger }, { batchId, actor: fay });
  expect(heldUpBy).toEqual({ kind: 'in_flight', of: 'service', limit: 1 });
});

test('the plan screen of an approved batch counts it once', async () => {
  const batchId = await place.scene.make(['a', 'b']);
  const [screen] = [planLines(await storedPlan({ ledger: place.ledger }, { batchId, actor: fay }))];
  expect(screen).toContain('budget acme: 8.00 USD available, this batch included');
});
